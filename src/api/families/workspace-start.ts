import { startInstance } from "../catalogue/operations/workspaces.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { isOfUnknownOutcome } from "../http/errors.ts";

/** The outcome of a start (API description, 7); `starting` is the description's unsuccessful result, not an error. */
export type StartOutcome =
  | { readonly outcome: "started"; readonly text: "workspace started" }
  | { readonly outcome: "starting"; readonly status: 500; readonly text: string };

/**
 * Starts an instance (API description, 4.1). Throws a workspace error if the platform refuses. If a network failure
 * makes the outcome unknown, returns `starting`.
 */
export async function startWorkspace(
  client: PlatformClient,
  workspaceId: string,
  options: CallOptions = {},
): Promise<StartOutcome> {
  return startOutcomeOf(() => client.call(startInstance, { workspaceId }, options));
}

/** The outcome of a start request. Throws a workspace error if the platform refuses. */
export async function startOutcomeOf(start: () => Promise<unknown>): Promise<StartOutcome> {
  try {
    await start();
    return { outcome: "started", text: "workspace started" };
  } catch (error) {
    if (!isOfUnknownOutcome(error)) {
      throw error;
    }
    return { outcome: "starting", status: 500, text: "The workspace is starting." };
  }
}

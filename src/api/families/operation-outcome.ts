import type { AnyOperation } from "../catalogue/operation.ts";
import { startInstance } from "../catalogue/operations/workspaces.ts";
import type { CallOptions, Client } from "../client/client.ts";
import type { CredentialKind } from "../http/credentials.ts";
import { startOutcomeOf } from "./workspace-start.ts";

/**
 * The outcome of an operation that was run by its id: its response, with the text of the API description if there is
 * one, or the description's unsuccessful result, which is not an error (4.1 and 7).
 */
export type OperationOutcome =
  | { readonly successful: true; readonly value: unknown; readonly text?: string }
  | { readonly successful: false; readonly status: number; readonly text: string };

/**
 * Runs an operation that the user chose. Returns a successful response in any format. Otherwise, throws the same
 * PlatformErrors as the operation.
 */
export async function runOperation(
  client: Client<CredentialKind>,
  operation: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<OperationOutcome> {
  const call = async (): Promise<unknown> =>
    client.call(operation, input as never, { ...options, acceptsAnyShape: true });
  if (operation.id !== startInstance.id) {
    return { successful: true, value: await call() };
  }
  let value: unknown;
  const started = await startOutcomeOf(async () => {
    value = await call();
  });
  const { outcome, text } = started;
  return outcome === "started"
    ? { successful: true, value, text }
    : { successful: false, status: started.status, text };
}

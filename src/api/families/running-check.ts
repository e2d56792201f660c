import type { Workspace } from "../catalogue/models/workspaces.ts";
import { getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentClient, PlatformClient } from "../client/client.ts";
import { causeOf } from "../http/errors.ts";
import { type ContentServerOverrides, findContentServer } from "./content-server-location.ts";

interface RunningCheck {
  readonly platform: PlatformClient;
  /** A client for the content server at that address; its token need not be one that the server takes. */
  readonly contentAt: (base: URL) => ContentClient;
  readonly contentServer: ContentServerOverrides;
}

/**
 * A workspace of which the platform does not tell whether it runs: with a running instance when its content server
 * answers, and without one when what stands before it says that it does not run. Unchanged where nobody knows the
 * address. Throws a PlatformError when nothing answers.
 */
export async function withInstancesSeen(
  { platform, contentAt, contentServer }: RunningCheck,
  workspace: Workspace,
  options: CallOptions = {},
): Promise<Workspace> {
  const location = await findContentServer(platform, workspace, contentServer, options);
  if (location.type !== "found") {
    return workspace;
  }
  try {
    await contentAt(location.base).call(getContent, { path: "", content: 0 }, options);
  } catch (error) {
    const cause = causeOf(error);
    if (cause?.type === "workspaceNotRunning") {
      return { ...workspace, instances: [] };
    }
    if (cause?.type !== "tokenRefused") {
      throw error;
    }
  }
  return { ...workspace, instances: [{ status: "RUNNING", url: location.base.href }] };
}

import type { Workspace } from "../catalogue/models/workspaces.ts";
import { getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentClient, PlatformClient } from "../client/client.ts";
import { causeOf } from "../http/errors.ts";
import { type ContentServerOverrides, findContentServer } from "./content-server-location.ts";

interface RunningCheck {
  readonly platform: PlatformClient;
  /** A client for the content server at this address; the server may reject its token. */
  readonly contentAt: (base: URL) => ContentClient;
  readonly contentServer: ContentServerOverrides;
}

/**
 * Adds the running state to a workspace if the platform does not report it: a running instance if the content server
 * responds, or none if the proxy in front of it reports that the workspace isn't running. Returns the workspace
 * unchanged if the address is unknown. Throws a PlatformError if there is no response.
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

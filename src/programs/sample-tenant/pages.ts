import { type Exchange, sendPage } from "./http.ts";
import type { StateFile } from "./state.ts";
import { namespace } from "./user.ts";
import type { Workspaces } from "./workspaces.ts";

/** Shows a person's browser what the real platform would have there; false for a path without a page. */
export async function answerPage(exchange: Exchange, workspaces: Workspaces, file: StateFile): Promise<boolean> {
  const { method } = exchange.request;
  if (method !== "GET" && method !== "HEAD") {
    return false;
  }
  const workspaceId = /^\/jupyter-workspaces\/([^/]+)$/.exec(exchange.path)?.[1];
  if (exchange.path === "/") {
    sendPage(exchange, 200, "Sample tenant", "A small platform to try. Its notebooks open in the editor.");
  } else if (workspaceId !== undefined) {
    const name = workspaces.find(workspaceId)?.configuration.name;
    const known = name !== undefined;
    const sentence = known ? "This is where the platform shows the workspace." : "There is no such workspace.";
    sendPage(exchange, known ? 200 : 404, known ? String(name) : "Not found", sentence);
  } else if (exchange.path === "/hub/auth_refresh") {
    await completeHandshake(exchange, workspaces, file);
  } else if (exchange.path.startsWith("/hub/")) {
    sendPage(exchange, 200, "Notebook sign-in", "This is where a person signs in to notebooks.");
  } else {
    return false;
  }
  return true;
}

/** Signs the person in to the notebooks of the workspace that `next` names. */
async function completeHandshake(exchange: Exchange, workspaces: Workspaces, file: StateFile): Promise<void> {
  const next = exchange.query.get("next") ?? "";
  const shortId = new RegExp(`/user/${namespace}/([^/]+)/?$`).exec(next)?.[1] ?? "";
  const workspace = workspaces.findByShortId(shortId);
  if (workspace === undefined) {
    sendPage(exchange, 404, "Not found", "There is no such workspace.");
    return;
  }
  await file.changeWorkspace(workspace.id, { handshakeDone: true });
  const sentence = `You can start the workspace ${String(workspace.configuration.name)} now. Close this page and go back to the editor.`;
  sendPage(exchange, 200, "Signed in to notebooks", sentence);
}

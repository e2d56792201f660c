import { type HttpExchange, sendJson, sendNothing, sendPage, targetOf } from "./http.ts";
import { namespace } from "./seed/organization.ts";
import type { StateFile } from "./state.ts";
import { isSameToken, tokenIn } from "./tokens.ts";
import type { Workspaces } from "./workspaces.ts";

/**
 * The version of the hub in front of the workspaces: the versions respond differently for a workspace that isn't
 * running.
 */
export type HubVersion = "3.0.0" | "6.1.1";

const versionHeader = "x-jupyterhub-version";

/** Responds in place of a workspace's content server while the workspace isn't running. */
export class Hub {
  readonly #version: HubVersion;

  constructor(version: HubVersion) {
    this.#version = version;
  }

  /** Marks a response of a running content server, which has the hub's header since version 6. */
  markRunning(exchange: HttpExchange): void {
    if (this.#version === "6.1.1") {
      exchange.response.setHeader(versionHeader, this.#version);
    }
  }

  /** Redirects reads to the hub, and rejects writes; in version 6, because the form's secret is missing. */
  respondNotRunning(exchange: HttpExchange): void {
    const { method } = exchange.request;
    if (method === "GET" || method === "HEAD") {
      sendNothing(exchange, 302, { ...this.#headers, location: `/hub${targetOf(exchange)}` });
    } else if (this.#version === "6.1.1") {
      sendPage(exchange, 403, "403 : Forbidden", `'_xsrf' argument missing from ${method}`, this.#headers);
    } else {
      sendPage(exchange, 405, "405 : Method Not Allowed", "", this.#headers);
    }
  }

  /** The server crashed but is still registered, so the proxy responds; since version 6, without the hub's header. */
  respondCrashed(exchange: HttpExchange): void {
    const headers = this.#version === "6.1.1" ? {} : this.#headers;
    const sentence = "Your server appears to be down. Try restarting it from the hub";
    sendPage(exchange, 503, "503 : Service Unavailable", sentence, headers);
  }

  /** Handles the redirect of a workspace that isn't running. `token` is that workspace's token. */
  respondToHubPath(exchange: HttpExchange, token: string | undefined): void {
    const { method } = exchange.request;
    if (method !== "GET" && method !== "HEAD") {
      sendPage(exchange, 405, "405 : Method Not Allowed", "", this.#headers);
    } else if (token === undefined || !isSameToken(tokenIn(exchange), token)) {
      const location = `/hub/login?next=${encodeURIComponent(targetOf(exchange))}`;
      sendNothing(exchange, 302, { ...this.#headers, location });
    } else {
      const stopped = `JupyterHub server no longer running at ${exchange.path.replace(/^\/hub/, "")}.`;
      const message = `${stopped} Restart the server at ${spawnPage(exchange)}`;
      sendJson(exchange, 424, JSON.stringify({ message }), this.#headers);
    }
  }

  get #headers(): Readonly<Record<string, string>> {
    return { [versionHeader]: this.#version };
  }
}

function spawnPage(exchange: HttpExchange): string {
  const [, , , namespace = "", server = ""] = exchange.path.split("/");
  return `http://${exchange.request.headers.host ?? "127.0.0.1"}/hub/spawn/${namespace}/${server}`;
}

/** Shows the pages that the real platform has for browsers. Returns false for a path without a page. */
export async function respondWithPage(
  exchange: HttpExchange,
  workspaces: Workspaces,
  file: StateFile,
): Promise<boolean> {
  const { method } = exchange.request;
  if (method !== "GET" && method !== "HEAD") {
    return false;
  }
  const workspaceId = /^\/jupyter-workspaces\/([^/]+)$/.exec(exchange.path)?.[1];
  if (exchange.path === "/") {
    sendPage(
      exchange,
      200,
      "Sample tenant",
      "A small platform for trying out Platform Workbench. Its notebooks open in the editor.",
    );
  } else if (workspaceId !== undefined) {
    const name = workspaces.find(workspaceId)?.configuration.name;
    const known = name !== undefined;
    const sentence = known ? "The platform shows the workspace here." : "This workspace does not exist.";
    sendPage(exchange, known ? 200 : 404, known ? String(name) : "Not found", sentence);
  } else if (exchange.path === "/hub/auth_refresh") {
    await completeHandshake(exchange, workspaces, file);
  } else if (exchange.path.startsWith("/hub/")) {
    sendPage(exchange, 200, "Notebook sign-in", "Users sign in to notebooks here.");
  } else {
    return false;
  }
  return true;
}

/** Signs the user in to the notebooks of the workspace in `next`. */
async function completeHandshake(exchange: HttpExchange, workspaces: Workspaces, file: StateFile): Promise<void> {
  const next = exchange.query.get("next") ?? "";
  const shortId = new RegExp(`/user/${namespace}/([^/]+)/?$`).exec(next)?.[1] ?? "";
  const workspace = workspaces.findByShortId(shortId);
  if (workspace === undefined) {
    sendPage(exchange, 404, "Not found", "This workspace does not exist.");
    return;
  }
  await file.changeWorkspace(workspace.id, { handshakeDone: true });
  const sentence = `You can start the workspace ${String(workspace.configuration.name)} now. Close this page and go back to the editor.`;
  sendPage(exchange, 200, "Signed in to notebooks", sentence);
}

import { isSameToken, tokenIn } from "./content-server/authorization.ts";
import { type Exchange, sendJson, sendNothing, sendPage, targetOf } from "./http.ts";

/** A version of the hub that stands before the workspaces: they answer differently for one that does not run. */
export type HubVersion = "3.0.0" | "6.1.1";

const versionHeader = "x-jupyterhub-version";

/** Answers in place of a workspace's content server while that does not run. */
export class Hub {
  readonly #version: HubVersion;

  constructor(version: HubVersion) {
    this.#version = version;
  }

  /** Marks an answer of a running content server, which carries the hub's header from version 6 on. */
  markRunning(exchange: Exchange): void {
    if (this.#version === "6.1.1") {
      exchange.response.setHeader(versionHeader, this.#version);
    }
  }

  /** Reading is sent to the hub; writing is refused, by version 6 because it comes without a form's secret. */
  answerNotRunning(exchange: Exchange): void {
    const { method } = exchange.request;
    if (method === "GET" || method === "HEAD") {
      sendNothing(exchange, 302, { ...this.#headers, location: `/hub${targetOf(exchange)}` });
    } else if (this.#version === "6.1.1") {
      sendPage(exchange, 403, "403 : Forbidden", `'_xsrf' argument missing from ${method}`, this.#headers);
    } else {
      sendPage(exchange, 405, "405 : Method Not Allowed", "", this.#headers);
    }
  }

  /** The server has crashed and is still registered: the proxy answers, from version 6 on without the hub's header. */
  answerCrashed(exchange: Exchange): void {
    const headers = this.#version === "6.1.1" ? {} : this.#headers;
    const sentence = "Your server appears to be down. Try restarting it from the hub";
    sendPage(exchange, 503, "503 : Service Unavailable", sentence, headers);
  }

  /** What the redirect of a workspace that does not run leads to; `token` is that workspace's. */
  answerHubPath(exchange: Exchange, token: string | undefined): void {
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

function spawnPage(exchange: Exchange): string {
  const [, , , namespace = "", server = ""] = exchange.path.split("/");
  return `http://${exchange.request.headers.host ?? "127.0.0.1"}/hub/spawn/${namespace}/${server}`;
}

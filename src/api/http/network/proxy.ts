/** Where the address of a proxy comes from. */
export type ProxySource = "setting" | "environment" | "system";

/** An HTTP, HTTPS, or SOCKS proxy. */
export interface ProxyServer {
  /** `http:`, `https:`, `socks:`, `socks4a:`, or `socks5:`, without credentials and path. */
  readonly address: string;
  /** Value of the header `Proxy-Authorization`. */
  readonly authorization?: string;
  readonly source: ProxySource;
}

/**
 * Why a proxy did not forward a request. `signInRequired`: no credentials were sent. `rejected`: the proxy rejected the
 * credentials. `unreachable`: there was no connection to it. `refused`: it returned another status.
 */
export type ProxyProblem = { readonly address: string; readonly source: ProxySource } & (
  | { readonly type: "invalid" }
  | { readonly type: "signInRequired" }
  | { readonly type: "rejected" }
  | { readonly type: "unreachable"; readonly code: string }
  | { readonly type: "refused"; readonly status: number }
);

/** A request that didn't pass the proxy. The server received nothing. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  /** Similar to the codes of Node, for logs. */
  readonly code: string;
  readonly problem: ProxyProblem;

  constructor(problem: ProxyProblem, cause?: unknown) {
    super(`the proxy ${problem.address}: ${problem.type}`, cause === undefined ? {} : { cause });
    this.problem = problem;
    this.code = `PROXY_${problem.type.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  }
}

/** True if the proxy needs other credentials. */
export function needsSignIn({ problem }: ProxyError): boolean {
  return problem.type === "signInRequired" || problem.type === "rejected";
}

// The requests that the fault proxy breaks, and how.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** The requests that a fault applies to; all given conditions must match. */
export interface FaultMatch {
  readonly method?: string | readonly string[];
  /** A string is a prefix of the path. A pattern is tested against path and query. */
  readonly path?: string | RegExp;
  /** Only the nth matching request, starting at 1, or a list of several. */
  readonly nth?: number | readonly number[];
  /** Only the nth matching request, starting at 1, and all later ones. */
  readonly from?: number;
  /** Maximum number of times that the rule is applied. */
  readonly times?: number;
}

/** The fault that is applied to a request. */
export type FaultAction =
  /** Delays the request by this time, plus up to `jitter`. */
  | { readonly kind: "latency"; readonly milliseconds: number; readonly jitter?: number }
  /** Delays the request until the promise resolves. Only for rules created in this process. */
  | { readonly kind: "hold"; readonly until: Promise<unknown> }
  | {
      /** The proxy's own response. The target never receives the request. */
      readonly kind: "response";
      readonly status: number;
      readonly body?: string;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "redirect"; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** An HTML page instead of JSON, like a login page or a gateway's page. */
  | { readonly kind: "html"; readonly status?: number }
  /** The target's response without the second half of its body, which the framing doesn't reveal. */
  | { readonly kind: "half-body" }
  /** The target's response with another content type. */
  | { readonly kind: "content-type"; readonly contentType: string }
  /** The target's response in this number of parts, with a pause before each. */
  | { readonly kind: "drip"; readonly parts: number; readonly milliseconds: number }
  /**
   * The connection breaks. `before`: the target never receives the request. `sending`: after half of the request's
   * body, on both sides. `during`: after half of the response's body. `after`: the target handled the request, but the
   * client receives no response.
   */
  | { readonly kind: "cut"; readonly when: "before" | "sending" | "during" | "after" }
  /**
   * The request never gets a response. With `during`, nothing follows the first half of the response's body. Calls
   * `onHang` with the request's headers when nothing more will be sent (only for rules created in this process).
   */
  | {
      readonly kind: "hang";
      readonly when?: "before" | "during";
      readonly onHang?: (headers: IncomingHttpHeaders) => void;
    }
  /**
   * Calls a function and never responds. `before`: the target never receives the request. `after`: the target handled
   * it. Only for rules created in this process.
   */
  | { readonly kind: "call"; readonly when: "before" | "sending" | "after"; readonly call: () => void };

export interface FaultRule {
  readonly name?: string;
  readonly match: FaultMatch;
  readonly action: FaultAction;
}

export interface ActiveRule {
  readonly rule: FaultRule;
  seen: number;
  applied: number;
}

/** The rule that applies to this request. Counts the request. */
export function pick(rules: readonly ActiveRule[], incoming: IncomingMessage): FaultRule | undefined {
  const { path, query } = partsOf(incoming.url ?? "/");
  for (const active of rules) {
    const { match } = active.rule;
    if (!matches(match, incoming.method ?? "GET", path, query)) continue;
    active.seen += 1;
    if (match.nth !== undefined && ![match.nth].flat().includes(active.seen)) continue;
    if (match.from !== undefined && active.seen < match.from) continue;
    if (match.times !== undefined && active.applied >= match.times) continue;
    active.applied += 1;
    return active.rule;
  }
  return undefined;
}

export function matches(match: FaultMatch, method: string, path: string, query: string): boolean {
  if (match.method !== undefined && ![match.method].flat().includes(method)) return false;
  if (typeof match.path === "string") return path.startsWith(match.path);
  return match.path === undefined || match.path.test(query === "" ? path : `${path}?${query}`);
}

export function partsOf(url: string): { path: string; query: string } {
  const [path = "/", ...rest] = url.split("?");
  return { path, query: rest.join("?").replace(/(\b[\w-]*token=)[^&]*/gi, "$1(secret)") };
}

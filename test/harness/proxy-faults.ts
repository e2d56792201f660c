// Which requests the fault proxy breaks, and how.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Which requests a fault is for: all that is given has to match. */
export interface FaultMatch {
  readonly method?: string | readonly string[];
  /** A text: the path starts with it. A pattern: tested against path and query. */
  readonly path?: string | RegExp;
  /** Only the nth request (from 1) that matches otherwise; a list for several. */
  readonly nth?: number | readonly number[];
  /** Only from the nth request (from 1) that matches otherwise. */
  readonly from?: number;
  /** Applied this many times at most, then the rule is spent. */
  readonly times?: number;
}

/** What is done to a request. */
export type FaultAction =
  /** Waits before the request goes on: that long, and up to `jitter` longer. */
  | { readonly kind: "latency"; readonly milliseconds: number; readonly jitter?: number }
  /** Waits until something has happened before the request goes on. For rules made in this process only. */
  | { readonly kind: "hold"; readonly until: Promise<unknown> }
  | {
      /** An answer of our own: the target never sees the request. */
      readonly kind: "answer";
      readonly status: number;
      readonly body?: string;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "redirect"; readonly location: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** A page for people where JSON was asked for, as a login page or a gateway gives. */
  | { readonly kind: "html"; readonly status?: number }
  /** The target's answer with the second half of its body left out, and no sign of that in the framing. */
  | { readonly kind: "half-body" }
  /** The target's answer under another content type. */
  | { readonly kind: "content-type"; readonly contentType: string }
  /** The target's answer in that many parts, with a pause before each. */
  | { readonly kind: "drip"; readonly parts: number; readonly milliseconds: number }
  /**
   * The connection breaks. `before`: the target never sees the request. `sending`: after half of the request's body, for
   * both sides. `during`: after half of the answer's body. `after`: the target did its work, the client hears nothing.
   */
  | { readonly kind: "cut"; readonly when: "before" | "sending" | "during" | "after" }
  /**
   * The request is kept and never answered; `during`: after half of the answer's body nothing more comes. `onHang` hears of
   * it, with the request's headers, when nothing will come any more (for rules made in this process only).
   */
  | {
      readonly kind: "hang";
      readonly when?: "before" | "during";
      readonly onHang?: (headers: IncomingHttpHeaders) => void;
    }
  /**
   * Something is done and nothing is answered, ever. `before`: the target never sees the request. `after`: it did its work.
   * For rules made in this process only.
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

/** The rule that is for this request, which counts as one more that it saw. */
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

import { timingSafeEqual } from "node:crypto";
import { type Exchange, type Incoming, sendJson, sendNothing, targetOf } from "../http.ts";

/** The token of a request: `Authorization: token X` or `Bearer X` with any capitals, or `?token=X`. */
export function tokenIn(incoming: Incoming): string | undefined {
  const header = /^(?:token|bearer)\s+(\S+)\s*$/i.exec(incoming.request.headers.authorization ?? "");
  return header?.[1] ?? incoming.query.get("token") ?? undefined;
}

/** Compares two tokens in a time that says nothing about them. */
export function isSameToken(given: string | undefined, expected: string): boolean {
  const left = Buffer.from(given ?? "");
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Refuses a request without the right token: raw files by a redirect to the login page, the API by 403. */
export function refuse(exchange: Exchange, prefix: string): void {
  const { method = "GET" } = exchange.request;
  if (exchange.path.startsWith(`${prefix}files/`)) {
    sendNothing(exchange, 302, { location: `${prefix}login?next=${encodeURIComponent(targetOf(exchange))}` });
    return;
  }
  const message = method === "GET" || method === "HEAD" ? "Forbidden" : "'_xsrf' argument missing from POST";
  sendJson(exchange, 403, JSON.stringify({ message, reason: null }));
}

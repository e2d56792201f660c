import type { FaultAction } from "../harness/proxy.ts";

/** A way in which a request fails. */
export interface Fault {
  readonly name: string;
  readonly action: FaultAction;
  /**
   * `once`: only the first attempt. `request`: every attempt of one request. `onward`: that request and all later ones,
   * as if the server were gone.
   */
  readonly extent: "once" | "request" | "onward";
  /** Only for requests with a body. */
  readonly needsBody?: boolean;
  /** True for the faults that are also tried with variants of an operation. */
  readonly isTypical?: boolean;
  /** True if nothing is wrong in the end: the operation must succeed. */
  readonly passes?: "always" | "reads";
}

function response(status: number, headers: Readonly<Record<string, string>> = {}): FaultAction {
  const body = JSON.stringify({ message: `made up ${status}`, reason: null });
  return { kind: "response", status, body, contentType: "application/json", headers };
}

const notRunning: FaultAction = {
  kind: "response",
  status: 424,
  body: JSON.stringify({ message: "JupyterHub server no longer running" }),
  contentType: "application/json",
  headers: { "x-jupyterhub-version": "6.1.1" },
};

export const faults: readonly Fault[] = [
  { name: "latency", action: { kind: "latency", milliseconds: 60 }, extent: "onward", passes: "always" },
  { name: "jitter", action: { kind: "latency", milliseconds: 0, jitter: 120 }, extent: "onward", passes: "always" },
  { name: "slow response", action: { kind: "drip", parts: 12, milliseconds: 8 }, extent: "onward", passes: "always" },
  {
    name: "wrong content type",
    action: { kind: "content-type", contentType: "text/plain" },
    extent: "request",
    passes: "always",
  },
  {
    name: "connection lost before the request, once",
    action: { kind: "cut", when: "before" },
    extent: "once",
    passes: "reads",
  },
  { name: "connection lost before the request", action: { kind: "cut", when: "before" }, extent: "request" },
  {
    name: "connection lost before the request, and offline",
    action: { kind: "cut", when: "before" },
    extent: "onward",
  },
  {
    name: "connection lost during the request",
    action: { kind: "cut", when: "sending" },
    extent: "request",
    needsBody: true,
  },
  { name: "connection lost during the response", action: { kind: "cut", when: "during" }, extent: "request" },
  {
    name: "connection lost before the response",
    action: { kind: "cut", when: "after" },
    extent: "request",
    isTypical: true,
  },
  {
    name: "connection lost before the response, and offline",
    action: { kind: "cut", when: "after" },
    extent: "onward",
    isTypical: true,
  },
  { name: "no response", action: { kind: "hang" }, extent: "request" },
  { name: "incomplete response, then silence", action: { kind: "hang", when: "during" }, extent: "request" },
  { name: "403", action: response(403), extent: "onward", isTypical: true },
  { name: "429 once, Retry-After", action: response(429, { "retry-after": "1" }), extent: "once", passes: "reads" },
  { name: "429", action: response(429, { "retry-after": "1" }), extent: "onward" },
  { name: "413 page of a proxy", action: { kind: "html", status: 413 }, extent: "request", needsBody: true },
  { name: "500", action: response(500), extent: "request" },
  { name: "503 once", action: response(503), extent: "once", passes: "reads" },
  { name: "503", action: response(503), extent: "onward" },
  { name: "507", action: response(507), extent: "request", needsBody: true, isTypical: true },
  { name: "web page instead of JSON", action: { kind: "html" }, extent: "request" },
  { name: "gateway error page", action: { kind: "html", status: 502 }, extent: "onward" },
  { name: "gateway 404 page", action: { kind: "html", status: 404 }, extent: "request" },
  { name: "incomplete JSON", action: { kind: "half-body" }, extent: "request" },
  {
    name: "redirect to a sign-in page",
    action: { kind: "redirect", location: "https://login.example/" },
    extent: "onward",
  },
  { name: "workspace stopped", action: notRunning, extent: "onward" },
];

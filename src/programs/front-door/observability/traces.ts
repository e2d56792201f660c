import type { Transport } from "../../../api/http/transport.ts";
import type { HttpExchange } from "../http/http-exchange.ts";
import type { Rejection } from "../http/rejections.ts";

/** The stages of a request. Each has a span. */
type Stage =
  | "authenticate"
  | "revocation"
  | "limit"
  | "read body"
  | "entitlement"
  | "credential"
  | "confirmation"
  | "tool call"
  | "internal request"
  | "platform request";

/** The data about a request that is known when it ends. */
export interface TracedRequest {
  readonly method?: string;
  readonly rejection?: Rejection;
  readonly report?: { readonly result: string };
}

/** The span of a running stage. Its attributes must be this program's own names and numbers, not data of a request. */
export interface StageSpan {
  describe(attributes: Readonly<Record<string, string | number>>): void;
  /** Marks the stage as failed without throwing. */
  fail(kind: string): void;
}

/** Records traces of requests. */
export interface Traces {
  /** Runs the work in the span of a request. Continues the caller's trace if it sends one (W3C Trace Context). */
  request<T>(exchange: HttpExchange, route: string, record: TracedRequest, work: () => Promise<T>): Promise<T>;
  /**
   * Runs the work in a child of the current span. A returned rejection or a thrown error sets the status of the span.
   */
  stage<T>(stage: Stage, work: (span: StageSpan) => Promise<T>): Promise<T>;
  /** Headers that continue the trace in another service. */
  headers(): Readonly<Record<string, string>>;
  /** Sends the remaining spans, for up to two seconds. */
  close(): Promise<void>;
}

const silentSpan: StageSpan = { describe: () => {}, fail: () => {} };
const noHeaders: Readonly<Record<string, string>> = {};

/** Records nothing. */
export const noTraces: Traces = {
  request: (_exchange, _route, _record, work) => work(),
  stage: (_stage, work) => work(silentSpan),
  headers: () => noHeaders,
  close: async () => {},
};

/** Adds a span to each request of a transport. `continued`: the requested server continues the trace. */
export function tracedTransport(
  transport: Transport,
  traces: Traces,
  stage: "internal request" | "platform request",
  { continued }: { readonly continued: boolean },
): Transport {
  if (traces === noTraces) {
    return transport;
  }
  return {
    send: (request) =>
      traces.stage(stage, async (span) => {
        span.describe({ "http.request.method": request.method, "server.address": request.url.hostname });
        const headers = continued ? { ...request.headers, ...traces.headers() } : request.headers;
        const response = await transport.send({ ...request, headers });
        span.describe({ "http.response.status_code": response.status });
        if (response.status >= 400) {
          span.fail(String(response.status));
        }
        return response;
      }),
    openSocket: (request) =>
      traces.stage(stage, async (span) => {
        span.describe({ "http.request.method": "GET", "server.address": new URL(request.origin).hostname });
        const response = await transport.openSocket?.(request);
        if (response?.type === "refused") {
          span.describe({ "http.response.status_code": response.response.status });
          span.fail(String(response.response.status));
        }
        return response;
      }),
    close: () => transport.close(),
  };
}

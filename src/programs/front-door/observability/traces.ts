import type { Transport } from "../../../api/http/transport.ts";
import type { HttpExchange } from "../http/http-exchange.ts";
import type { Rejection } from "../http/rejections.ts";

/** What a request goes through, one span for each. */
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

/** What is known of a request by its end. */
export interface TracedRequest {
  readonly method?: string;
  readonly rejection?: Rejection;
  readonly report?: { readonly result: string };
}

/** A span while its stage runs. Takes names and numbers of this program's own: nothing of what a request brought. */
export interface StageSpan {
  describe(attributes: Readonly<Record<string, string | number>>): void;
  /** Marks the stage as failed without throwing. */
  fail(kind: string): void;
}

/** Where requests are traced to. */
export interface Traces {
  /** Runs the work as the request's own span, within the caller's trace where it names one (W3C Trace Context). */
  request<T>(exchange: HttpExchange, route: string, record: TracedRequest, work: () => Promise<T>): Promise<T>;
  /** Runs the work as a span within the one that runs. A rejection that it gives, and an error, is the span's status. */
  stage<T>(stage: Stage, work: (span: StageSpan) => Promise<T>): Promise<T>;
  /** Headers that continue the trace in another service. */
  headers(): Readonly<Record<string, string>>;
  /** Sends what has not been sent yet; takes two seconds at most. */
  close(): Promise<void>;
}

const silentSpan: StageSpan = { describe: () => {}, fail: () => {} };
const noHeaders: Readonly<Record<string, string>> = {};

/** Traces nothing. */
export const noTraces: Traces = {
  request: (_exchange, _route, _record, work) => work(),
  stage: (_stage, work) => work(silentSpan),
  headers: () => noHeaders,
  close: async () => {},
};

/** The transport with a span for each request. `continued`: the server that is asked continues the trace. */
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
        const answer = await transport.send({ ...request, headers });
        span.describe({ "http.response.status_code": answer.status });
        if (answer.status >= 400) {
          span.fail(String(answer.status));
        }
        return answer;
      }),
    openSocket: (request) =>
      traces.stage(stage, async (span) => {
        span.describe({ "http.request.method": "GET", "server.address": new URL(request.origin).hostname });
        const answer = await transport.openSocket?.(request);
        if (answer?.type === "refused") {
          span.describe({ "http.response.status_code": answer.answer.status });
          span.fail(String(answer.answer.status));
        }
        return answer;
      }),
    close: () => transport.close(),
  };
}

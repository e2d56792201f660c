import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { isRejection, publicResponses } from "../http/rejections.ts";
import type { Metrics } from "./metrics.ts";
import type { Sampler, TraceSettings } from "./trace-environment.ts";
import type { StageSpan, TracedRequest, Traces } from "./traces.ts";

interface TraceParts {
  readonly version: string;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Milliseconds for which the program waits at exit for spans to be sent. */
const closeMilliseconds = 2000;
const maxValueLength = 128;
const methods: ReadonlySet<string> = new Set([
  ...["initialize", "notifications/initialized", "notifications/cancelled", "ping", "server/discover"],
  ...["tools/list", "tools/call"],
]);

/** Sends spans to the endpoint in the standard environment variables. Calls never wait for this. */
export function createOpenTelemetryTraces(settings: TraceSettings, parts: TraceParts): Traces {
  const exporter = watched(new OTLPTraceExporter(), parts);
  const provider = new TracerProvider({
    sampler: samplerFor(settings.sampler),
    spanLimits: { attributeValueLengthLimit: maxValueLength },
    spanProcessors: [new BatchSpanProcessor({ ...settings.batches, exporter })],
    // The environment variables take precedence.
    resource: resourceFromAttributes({
      "service.name": "platform-workbench-front-door",
      "service.version": parts.version,
      "service.instance.id": randomUUID(),
    }).merge(detectResources({ detectors: [envDetector] })),
  });
  const tracer = provider.getTracer("front-door", parts.version);
  // Not registered globally, because only this program's stages are traced.
  const contexts = new AsyncLocalStorageContextManager().enable();

  async function run<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await contexts.with(trace.setSpan(parent, span), work);
    } catch (error) {
      fail(span, kindOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    request({ request, response, requestId }, route, record, work) {
      const parent = callerContext(request.headers.traceparent, request.headers.tracestate);
      const span = tracer.startSpan(`POST ${route}`, { kind: SpanKind.SERVER }, parent);
      return run(span, parent, async () => {
        const outcome = await work();
        span.setAttributes({
          "http.request.method": "POST",
          "http.route": route,
          "http.response.status_code": response.statusCode,
          "frontdoor.request_id": requestId,
          ...(record.method === undefined ? {} : { "mcp.method.name": knownMethod(record.method) }),
        });
        failRequest(span, record);
        return outcome;
      });
    },
    stage(stage, work) {
      const parent = contexts.active();
      const kind = stage.endsWith("request") ? SpanKind.CLIENT : SpanKind.INTERNAL;
      const span = tracer.startSpan(stage, { kind }, parent);
      return run(span, parent, async () => {
        const outcome = await work(stageSpan(span));
        if (typeof outcome === "object" && outcome !== null && isRejection(outcome)) {
          fail(span, outcome.rejection);
        }
        return outcome;
      });
    },
    headers() {
      const active = trace.getSpanContext(contexts.active());
      if (active === undefined || !isSpanContextValid(active)) {
        return {};
      }
      const { traceId, spanId, traceFlags, traceState } = active;
      const state = traceState?.serialize() ?? "";
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
        ...(state === "" ? {} : { tracestate: state }),
      };
    },
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        delay(closeMilliseconds, undefined, { ref: false }),
      ]);
      contexts.disable();
    },
  };
}

/** The name of a protocol method, or `other` for unknown text from the client. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : "other";
}

function stageSpan(span: Span): StageSpan {
  return {
    describe: (attributes) => void span.setAttributes(attributes),
    fail: (kind) => fail(span, kind),
  };
}

function fail(span: Span, kind: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: kind });
  span.setAttribute("error.type", kind);
}

/**
 * Records the result of a request. The span has an error only if this server or a server behind it failed. For a client
 * error, only the kind is recorded.
 */
function failRequest(span: Span, { rejection, report }: TracedRequest): void {
  if (rejection !== undefined) {
    span.setAttribute("error.type", rejection.rejection);
    if (publicResponses[rejection.rejection].status >= 500) {
      fail(span, rejection.rejection);
    }
  } else if (report?.result === "failed") {
    fail(span, report.result);
  }
}

/** The kind of an error in this program's terms. Never its message, which may contain data of a request. */
function kindOf(error: unknown): string {
  if (error instanceof Error && "kind" in error && typeof error.kind === "string") {
    return error.kind;
  }
  return error instanceof Error ? error.name : "error";
}

/**
 * The context of the caller's span, which becomes the parent of the request's span. The root context if the header is
 * missing or invalid.
 */
function callerContext(traceparent: string | string[] | undefined, tracestate: string | string[] | undefined): Context {
  const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
  const [, traceId = "", spanId = "", flags = ""] =
    typeof traceparent === "string" ? (form.exec(traceparent) ?? []) : [];
  const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  if (!isSpanContextValid(caller)) {
    return ROOT_CONTEXT;
  }
  const state = typeof tracestate === "string" && tracestate !== "" ? { traceState: createTraceState(tracestate) } : {};
  return trace.setSpanContext(ROOT_CONTEXT, { ...caller, ...state });
}

function samplerFor({ parentBased, ratio }: Sampler) {
  const root =
    ratio === 1 ? new AlwaysOnSampler() : ratio === 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

/**
 * Counts the results of an exporter. Logs one line, without the response, when the endpoint begins to fail, and one
 * when it recovers.
 */
function watched(exporter: SpanExporter, { log, metrics }: TraceParts): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        metrics.traceExports.inc({ result: failed ? "failed" : "sent" });
        if (failed !== isFailing) {
          isFailing = failed;
          log[failed ? "warn" : "info"](failed ? "traces can't be sent; they are dropped" : "traces are sent again");
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

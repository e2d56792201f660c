import type { Logger } from "pino";
import { turnFor } from "../../../api/turns.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Gate } from "../gate.ts";
import type { ToolHandler } from "../mcp/tool-handler.ts";
import { type AuditParts, auditWhenAnswered, type CallRecord } from "../observability/audit.ts";
import { errorForLog } from "../observability/log.ts";
import { readJsonBody } from "./bodies.ts";
import { allowOrigin, answerPreflight, isPreflight } from "./cross-origin.ts";
import { type HttpExchange, sendRejection } from "./http-exchange.ts";
import { isRejection, type Rejection } from "./rejections.ts";
import { checkForm, checkHost, checkOrigin, checkPeer, type TrustedProxies } from "./request-headers.ts";

interface ToolRequestParts {
  readonly configuration: Configuration;
  readonly gate: Gate;
  readonly tools: ToolHandler;
  readonly proxies: TrustedProxies;
  readonly audit: AuditParts;
  readonly log: Logger;
  /** Where the resource's metadata are, for challenges. */
  readonly metadataUrl: string | undefined;
  /** Ends when the server does. */
  readonly ending: AbortSignal;
}

/** How long a call that was told to end may take to say so. */
const abortGraceMilliseconds = 1000;

/** Answers a request to /mcp: headers, token, rate, body, entitlement, credential, tool, in this order. */
export async function answerToolRequest(exchange: HttpExchange, parts: ToolRequestParts): Promise<void> {
  const { request } = exchange;
  const record: CallRecord = {};
  const client = parts.proxies.clientOf(request.socket.remoteAddress, request.headersDistinct["x-forwarded-for"]);
  auditWhenAnswered(exchange, "/mcp", client, record, parts.audit);
  await parts.audit.traces.request(exchange, "/mcp", record, () => answerTraced(exchange, parts, record, client));
}

async function answerTraced(
  exchange: HttpExchange,
  parts: ToolRequestParts,
  record: CallRecord,
  client: string,
): Promise<void> {
  const { inFlight } = parts.audit.metrics;
  inFlight.inc();
  const end = callSignal(exchange, parts);
  const { signal } = end;
  try {
    const rejection = await withinTime(serve(exchange, parts, record, client, signal), signal);
    if (rejection !== undefined) {
      record.rejection = rejection;
      sendRejection(exchange, rejection, parts.metadataUrl);
    }
  } catch (error) {
    parts.log.error({ requestId: exchange.requestId, err: errorForLog(error) }, "a call failed in this server");
    record.rejection = { rejection: "internalError", reason: "a fault of this server" };
    sendRejection(exchange, record.rejection);
  } finally {
    end.forget();
    inFlight.dec();
  }
}

/**
 * Aborts with the client's connection, with the time limit of a call and with the server. `forget` lets go of timer and
 * server: a signal that waits for its time would keep each answered request in memory until then.
 */
function callSignal(
  { response }: HttpExchange,
  { configuration, ending }: Pick<ToolRequestParts, "configuration" | "ending">,
): { readonly signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, configuration.limits.callMilliseconds);
  // Once the answer is out there is nothing to end, and to end it all the same makes an error with a stack.
  const cut = (): void => {
    if (!response.writableFinished) {
      abort();
    }
  };
  response.once("close", cut);
  ending.addEventListener("abort", abort);
  if (ending.aborted) {
    abort();
  }
  return {
    signal: controller.signal,
    forget: () => {
      clearTimeout(timer);
      ending.removeEventListener("abort", abort);
    },
  };
}

async function serve(
  exchange: HttpExchange,
  { configuration, gate, tools, proxies, audit }: ToolRequestParts,
  record: CallRecord,
  client: string,
  signal: AbortSignal,
): Promise<Rejection | undefined> {
  const { request, response, requestId } = exchange;
  const unfit =
    checkPeer(request, proxies) ??
    checkForm(request) ??
    checkHost(request, configuration.public) ??
    checkOrigin(request, configuration.public);
  if (unfit !== undefined) {
    return unfit;
  }
  allowOrigin(exchange);
  if (isPreflight(request)) {
    answerPreflight(exchange, "POST");
    return undefined;
  }
  if (request.method !== "POST") {
    return { rejection: "methodNotAllowed", allowed: "POST" };
  }
  const claims = await gate.authenticate(request.headersDistinct.authorization, client, signal);
  if (isRejection(claims)) {
    return claims;
  }
  record.claims = claims;
  const { maximumBodyBytes } = configuration.limits;
  const body =
    (await gate.checkUse(claims)) ??
    (await audit.traces.stage("read body", () => readJsonBody(request, maximumBodyBytes, signal)));
  if (isRejection(body)) {
    return body;
  }
  const message = body.value;
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    return { rejection: "invalidRequest", reason: "the body is not one message" };
  }
  const members = message as Readonly<Record<string, unknown>>;
  record.method = methodOf(members.method);
  const caller = await gate.admit(claims, requestId);
  if (isRejection(caller)) {
    return caller;
  }
  response.setHeader("x-request-id", requestId);
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  await turnFor(body.size);
  const report = await tools.handle({ request, response, body: members, caller, signal });
  if (report !== undefined) {
    record.report = report;
  }
  return undefined;
}

/** What the work gives; when its time is up and it does not end by itself, a rejection. */
async function withinTime(work: Promise<Rejection | undefined>, signal: AbortSignal): Promise<Rejection | undefined> {
  let stop = (): void => {};
  const late = new Promise<Rejection>((resolve) => {
    const begin = (): void => {
      const timer = setTimeout(() => resolve({ rejection: "callTooLong" }), abortGraceMilliseconds);
      stop = () => clearTimeout(timer);
    };
    signal.addEventListener("abort", begin, { once: true });
    stop = () => signal.removeEventListener("abort", begin);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stop();
  }
}

/** A protocol method as it may stand in the log. */
function methodOf(method: unknown): string {
  return typeof method === "string" && /^[a-zA-Z]+(?:\/[a-zA-Z_]+){0,3}$/.test(method) && method.length <= 64
    ? method
    : "other";
}

import type { Logger } from "pino";
import { turnFor } from "../../../api/turns.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Gate } from "../gate.ts";
import type { ToolHandler } from "../mcp/tool-handler.ts";
import { type AuditParts, auditAfterResponse, type CallRecord } from "../observability/audit.ts";
import { errorForLog } from "../observability/log.ts";
import type { CallShare, Shares } from "../shares/shares.ts";
import type { UnreadResponses } from "../shares/unread-responses.ts";
import type { Claims } from "../token/claims.ts";
import { announcedBytes, readJsonBody } from "./bodies.ts";
import { allowOrigin, isPreflight, respondToPreflight } from "./cross-origin.ts";
import { type HttpExchange, sendRejection } from "./http-exchange.ts";
import { isRejection, type Rejection } from "./rejections.ts";
import { checkForm, checkHost, checkOrigin, checkPeer, headerValues, type TrustedProxies } from "./request-headers.ts";

interface ToolRequestParts {
  readonly configuration: Configuration;
  readonly gate: Gate;
  readonly shares: Shares;
  readonly unread: UnreadResponses;
  readonly tools: ToolHandler;
  readonly proxies: TrustedProxies;
  readonly audit: AuditParts;
  readonly log: Logger;
  /** The address of the resource metadata, for challenges. */
  readonly metadataUrl: string | undefined;
  /** Aborts when the server shuts down. */
  readonly ending: AbortSignal;
}

/** Time for an aborted call to end by itself, in milliseconds. */
const abortGraceMilliseconds = 1000;

/**
 * Handles a request to /mcp. Checks the headers, token, rate limit, body, entitlement, and credential, in this order.
 * Then calls the tool.
 */
export async function respondToToolRequest(exchange: HttpExchange, parts: ToolRequestParts): Promise<void> {
  const { request } = exchange;
  const record: CallRecord = {};
  const client = parts.proxies.clientIn(request);
  auditAfterResponse(exchange, "/mcp", client, record, parts.audit);
  await parts.audit.traces.request(exchange, "/mcp", record, () => respondTraced(exchange, parts, record, client));
}

async function respondTraced(
  exchange: HttpExchange,
  parts: ToolRequestParts,
  record: CallRecord,
  client: string,
): Promise<void> {
  const end = callEnd(exchange, parts);
  try {
    const rejection = await Promise.race([serve(exchange, parts, record, client, end.signal), end.late]);
    if (rejection !== undefined) {
      record.rejection = rejection;
      sendRejection(exchange, rejection, parts.metadataUrl);
    }
  } catch (error) {
    parts.log.error({ requestId: exchange.requestId, err: errorForLog(error) }, "a call failed in this server");
    record.rejection = { rejection: "internalError", reason: "a fault of this server" };
    sendRejection(exchange, record.rejection);
  } finally {
    end.release();
  }
}

/** Ends a call at its time limit. */
interface CallEnd {
  readonly signal: AbortSignal;
  /** Resolves if the call did not end after the signal was aborted. */
  readonly late: Promise<Rejection>;
  /**
   * Releases the timer and the listener. `AbortSignal.timeout` would keep each finished request in memory until its
   * timeout.
   */
  release(): void;
}

/** Aborts when the client disconnects, at the time limit of a call, and when the server shuts down. */
function callEnd(
  { response }: HttpExchange,
  { configuration, ending }: Pick<ToolRequestParts, "configuration" | "ending">,
): CallEnd {
  const controller = new AbortController();
  const { signal } = controller;
  const { promise: late, resolve } = Promise.withResolvers<Rejection>();
  let isOver = false;
  const abort = (): void => {
    if (signal.aborted) {
      return;
    }
    controller.abort();
    clearTimeout(timer);
    if (!isOver) {
      timer = setTimeout(() => resolve({ rejection: "callTooLong" }), abortGraceMilliseconds);
    }
  };
  let timer = setTimeout(abort, configuration.limits.callMilliseconds);
  // After the response was sent, there is nothing to abort, and aborting would create an error with a stack trace.
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
    signal,
    late,
    release: () => {
      isOver = true;
      clearTimeout(timer);
      ending.removeEventListener("abort", abort);
    },
  };
}

async function serve(
  exchange: HttpExchange,
  parts: ToolRequestParts,
  record: CallRecord,
  client: string,
  signal: AbortSignal,
): Promise<Rejection | undefined> {
  const { configuration, gate, shares, proxies } = parts;
  const { request } = exchange;
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
    respondToPreflight(exchange, "POST");
    return undefined;
  }
  if (request.method !== "POST") {
    return { rejection: "methodNotAllowed", allowed: "POST" };
  }
  const claims = await gate.authenticate(headerValues(request, "authorization"), client, signal);
  if (isRejection(claims)) {
    return claims;
  }
  record.claims = claims;
  const unused = await gate.checkUse(claims);
  if (unused !== undefined) {
    return unused;
  }
  const share = shares.enter(claims.subject, signal);
  if (isRejection(share)) {
    return share;
  }
  try {
    return await serveAdmitted(exchange, parts, { record, claims, share, signal });
  } finally {
    parts.unread.add(claims.subject, exchange.response, request.socket);
    share.end();
  }
}

interface AdmittedCall {
  readonly record: CallRecord;
  readonly claims: Claims;
  readonly share: CallShare;
  readonly signal: AbortSignal;
}

async function serveAdmitted(
  exchange: HttpExchange,
  { configuration, gate, tools, audit }: ToolRequestParts,
  { record, claims, share, signal }: AdmittedCall,
): Promise<Rejection | undefined> {
  const { request, response, requestId } = exchange;
  const { maximumBodyBytes } = configuration.limits;
  const body =
    (await share.admitRequest(announcedBytes(request, maximumBodyBytes))) ??
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
  // Only here, so that the first calls of a user share one check and one fetch.
  const late = await share.start();
  if (late !== undefined) {
    return late;
  }
  response.setHeader("x-request-id", requestId);
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  await turnFor(body.size);
  // Requests that are rejected, and calls that wait for others of the same user, need no further instance.
  audit.metrics.inFlight.inc();
  try {
    const report = await tools.handle({ request, response, body: members, caller, share, signal });
    if (report !== undefined) {
      record.report = report;
    }
  } finally {
    audit.metrics.inFlight.dec();
  }
  return undefined;
}

/** The protocol method for the log, or `other`. */
function methodOf(method: unknown): string {
  return typeof method === "string" && /^[a-zA-Z]+(?:\/[a-zA-Z_]+){0,3}$/.test(method) && method.length <= 64
    ? method
    : "other";
}

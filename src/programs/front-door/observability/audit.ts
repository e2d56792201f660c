import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { HttpExchange } from "../http/http-exchange.ts";
import { type MalformedRequest, malformedBodyOf } from "../http/malformed-requests.ts";
import { publicResponses, type Rejection, reasonOf } from "../http/rejections.ts";
import { plainAddress } from "../http/request-headers.ts";
import type { ToolReport } from "../mcp/tool-handler.ts";
import type { Claims } from "../token/claims.ts";
import type { Revocation } from "../token/revocations.ts";
import { personHash } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Traces } from "./traces.ts";

/** The data about a call that is collected until its end. */
export interface CallRecord {
  claims?: Claims;
  method?: string;
  rejection?: Rejection;
  report?: ToolReport;
  /** For /internal/revoke. */
  revocation?: Revocation;
  /** The method of a request that has no protocol method. */
  httpMethod?: string;
  /** The result of /internal/validate, whose caller has no identity. */
  verdict?: { readonly valid: boolean; readonly reason: string; readonly email: string; readonly slug: string };
}

export interface AuditParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly traces: Traces;
  /** The hash of a user's email address. */
  readonly hashOf: (email: string) => string;
}

/** Maximum number of cached hashes. */
const maxPeople = 2000;

/**
 * Creates the hash function for email addresses. With the same key, all instances compute the same hashes. Recent ones
 * are cached.
 */
export function createPersonHashes(key: string): AuditParts["hashOf"] {
  const hashes = new LRUCache<string, string>({ max: maxPeople });
  return (email) => {
    const known = hashes.get(email);
    if (known !== undefined) {
      return known;
    }
    const made = personHash(email, key);
    hashes.set(email, made);
    return made;
  };
}

/**
 * Writes one audit line and updates the metrics when the response has ended. The line contains the caller, the call,
 * and the result, but no arguments and no secrets.
 */
export function auditAfterResponse(
  { response, requestId }: HttpExchange,
  route: string,
  client: string,
  record: CallRecord,
  { log, metrics, hashOf }: AuditParts,
): void {
  const started = performance.now();
  response.once("close", () => {
    const { claims, rejection, report, method, httpMethod, verdict, revocation } = record;
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    const malformed = malformedBodyOf(response);
    const status = response.writableFinished ? response.statusCode : malformed?.status;
    metrics.requests.inc({ route, status: status ?? "cut" });
    metrics.requestSeconds.observe({ route }, milliseconds / 1000);
    if (rejection !== undefined) {
      metrics.refusals.inc({ reason: publicResponses[rejection.rejection].code });
    }
    if (rejection?.rejection === "overLimit") {
      metrics.rateLimited.inc({ limit: rejection.limit });
    }
    if (report !== undefined) {
      metrics.toolCalls.inc({ tool: report.tool, result: report.result });
      metrics.toolSeconds.observe({ tool: report.tool }, milliseconds / 1000);
    }
    log.info(
      {
        audit: route,
        requestId,
        client,
        ...(claims === undefined
          ? {}
          : {
              issuer: claims.issuer,
              subject: withoutAddress(claims.subject, hashOf),
              person: hashOf(claims.email),
            }),
        ...(claims?.tokenId === undefined ? {} : { tokenId: withoutAddress(claims.tokenId, hashOf) }),
        ...(verdict === undefined ? {} : { person: hashOf(verdict.email), slug: verdict.slug, verdict: verdict.valid }),
        ...(method === undefined ? {} : { method }),
        ...(httpMethod === undefined ? {} : { httpMethod }),
        ...(revocation === undefined ? {} : revoked(revocation, hashOf)),
        ...(report === undefined ? {} : { tool: report.tool }),
        outcome: malformed === undefined ? outcomeOf(record, status) : malformedOutcome,
        ...(status === undefined ? {} : { status }),
        milliseconds,
        ...(rejection === undefined ? {} : { reason: reasonOf(rejection) }),
        ...(verdict === undefined ? {} : { reason: verdict.reason }),
        ...(malformed === undefined ? {} : { reason: malformed.reason }),
      },
      "call",
    );
  });
}

const malformedOutcome = "malformed_request";

/** Writes an audit line for a message that never became a request, and updates the metrics. */
export function auditMalformed({ client, status, reason }: MalformedRequest, { log, metrics }: AuditParts): void {
  metrics.requests.inc({ route: "malformed", status: status ?? "cut" });
  log.info(
    {
      audit: "malformed",
      client: plainAddress(client),
      outcome: malformedOutcome,
      ...(status === undefined ? {} : { status }),
      reason,
    },
    "call",
  );
}

/** The kind of a revocation, and whose tokens it concerns, in the same form as in the lines of their calls. */
function revoked({ kind, value }: Revocation, hashOf: AuditParts["hashOf"]): Readonly<Record<string, string>> {
  switch (kind) {
    case "email":
      return { revoked: kind, person: hashOf(value) };
    case "subject":
    case "tokenId":
      return { revoked: kind, [kind]: withoutAddress(value, hashOf) };
  }
}

/** An `@`, also in its other widths, percent-encoded any number of times, or as a character reference. */
const atSign = /[@\uff20\ufe6b]|%(?:25)*40|&(?:#0*64|#x0*40|commat);/i;

/** An identifier, or its hash if it contains an email address in any spelling. */
function withoutAddress(identifier: string, hashOf: AuditParts["hashOf"]): string {
  return atSign.test(identifier) ? hashOf(identifier) : identifier;
}

function outcomeOf({ rejection, report }: CallRecord, status: number | undefined): string {
  if (status === undefined) {
    return "cut";
  }
  return rejection === undefined ? (report?.result ?? "answered") : publicResponses[rejection.rejection].code;
}

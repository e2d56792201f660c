import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { HttpExchange } from "../http/http-exchange.ts";
import { publicAnswers, type Rejection, reasonOf } from "../http/rejections.ts";
import type { ToolReport } from "../mcp/tool-handler.ts";
import type { Claims } from "../token/claims.ts";
import { personHash } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Traces } from "./traces.ts";

/** The data about a call that is collected until its end. */
export interface CallRecord {
  claims?: Claims;
  method?: string;
  rejection?: Rejection;
  report?: ToolReport;
  /** The kind of revocation, for /internal/revoke. */
  revoked?: string;
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
const mostPeople = 2000;

/**
 * Creates the hash function for email addresses. With the same key, all instances compute the same hashes. Recent ones
 * are cached.
 */
export function createPersonHashes(key: string): AuditParts["hashOf"] {
  const hashes = new LRUCache<string, string>({ max: mostPeople });
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
export function auditWhenAnswered(
  { response, requestId }: HttpExchange,
  route: string,
  client: string,
  record: CallRecord,
  { log, metrics, hashOf }: AuditParts,
): void {
  const started = performance.now();
  response.once("close", () => {
    const { claims, rejection, report, method, verdict, revoked } = record;
    const milliseconds = Math.round((performance.now() - started) * 10) / 10;
    const status = response.writableFinished ? response.statusCode : undefined;
    metrics.requests.inc({ route, status: status ?? "cut" });
    metrics.requestSeconds.observe({ route }, milliseconds / 1000);
    if (rejection !== undefined) {
      metrics.refusals.inc({ reason: publicAnswers[rejection.rejection].code });
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
          : { issuer: claims.issuer, subject: claims.subject, person: hashOf(claims.email) }),
        ...(claims?.tokenId === undefined ? {} : { tokenId: claims.tokenId }),
        ...(verdict === undefined ? {} : { person: hashOf(verdict.email), slug: verdict.slug, verdict: verdict.valid }),
        ...(method === undefined ? {} : { method }),
        ...(revoked === undefined ? {} : { revoked }),
        ...(report === undefined ? {} : { tool: report.tool }),
        outcome: outcomeOf(record, status),
        ...(status === undefined ? {} : { status }),
        milliseconds,
        ...(rejection === undefined ? {} : { reason: reasonOf(rejection) }),
        ...(verdict === undefined ? {} : { reason: verdict.reason }),
      },
      "call",
    );
  });
}

function outcomeOf({ rejection, report }: CallRecord, status: number | undefined): string {
  if (status === undefined) {
    return "cut";
  }
  return rejection === undefined ? (report?.result ?? "answered") : publicAnswers[rejection.rejection].code;
}

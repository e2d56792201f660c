import type { Configuration } from "../config/configuration.ts";
import { type AuditParts, auditAfterResponse, type CallRecord } from "../observability/audit.ts";
import { type Revocations, revocationOf } from "../token/revocations.ts";
import { readJsonBody } from "./bodies.ts";
import { type HttpExchange, sendJson, sendRejection } from "./http-exchange.ts";
import type { InternalSecretGuard } from "./internal-secret.ts";
import { isRejection, type Rejection } from "./rejections.ts";
import type { TrustedProxies } from "./request-headers.ts";

interface RevocationRequestParts {
  readonly configuration: Configuration;
  readonly revocations: Revocations;
  readonly guard: InternalSecretGuard;
  readonly proxies: TrustedProxies;
  readonly audit: AuditParts;
}

const maxBytes = 4096;

/**
 * Handles POST /internal/revoke, which requires the internal secret. The response is `true` after the revocation is
 * stored for all instances. Has no rate limit, because many users may have to be revoked at once.
 */
export async function respondToRevocation(exchange: HttpExchange, parts: RevocationRequestParts): Promise<void> {
  const record: CallRecord = {};
  auditAfterResponse(exchange, "/internal/revoke", parts.proxies.clientIn(exchange.request), record, parts.audit);
  await parts.audit.traces.request(exchange, "/internal/revoke", record, async () => {
    const rejection = await revoke(exchange, parts, record);
    if (rejection === undefined) {
      sendJson(exchange, 200, "true");
    } else {
      record.rejection = rejection;
      sendRejection(exchange, rejection);
    }
  });
}

async function revoke(
  { request }: HttpExchange,
  { configuration, revocations, guard }: RevocationRequestParts,
  record: CallRecord,
): Promise<Rejection | undefined> {
  const stranger = await guard.check(request);
  if (stranger !== undefined) {
    return stranger;
  }
  const body = await readJsonBody(request, maxBytes, AbortSignal.timeout(configuration.limits.requestMilliseconds));
  if (isRejection(body)) {
    return body;
  }
  const revocation = revocationOf(body.value, configuration.token);
  if (revocation === undefined) {
    return { rejection: "invalidRequest", reason: "the body has not exactly one of tokenId, subject, and email" };
  }
  record.revocation = revocation;
  return revocations.revoke(revocation);
}

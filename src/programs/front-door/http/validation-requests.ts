import { createHash, timingSafeEqual } from "node:crypto";
import { type ValidationParts, type Verdict, validate, validationOf } from "../credential/validation.ts";
import { type AuditParts, auditWhenAnswered, type CallRecord } from "../observability/audit.ts";
import { readJsonBody } from "./bodies.ts";
import { type HttpExchange, sendJson, sendRejection } from "./http-exchange.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { isRejection, type Rejection } from "./rejections.ts";

interface ValidationRequestParts extends ValidationParts {
  readonly audit: AuditParts;
  /** Milliseconds of a clock that never jumps. */
  readonly monotonic: () => number;
}

const mostBytes = 4096;
/** The internal service calls for all people. */
const everybody = "";

/** Answers POST /internal/validate (API description, 4.8): guarded by the secret alone, answered by a boolean alone. */
export class ValidationRequests {
  readonly #parts: ValidationRequestParts;
  readonly #rate: RateLimiter;
  /** Guesses have a limit of their own: whoever guesses takes nothing from who knows. */
  readonly #guessRate: RateLimiter;

  constructor(parts: ValidationRequestParts) {
    const { validationsPerMinute } = parts.configuration.limits;
    this.#parts = parts;
    this.#rate = new RateLimiter("validations", validationsPerMinute, parts.monotonic);
    this.#guessRate = new RateLimiter("wrong secrets", validationsPerMinute, parts.monotonic);
  }

  async answer(exchange: HttpExchange): Promise<void> {
    const record: CallRecord = {};
    const client = exchange.request.socket.remoteAddress ?? "";
    auditWhenAnswered(exchange, "/internal/validate", client, record, this.#parts.audit);
    const verdict = await this.#verdict(exchange, record);
    if (isRejection(verdict)) {
      record.rejection = verdict;
      sendRejection(exchange, verdict);
    } else {
      this.#parts.audit.metrics.validations.inc({ verdict: verdict.valid ? "valid" : "invalid" });
      sendJson(exchange, 200, verdict.valid ? "true" : "false");
    }
  }

  async #verdict({ request }: HttpExchange, record: CallRecord): Promise<Verdict | Rejection> {
    const { configuration } = this.#parts;
    if (!isInternalSecret(request.headersDistinct["x-webui-secret"], configuration.internal.secrets)) {
      return this.#guessRate.count(everybody) ?? { rejection: "wrongSecret" };
    }
    const overLimit = this.#rate.count(everybody);
    if (overLimit !== undefined) {
      return overLimit;
    }
    const time = AbortSignal.timeout(configuration.limits.requestMilliseconds);
    const body = await readJsonBody(request, mostBytes, time);
    if (isRejection(body)) {
      return body;
    }
    const validation = validationOf(body.value, configuration);
    if (validation === undefined) {
      return {
        rejection: "invalidRequest",
        reason: "the body is not {email, slug}, and tenant with a slug of its own where one is needed",
      };
    }
    const verdict = await validate(validation, this.#parts);
    record.verdict = { ...verdict, ...validation.name };
    return verdict;
  }
}

/** True when the header is there once and is one of the secrets; takes the same time for each wrong one. */
function isInternalSecret(headers: readonly string[] | undefined, secrets: readonly string[]): boolean {
  const [given = ""] = headers ?? [];
  const digest = createHash("sha256").update(given).digest();
  const matches = secrets.map((secret) => timingSafeEqual(digest, createHash("sha256").update(secret).digest()));
  return headers?.length === 1 && matches.includes(true);
}

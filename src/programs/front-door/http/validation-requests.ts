import { type ValidationParts, type Verdict, validate, validationOf } from "../credential/validation.ts";
import { type AuditParts, auditAfterResponse, type CallRecord } from "../observability/audit.ts";
import type { StateStore } from "../shared-state/state-store.ts";
import type { Shares } from "../shares/shares.ts";
import { readJsonBody } from "./bodies.ts";
import { type HttpExchange, sendJson, sendRejection } from "./http-exchange.ts";
import { everybody, type InternalSecretGuard } from "./internal-secret.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { isRejection, type Rejection } from "./rejections.ts";
import type { TrustedProxies } from "./request-headers.ts";

interface ValidationRequestParts extends ValidationParts {
  readonly audit: AuditParts;
  readonly guard: InternalSecretGuard;
  readonly shares: Shares;
  readonly proxies: TrustedProxies;
  readonly state: Pick<StateStore, "count">;
  /** A monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
}

const maxBytes = 4096;

/**
 * Handles POST /internal/validate (API description, 4.8). Requires only the internal secret. The response is a boolean.
 */
export class ValidationRequests {
  readonly #parts: ValidationRequestParts;
  readonly #rate: RateLimiter;

  constructor(parts: ValidationRequestParts) {
    const { configuration, state, monotonic } = parts;
    this.#parts = parts;
    const { validationsPerMinute } = configuration.limits;
    this.#rate = new RateLimiter({ name: "validations", maxPerMinute: validationsPerMinute }, state, monotonic);
  }

  async handle(exchange: HttpExchange): Promise<void> {
    const record: CallRecord = {};
    const client = this.#parts.proxies.clientIn(exchange.request);
    auditAfterResponse(exchange, "/internal/validate", client, record, this.#parts.audit);
    const { traces } = this.#parts.audit;
    await traces.request(exchange, "/internal/validate", record, () => this.#handle(exchange, record));
  }

  async #handle(exchange: HttpExchange, record: CallRecord): Promise<void> {
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
    const { configuration, guard, shares } = this.#parts;
    const unfit = (await guard.check(request)) ?? (await this.#rate.count(everybody));
    if (unfit !== undefined) {
      return unfit;
    }
    const time = AbortSignal.timeout(configuration.limits.requestMilliseconds);
    const body = await readJsonBody(request, maxBytes, time);
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
    const share = shares.enter(everybody, AbortSignal.timeout(configuration.limits.callMilliseconds));
    if (isRejection(share)) {
      return share;
    }
    try {
      const late = await share.start();
      if (late !== undefined) {
        return late;
      }
      const transport = share.limited(this.#parts.transport);
      const verdict = await validate(validation, { ...this.#parts, transport });
      record.verdict = { ...verdict, ...validation.name };
      return verdict;
    } finally {
      share.end();
    }
  }
}

import {
  isInternalSecret,
  type ValidationParts,
  type Verdict,
  validate,
  validationOf,
} from "../credential/validation.ts";
import { type AuditParts, auditWhenAnswered, type CallRecord } from "../observability/audit.ts";
import { readJsonBody } from "./bodies.ts";
import { type Exchange, sendJson, sendRefusal } from "./http-exchange.ts";
import { RequestRate } from "./rate-limiter.ts";
import { isRefusal, type Refusal } from "./rejections.ts";

export interface ValidationRequestParts extends ValidationParts {
  readonly audit: AuditParts;
}

const mostBytes = 4096;
/** The internal service calls for all people. */
const everybody = "";

/** Answers POST /internal/validate (API description, 4.8): guarded by the secret alone, answered by a boolean alone. */
export class ValidationRequests {
  readonly #parts: ValidationRequestParts;
  readonly #rate: RequestRate;
  /** Guesses have a limit of their own: whoever guesses takes nothing from who knows. */
  readonly #guessRate: RequestRate;

  constructor(parts: ValidationRequestParts) {
    const { validationsPerMinute } = parts.configuration.limits;
    this.#parts = parts;
    this.#rate = new RequestRate("validations", validationsPerMinute);
    this.#guessRate = new RequestRate("wrong secrets", validationsPerMinute);
  }

  async answer(exchange: Exchange): Promise<void> {
    const record: CallRecord = {};
    const client = exchange.request.socket.remoteAddress ?? "";
    auditWhenAnswered(exchange, "/internal/validate", client, record, this.#parts.audit);
    const verdict = await this.#verdict(exchange, record);
    if (isRefusal(verdict)) {
      record.refusal = verdict;
      sendRefusal(exchange, verdict);
    } else {
      this.#parts.audit.metrics.validations.inc({ verdict: verdict.valid ? "valid" : "invalid" });
      sendJson(exchange, 200, verdict.valid ? "true" : "false");
    }
  }

  async #verdict({ request }: Exchange, record: CallRecord): Promise<Verdict | Refusal> {
    const { configuration } = this.#parts;
    if (!isInternalSecret(request.headersDistinct["x-webui-secret"], configuration.internal.secrets)) {
      return this.#guessRate.count(everybody) ?? { refusal: "wrongSecret" };
    }
    const overLimit = this.#rate.count(everybody);
    if (overLimit !== undefined) {
      return overLimit;
    }
    const time = AbortSignal.timeout(configuration.limits.requestMilliseconds);
    const body = await readJsonBody(request, mostBytes, time);
    if (isRefusal(body)) {
      return body;
    }
    const validation = validationOf(body.value, configuration.platform.baseUrl);
    if (validation === undefined) {
      return { refusal: "invalidRequest", reason: "the body is not {email, slug}, and tenant where one is needed" };
    }
    const verdict = await validate(validation, this.#parts);
    record.verdict = { ...verdict, ...validation.name };
    return verdict;
  }
}

import { randomInt } from "node:crypto";
import { STATUS_CODES } from "node:http";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** An answer other than success in the form of the platform's older services. */
export class PlatformError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** The body; `toe` is the trace that support asks for. */
  body(): Record<string, unknown> {
    return {
      status: this.status,
      statusReason: STATUS_CODES[this.status] ?? "Unknown",
      message: this.message,
      toe: traceIdentifier(),
    };
  }
}

/** An answer other than success in the form of the platform's newer services, with a code. */
export class CodedPlatformError extends PlatformError {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>>) {
    super(status, message);
    this.code = code;
    this.details = details;
  }

  override body(): Record<string, unknown> {
    return {
      errorCode: this.code,
      message: this.message,
      localizedMessage: this.message,
      responseStatus: this.status,
      details: this.details,
    };
  }
}

function traceIdentifier(): string {
  return [10, 5, 5]
    .map((length) => Array.from({ length }, () => letters[randomInt(letters.length)]).join(""))
    .join("-");
}

import { randomInt } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Dialect } from "../../../api/http/dialects.ts";
import type { StateFile } from "../state.ts";
import type { Workspaces } from "../workspaces.ts";

/** The address and the dialect for a response. */
export interface Wire {
  readonly dialect: Dialect;
  /** The tenant's address, without a trailing slash. */
  readonly origin: string;
}

/** A request to the platform that passed the token check and whose body has the operation's shape. */
export interface PlatformCall {
  readonly workspaces: Workspaces;
  readonly file: StateFile;
  readonly wire: Wire;
  readonly parameters: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** A success: JSON with 200, 204 without a body, or a response that is not JSON. */
export type PlatformResponse =
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: 204 }
  | { readonly status: number; readonly contentType: string; readonly bytes: Uint8Array };

export type PlatformHandler = (call: PlatformCall) => Promise<PlatformResponse>;

export type Fields = Readonly<Record<string, unknown>>;

export function ok(body: unknown): PlatformResponse {
  return { status: 200, body };
}

/** The members of an object in a body; none for other values. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** An error response in the format of the platform's older services. */
export class ErrorResponse extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  /** The body; `toe` is the trace id for support. */
  body(): Record<string, unknown> {
    return {
      status: this.status,
      statusReason: STATUS_CODES[this.status] ?? "Unknown",
      message: this.message,
      toe: traceIdentifier(),
    };
  }
}

/** An error response in the format of the platform's newer services, with a code. */
export class CodedErrorResponse extends ErrorResponse {
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

import * as z from "zod/mini";
import { encodeContentPath, encodeSegment, InputError, normalizeContentPath } from "../catalogue/content-path.ts";
import { JsonText } from "../catalogue/models/contents.ts";
import type { AnswerOf, AnyOperation, InputOf } from "../catalogue/operation.ts";
import type { CredentialKind, CredentialOf } from "../http/credentials.ts";
import { bodyOnWire, type Dialect, type HeaderTemplate, pathTemplateOf } from "../http/dialects.ts";
import type { BodyReceiver, DispatchAnswer } from "../http/dispatch.ts";
import type { PlatformError, ResponseSnapshot } from "../http/errors.ts";
import { type Log, silentLog } from "../http/log.ts";
import type { Transport } from "../http/transport.ts";
import { TransportError } from "../http/transport-errors.ts";
import { answerFailure, bodyTextFailure, operationFailure, snapshot, transportFailure } from "./answer-failures.ts";

/** Where calls of one credential kind go: a tenant's address, or a content server's with its `/user/…/` prefix. */
export interface Destination<Kind extends CredentialKind> {
  readonly kind: Kind;
  readonly base: URL;
  readonly dialect: Dialect;
  readonly credential: CredentialOf<Kind>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Bytes of the answer that have come, and of all of it where the server tells. */
  readonly onReceived?: (bytes: number, total?: number) => void;
  /** Where the body of a successful answer of bytes goes part by part, in place of being the answer. */
  readonly receiver?: BodyReceiver;
  /** The ETag of what is known already: the server answers 304 without a body when it still has the same. */
  readonly ifNoneMatch?: string;
  /** The answer as it came, before it is checked; `call` alone tells it. */
  readonly onAnswered?: (answer: RawAnswer) => void;
}

/** What would be sent for an input: everything but the credential, which goes where `header` has `{token}`. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: URL;
  readonly header: HeaderTemplate;
  /** JSON text. */
  readonly body: string | undefined;
}

/** The answer as it came (the description's `return_raw`): no status is an error, nothing is checked. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const webPage = "the server answered with a web page";

type OperationOf<Kind extends CredentialKind> = AnyOperation & { readonly credential: Kind };

/** Runs operations against one destination: path, query, body check, send, answer check, error kind. */
export class Client<Kind extends CredentialKind> {
  readonly #destination: Destination<Kind>;
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #reported = new Set<string>();

  constructor(destination: Destination<Kind>, transport: Transport, log: Log = silentLog) {
    this.#destination = destination;
    this.#transport = transport;
    this.#log = log;
  }

  /**
   * Runs an operation and gives its answer. Throws a PlatformError of the kind that the operation declares for the
   * status, of kind `request` for input that is refused before anything is sent.
   */
  async call<O extends OperationOf<Kind>>(
    operation: O,
    input: InputOf<O>,
    options: CallOptions = {},
  ): Promise<AnswerOf<O>> {
    const named = this.#named(operation);
    const answer = await this.#send(named, input, options);
    options.onAnswered?.(answer);
    const { beginning = answer.body } = (answer.received === undefined ? undefined : options.receiver) ?? {};
    const response = snapshot({ ...answer, body: beginning }, this.#destination.credential, operation.confidential);
    if (answer.status < 200 || answer.status > 299) {
      throw answerFailure(named, input, answer, response);
    }
    return this.#checkedAnswer(named, input, answer, response) as AnswerOf<O>;
  }

  /** Runs an operation and gives its answer as it came; only what prevents an answer is an error. */
  async raw<O extends OperationOf<Kind>>(
    operation: O,
    input: InputOf<O>,
    options: CallOptions = {},
  ): Promise<RawAnswer> {
    return this.#send(this.#named(operation), input, options);
  }

  /** Checks an input as `call` does, and sends nothing. Throws a PlatformError of kind `request`. */
  prepare<O extends OperationOf<Kind>>(operation: O, input: InputOf<O>): PreparedRequest {
    return this.#prepare(this.#named(operation), input);
  }

  /** Address and headers for a WebSocket at a path below the destination. The headers have the credential in them. */
  socketTo(path: string): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
    const { base, credential, dialect } = this.#destination;
    if (base.origin !== credential.origin) {
      throw new InputError("origin", `its credential was confirmed for ${credential.origin}`);
    }
    const url = new URL(path, base.href.endsWith("/") ? base : `${base.href}/`);
    url.protocol = base.protocol === "https:" ? "wss:" : "ws:";
    const { name, template } = dialect.headers[credential.kind];
    return { url, headers: { [name]: template.replace("{token}", () => credential.reveal()) } };
  }

  /** The operation with the sentence of its failures: an error of kind `route` names method and path. */
  #named(operation: AnyOperation): AnyOperation {
    if (operation.errors.otherwise.kind !== "route") {
      return operation;
    }
    const path = pathTemplateOf(operation, this.#destination.dialect);
    return { ...operation, failure: `${operation.failure} (${operation.method} ${path})` };
  }

  #prepare(operation: AnyOperation, input: object): PreparedRequest {
    const { credential, dialect } = this.#destination;
    if (operation.credential !== credential.kind) {
      throw operationFailure(operation, input, {
        kind: "request",
        cause: { type: "credential", expected: operation.credential },
        reason: `it takes the ${operation.credential} credential, and was given the ${credential.kind} one`,
      });
    }
    const fields = input as Readonly<Record<string, unknown>>;
    const body = this.#checkedBody(operation, fields);
    const url = this.#address(operation, fields);
    return { method: operation.method, url, header: dialect.headers[credential.kind], body };
  }

  async #send(operation: AnyOperation, input: object, options: CallOptions): Promise<DispatchAnswer> {
    const { method, url, header, body } = this.#prepare(operation, input);
    try {
      return await this.#transport.send({
        method,
        url,
        credential: this.#destination.credential,
        header,
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(operation.answerFormat === "bytes" ? { accept: "*/*" } : {}),
          ...(options.ifNoneMatch === undefined ? {} : { "if-none-match": options.ifNoneMatch }),
        },
        body,
        repeat: operation.method === "GET" || operation.effect === "read" ? "repeatable" : "once",
        timeLimit: operation.timeLimit,
        transfer: operation.transfer,
        signal: options.signal,
        confidential: operation.confidential !== undefined,
        ...(options.onReceived === undefined ? {} : { onReceived: options.onReceived }),
        ...(options.receiver === undefined ? {} : { receiver: options.receiver }),
      });
    } catch (error) {
      if (error instanceof TransportError) {
        throw transportFailure(operation, input, error.failure, url);
      }
      throw error;
    }
  }

  #address(operation: AnyOperation, fields: Readonly<Record<string, unknown>>): URL {
    const { base, dialect } = this.#destination;
    const path = pathTemplateOf(operation, dialect);
    const filled = this.#refusing(operation, fields, () =>
      path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
        const given = fields[name];
        if (given === undefined && z.safeParse(operation.pathParameters[name] ?? z.undefined(), given).success) {
          throw new InputError(name, "the address on this platform has it in it, so it must be given");
        }
        const isContentPath = rest !== "";
        const value = isContentPath && typeof given === "string" ? normalizeContentPath(given, name) : given;
        const text = String(checked(operation.pathParameters[name], value, name));
        return isContentPath ? encodeContentPath(text, name) : encodeSegment(text, name);
      }),
    );
    const root = base.pathname.endsWith("/") ? base.pathname : `${base.pathname}/`;
    const url = new URL(base);
    url.pathname = root + filled.replace(/^\//, "").replace(/\/\//g, "/").replace(/\/$/, "");
    this.#refusing(operation, fields, () => {
      for (const [name, shape] of Object.entries(operation.pathParameters)) {
        if (!path.includes(`{${name}`)) {
          checked(shape, fields[name], name);
        }
      }
      for (const [name, shape] of Object.entries(operation.queryParameters)) {
        const value = checked(shape, fields[name], name);
        if (value !== undefined) {
          url.searchParams.set(name, String(value));
        }
      }
    });
    return url;
  }

  #checkedBody(operation: AnyOperation, fields: Readonly<Record<string, unknown>>): string | undefined {
    const value = this.#refusing(operation, fields, () => checked(operation.body, fields.body, "body"));
    return value === undefined ? undefined : jsonWithTexts(bodyOnWire(operation, value, this.#destination.dialect));
  }

  #refusing<T>(operation: AnyOperation, fields: object, build: () => T): T {
    try {
      return build();
    } catch (error) {
      if (error instanceof InputError) {
        throw operationFailure(operation, fields, {
          kind: "request",
          cause: { type: "input", field: error.field },
          reason: `${error.field}: ${error.message}`,
        });
      }
      throw error;
    }
  }

  #checkedAnswer(
    operation: AnyOperation,
    input: object,
    answer: DispatchAnswer,
    response: () => ResponseSnapshot,
  ): unknown {
    const refuse = (cause: PlatformError["failureCause"], reason: string, remedy?: string): PlatformError =>
      operationFailure(operation, input, {
        kind: operation.errors.otherwise.kind,
        cause,
        reason,
        response: response(),
        ...(remedy === undefined ? {} : { remedy }),
      });
    const contentType = answer.headers["content-type"] ?? "no content type";
    const notJson = (reason: string): PlatformError =>
      refuse(
        { type: "notJson", status: answer.status, contentType },
        reason,
        "Check the address, and whether a proxy or a sign-in page stands in between.",
      );
    if (operation.answerFormat === "bytes") {
      const told = bodyTextFailure(operation, input, response(), operation.errors.otherwise.kind);
      if (told !== undefined || /html/i.test(contentType)) {
        throw told ?? notJson(webPage);
      }
      return answer.body;
    }
    const text = new TextDecoder().decode(answer.body);
    let value: unknown;
    try {
      value = text.trim() === "" ? undefined : JSON.parse(text);
    } catch {
      const isPage = /html/i.test(contentType) || text.trimStart().startsWith("<");
      if (!isPage && z.safeParse(operation.answer, text).success) {
        return text;
      }
      throw notJson(isPage ? webPage : "the server's answer is no JSON");
    }
    const parsed = z.safeParse(operation.answer, value);
    if (parsed.success) {
      return parsed.data;
    }
    const issues = parsed.error.issues.flatMap(nearestIssues);
    const wrong = issues.map((issue) => issue.path.map(String).join("."));
    const tolerated = z.safeParse(operation.answer, withoutFields(value, issues));
    if (!tolerated.success) {
      throw refuse(
        { type: "unexpectedAnswer", fields: wrong },
        `the server's answer lacks what it must have (${wrong.slice(0, 3).join(", ") || "another shape"})`,
      );
    }
    for (const field of wrong) {
      const key = `${operation.id} ${field.replace(/\d+/g, "#")}`;
      if (!this.#reported.has(key)) {
        this.#reported.add(key);
        this.#log.warn(`${operation.id}: the field ${field} of the answer has another type than described`);
      }
    }
    return value;
  }
}

export type PlatformClient = Client<"platform">;
export type ContentClient = Client<"notebook">;
/** Sends operations to a content server, which may move between two calls. */
export type ContentCaller = Pick<ContentClient, "call">;
/** Reads from a content server, which may move between two calls. */
export type ContentReader = Pick<ContentClient, "call" | "raw">;

function checked(shape: z.ZodMiniType | undefined, value: unknown, field: string): unknown {
  if (shape === undefined) {
    throw new InputError(field, "the operation has no such parameter");
  }
  const parsed = z.safeParse(shape, value);
  if (!parsed.success) {
    const issue = parsed.error.issues.flatMap(nearestIssues)[0];
    const where = [field, ...(issue?.path ?? []).map(String)].join(".");
    throw new InputError(where, issue === undefined ? "it is not valid" : describeIssue(issue));
  }
  return parsed.data;
}

/** The issue; for a union the issues of the member that comes nearest: wrong somewhere within, and not as a whole. */
function nearestIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") {
    return [issue];
  }
  const [nearest] = issue.errors
    .filter((issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0))
    .toSorted((left, right) => left.length - right.length);
  return nearest === undefined
    ? [issue]
    : nearest.flatMap(nearestIssues).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `it must be of type ${issue.expected}`;
    case "invalid_value":
      return `it must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "it must not be empty" : `it must be at least ${issue.minimum}`;
    case "too_big":
      return `it must be at most ${issue.maximum}`;
    case "unrecognized_keys":
      return `it has the unknown fields ${issue.keys.join(", ")}`;
    default:
      return issue.message === "" || issue.message === "Invalid input"
        ? "it is not of a form that it takes"
        : issue.message;
  }
}

/** A copy of the value without the fields that the issues name: what is left must still be a valid answer. */
function withoutFields(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    let holder: unknown = copy;
    for (const key of issue.path.slice(0, -1)) {
      holder = isRecord(holder) ? holder[String(key)] : undefined;
    }
    const last = issue.path.at(-1);
    if (isRecord(holder) && last !== undefined) {
      delete holder[String(last)];
    }
  }
  return copy;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** JSON of a body in which every JsonText stands as its own text, unparsed. */
function jsonWithTexts(body: unknown): string {
  const texts: string[] = [];
  const mark = crypto.randomUUID();
  const json = JSON.stringify(body, (_, value: unknown) => {
    if (value instanceof JsonText) {
      texts.push(value.text);
      return `${mark}${texts.length - 1}`;
    }
    return value;
  });
  return texts.reduce((filled, text, index) => filled.replace(`"${mark}${index}"`, () => text), json);
}

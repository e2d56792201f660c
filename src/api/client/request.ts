import * as z from "zod/mini";
import { encodeContentPath, encodeSegment, InputError, normalizeContentPath } from "../catalogue/content-path.ts";
import { JsonText } from "../catalogue/models/contents.ts";
import { type AnyOperation, acceptsQuery } from "../catalogue/operation.ts";
import type { CredentialKind, CredentialOf } from "../http/credentials.ts";
import { bodyOnWire, type Dialect, type HeaderTemplate, pathTemplateOf } from "../http/dialects.ts";
import type { ResponseLimits } from "../http/response-limits.ts";
import { phrase } from "../phrase.ts";
import { invalidInput, operationError } from "./operation-errors.ts";
import { describeIssue, nearestIssues } from "./shape-issues.ts";

/**
 * The destination of calls with one credential: a tenant's address, or a content server's with its `/user/…/` prefix.
 */
export interface Destination<Kind extends CredentialKind> {
  readonly kind: Kind;
  readonly base: URL;
  readonly dialect: Dialect;
  readonly credential: CredentialOf<Kind>;
  /** The limits that apply to each response. */
  readonly limits: ResponseLimits;
}

/** A request without its credential, which replaces `{token}` in the value of `header`. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: URL;
  readonly header: HeaderTemplate;
  /** The body as JSON text. */
  readonly body: string | undefined;
}

type AnyDestination = Pick<Destination<CredentialKind>, "base" | "credential" | "dialect">;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Prepares the request for an input. Throws a PlatformError of kind `request` if the input is invalid, or if the
 * operation needs another kind of credential.
 */
export function prepareRequest(operation: AnyOperation, input: object, destination: AnyDestination): PreparedRequest {
  const { credential, dialect } = destination;
  if (operation.credential !== credential.kind) {
    throw operationError(operation, input, {
      kind: "request",
      cause: { type: "credential", expected: operation.credential },
      reason: phrase`it requires the ${operation.credential} credential, but got the ${credential.kind} credential`,
    });
  }
  const fields = input as Fields;
  const body = checkedBody(operation, fields, dialect);
  const url = addressOf(operation, fields, destination);
  return { method: operation.method, url, header: dialect.headers[credential.kind], body };
}

function addressOf(operation: AnyOperation, fields: Fields, { base, dialect }: AnyDestination): URL {
  const path = pathTemplateOf(operation, dialect);
  const filled = withInputErrors(operation, fields, () =>
    path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
      const given = fields[name];
      if (given === undefined && z.safeParse(operation.pathParameters[name] ?? z.undefined(), given).success) {
        throw new InputError(name, phrase`it is part of the address on this platform, so it is required`);
      }
      const isContentPath = rest !== "";
      checkLength(given, name);
      const value = isContentPath && typeof given === "string" ? normalizeContentPath(given, name) : given;
      const text = String(checked(operation.pathParameters[name], value, name));
      return isContentPath ? encodeContentPath(text, name) : encodeSegment(text, name);
    }),
  );
  const root = base.pathname.endsWith("/") ? base.pathname : `${base.pathname}/`;
  const url = new URL(base);
  url.pathname = root + filled.replace(/^\//, "").replace(/\/\//g, "/").replace(/\/$/, "");
  withInputErrors(operation, fields, () => {
    for (const [name, shape] of Object.entries(operation.pathParameters)) {
      if (!path.includes(`{${name}`)) {
        checked(shape, fields[name], name);
      }
    }
    for (const [name, shape] of Object.entries(operation.queryParameters)) {
      checkLength(fields[name], name);
      const value = checked(shape, fields[name], name);
      if (value !== undefined && !acceptsQuery(operation, name, dialect)) {
        throw new InputError(
          name,
          phrase`the API description has no such query parameter, so it can't be sent to this platform`,
        );
      }
      if (value !== undefined) {
        url.searchParams.set(name, String(value));
      }
    }
  });
  return url;
}

/** Maximum length of a parameter in a URL, in characters. Servers reject much shorter URLs. */
const maxParameterLength = 16_000;

function checkLength(value: unknown, field: string): void {
  if (typeof value === "string" && value.length > maxParameterLength) {
    throw new InputError(field, phrase`it must be at most ${maxParameterLength} characters long`);
  }
}

function checkedBody(operation: AnyOperation, fields: Fields, dialect: Dialect): string | undefined {
  const value = withInputErrors(operation, fields, () => checked(operation.body, fields.body, "body"));
  const defaults = dialect.bodyDefaults[operation.id];
  const sent =
    operation.sendsBodyAsGiven === true
      ? fields.body
      : defaults !== undefined && typeof value === "object" && value !== null
        ? { ...defaults, ...value }
        : value;
  return sent === undefined ? undefined : jsonWithTexts(bodyOnWire(operation, sent, dialect));
}

/** Runs a check of the input, and converts an InputError to an error of the operation. */
function withInputErrors<T>(operation: AnyOperation, fields: object, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (error instanceof InputError) {
      throw invalidInput(operation, fields, error.field, error.text);
    }
    throw error;
  }
}

function checked(shape: z.ZodMiniType | undefined, value: unknown, field: string): unknown {
  if (shape === undefined) {
    throw new InputError(field, phrase`the operation has no such parameter`);
  }
  const parsed = z.safeParse(shape, value);
  if (!parsed.success) {
    const issue = parsed.error.issues.flatMap(nearestIssues)[0];
    const where = [field, ...(issue?.path ?? []).map(String)].join(".");
    throw new InputError(where, issue === undefined ? phrase`it isn't valid` : describeIssue(issue));
  }
  return parsed.data;
}

/** Serializes a body. Inserts each JsonText without parsing it. */
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

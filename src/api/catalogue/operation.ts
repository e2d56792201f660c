import type * as z from "zod/mini";
import type { CredentialKind } from "../http/credentials.ts";
import type { Dialect } from "../http/dialects.ts";
import type { ErrorKind } from "../http/errors.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How to report a failure of an operation with a specific status (API description, 7). */
export interface ErrorRule {
  readonly kind: ErrorKind;
  /** The operation word of section 7. */
  readonly word?: string;
  /** What the user can do. Follows the reason in the message. */
  readonly remedy?: string;
}

/**
 * An operation's effect on the platform. `change` adds something and loses nothing. `grant` gives someone access, and
 * removes none. `run` runs something that can do anything. `destroy` removes or replaces something, including access and
 * settings, or stops something.
 */
export type Effect = "read" | "change" | "grant" | "run" | "destroy";

/** True for effects that require a confirmation that names what is affected. */
export function mustBeConfirmed(effect: Effect): boolean {
  return effect === "grant" || effect === "run" || effect === "destroy";
}

/**
 * How an operation's response is paged: `offset` by two query parameters, `body` by two members of the body (or of its
 * member `within`). The response is the list, or an object that contains it. Offsets are 0-based and count items.
 * `pageSize` is the default number of items per request.
 */
type Paging =
  | { readonly style: "offset"; readonly limit: string; readonly offset: string; readonly pageSize: number }
  | {
      readonly style: "body";
      readonly limit: string;
      readonly offset: string;
      readonly pageSize: number;
      readonly within?: string;
    };

type Fields = Readonly<Record<string, z.ZodMiniType>>;

/**
 * An endpoint of the API. In the path template, `{name}` is a path parameter with one segment, `{name*}` a content path
 * with any number of segments, and `<name>` a part of the dialect.
 */
export interface Operation<
  Id extends string = string,
  Kind extends CredentialKind = CredentialKind,
  Path extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends z.ZodMiniType = z.ZodMiniType,
  ResponseSchema extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly id: Id;
  /** The section of the API description; `beyond` for operations that only public sources describe with a path. */
  readonly section: string;
  readonly summary: string;
  readonly method: Method;
  readonly path: string;
  readonly pathParameters: Path;
  readonly queryParameters: Query;
  /**
   * Names of query parameters that are not in the API description. Sent only to platforms that are known to accept
   * them.
   */
  readonly undescribedQuery?: readonly string[];
  /**
   * The body member that must contain the id of the signed-in user; undefined if the body does not belong to a user.
   */
  readonly signedInUserMember?: (body: unknown) => string | undefined;
  /** The operation that returns the signed-in user, for an operation with a `signedInUserMember`. */
  readonly signedInUser?: AnyOperation;
  /** `z.undefined()` for an operation without a body. */
  readonly body: Body;
  /** True if a complete body from the caller is sent unchanged, including the order of its members. */
  readonly sendsBodyAsGiven?: true;
  /** True if requests to the same URL are serialized, in the order of the calls. */
  readonly isSerial?: true;
  readonly response: ResponseSchema;
  readonly credential: Kind;
  readonly effect: Effect;
  /**
   * A message with parameters in braces, such as `Cannot read {path}`. An empty content path becomes
   * `the workspace root`.
   */
  readonly failure: string;
  /** The method and path for the messages of `route` errors; undefined for other operations. */
  readonly route?: string;
  /** The entity identifier for errors, with parameters in braces. */
  readonly entity: string;
  /** Replaces the operation word of the error rules if the body has the type `directory`. */
  readonly folderWord?: string;
  readonly errors: { readonly otherwise: ErrorRule } & Readonly<Partial<Record<number, ErrorRule>>>;
  /** Time limit of the call in milliseconds. For a transfer, the time without progress. */
  readonly timeLimitMs: number;
  /** True if the duration depends on the amount of data. */
  readonly transfer: boolean;
  /** Absent if the response is not paged. */
  readonly paging?: Paging;
  /** `bytes`: the response is not parsed; a `Uint8Array`, or a stream for a receiver. */
  readonly responseFormat: "json" | "bytes";
  /** The meaning of a response whose entire body is one of these strings, regardless of its status. */
  readonly bodyTexts?: Readonly<Record<string, { readonly reason: string; readonly remedy: string }>>;
  /**
   * The parts of the response that can contain secrets of other systems, in the format of `masked`. They are never
   * logged, and are masked when shown.
   */
  readonly confidential?: readonly string[];
}

export type AnyOperation = Operation;

type Simplified<T> = { [Key in keyof T]: T[Key] };
type InputFields<F extends Fields> = {
  [Key in keyof F as undefined extends z.input<F[Key]> ? never : Key]: z.input<F[Key]>;
} & { [Key in keyof F as undefined extends z.input<F[Key]> ? Key : never]?: z.input<F[Key]> };

/** The input of a caller: path and query parameters together, and `body` if the operation has one. */
export type InputOf<O extends AnyOperation> = Simplified<
  InputFields<O["pathParameters"]> &
    InputFields<O["queryParameters"]> &
    (undefined extends z.input<O["body"]>
      ? z.input<O["body"]> extends undefined
        ? unknown
        : { body?: z.input<O["body"]> }
      : { body: z.input<O["body"]> })
>;

export type ResponseOf<O extends AnyOperation> = z.output<O["response"]>;

/** True if the operation accepts the query parameter on this platform. */
export function acceptsQuery(operation: AnyOperation, name: string, dialect: Dialect): boolean {
  return (
    operation.queryParameters[name] !== undefined &&
    (dialect.undescribedQueries || operation.undescribedQuery?.includes(name) !== true)
  );
}

/** Adds the defaults that most operations share. */
export function defineOperation<
  const Id extends string,
  const Kind extends CredentialKind,
  const Path extends Fields,
  const Query extends Fields,
  Body extends z.ZodMiniType,
  ResponseSchema extends z.ZodMiniType,
>(
  declaration: Omit<
    Operation<Id, Kind, Path, Query, Body, ResponseSchema>,
    "timeLimitMs" | "transfer" | "responseFormat"
  > &
    Partial<Pick<Operation, "timeLimitMs" | "transfer" | "responseFormat">>,
): Operation<Id, Kind, Path, Query, Body, ResponseSchema> {
  return { timeLimitMs: 30_000, transfer: false, responseFormat: "json", ...declaration };
}

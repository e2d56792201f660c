import type * as z from "zod/mini";
import type { CredentialKind } from "../http/credentials.ts";
import type { Dialect } from "../http/dialects.ts";
import type { ErrorKind } from "../http/errors.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How an operation's failure is reported for one status (API description, 7). */
export interface ErrorRule {
  readonly kind: ErrorKind;
  /** The operation word of section 7. */
  readonly word?: string;
  /** What the person can do; the reason stands before it. */
  readonly remedy?: string;
}

/**
 * What an operation does to the platform. `destroy` removes or replaces what is there, access and settings included, or ends
 * what runs: it needs a confirmation that names what it touches. `change` adds something, and loses nothing.
 */
export type Effect = "read" | "change" | "destroy";

/**
 * How an operation's answer comes in pages: `offset` by two query parameters, `body` by two members of the body (within
 * its member `within`, where there is one); the answer is the list, or an object that holds it. Offsets count items
 * from 0, `pageSize` is the number of items asked for by default.
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
 * One endpoint, declared once. The path template names path parameters as `{name}` (one segment), `{name*}` (a content
 * path of any number of segments) and a dialect's part as `<name>`.
 */
export interface Operation<
  Id extends string = string,
  Kind extends CredentialKind = CredentialKind,
  Path extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly id: Id;
  /** The section of the API description, or `beyond` for what it names without a path. */
  readonly section: string;
  readonly summary: string;
  readonly method: Method;
  readonly path: string;
  readonly pathParameters: Path;
  readonly queryParameters: Query;
  /** Names of query parameters that the API description does not have: sent to platforms alone that are known to take them. */
  readonly undescribedQuery?: readonly string[];
  /** The member of a body that must be the id of the signed-in user; undefined for a body that is bound to nobody. */
  readonly signedInUserMember?: (body: unknown) => string | undefined;
  /** The operation that tells who is signed in, for an operation with a `signedInUserMember`. */
  readonly signedInUser?: AnyOperation;
  /** `z.undefined()` for an operation without a body. */
  readonly body: Body;
  /** True where a body that a caller gives whole is sent unchanged, the order of its members included. */
  readonly sendsBodyAsGiven?: true;
  readonly answer: Answer;
  readonly credential: Kind;
  readonly effect: Effect;
  /** `Cannot read {path}`: parameters in braces; an empty content path reads as `the workspace root`. */
  readonly failure: string;
  /** Method and path, which errors of the kind `route` name; undefined for an operation of another kind. */
  readonly route?: string;
  /** The entity identifier of its errors, with parameters in braces. */
  readonly entity: string;
  readonly errors: { readonly otherwise: ErrorRule } & Readonly<Partial<Record<number, ErrorRule>>>;
  /** Milliseconds for the whole call; for a transfer: without a byte moving. */
  readonly timeLimit: number;
  /** True when the time depends on the size of what is moved. */
  readonly transfer: boolean;
  /** Absent where the whole answer comes at once. */
  readonly paging?: Paging;
  /** `bytes`: the answer is what came, unread; a `Uint8Array`, or a stream for a receiver. */
  readonly answerFormat: "json" | "bytes";
  /** What an answer means whose whole body is one of these texts, whatever its status. */
  readonly bodyTexts?: Readonly<Record<string, { readonly reason: string; readonly remedy: string }>>;
  /** What in the answer may hold other systems' secrets, as `masked` takes it: not logged, masked where it is shown. */
  readonly confidential?: readonly string[];
}

export type AnyOperation = Operation;

type Simplified<T> = { [Key in keyof T]: T[Key] };
type InputFields<F extends Fields> = {
  [Key in keyof F as undefined extends z.input<F[Key]> ? never : Key]: z.input<F[Key]>;
} & { [Key in keyof F as undefined extends z.input<F[Key]> ? Key : never]?: z.input<F[Key]> };

/** What a caller hands in: path and query parameters side by side, and `body` where the operation has one. */
export type InputOf<O extends AnyOperation> = Simplified<
  InputFields<O["pathParameters"]> &
    InputFields<O["queryParameters"]> &
    (undefined extends z.input<O["body"]>
      ? z.input<O["body"]> extends undefined
        ? unknown
        : { body?: z.input<O["body"]> }
      : { body: z.input<O["body"]> })
>;

export type AnswerOf<O extends AnyOperation> = z.output<O["answer"]>;

/** True for a query parameter that the operation has on this platform. */
export function takesQuery(operation: AnyOperation, name: string, dialect: Dialect): boolean {
  return (
    operation.queryParameters[name] !== undefined &&
    (dialect.undescribedQueries || operation.undescribedQuery?.includes(name) !== true)
  );
}

/** Fills in what most operations share. */
export function defineOperation<
  const Id extends string,
  const Kind extends CredentialKind,
  const Path extends Fields,
  const Query extends Fields,
  Body extends z.ZodMiniType,
  Answer extends z.ZodMiniType,
>(
  declaration: Omit<Operation<Id, Kind, Path, Query, Body, Answer>, "timeLimit" | "transfer" | "answerFormat"> &
    Partial<Pick<Operation, "timeLimit" | "transfer" | "answerFormat">>,
): Operation<Id, Kind, Path, Query, Body, Answer> {
  return { timeLimit: 30_000, transfer: false, answerFormat: "json", ...declaration };
}

import { acceptsBody, type JsonSchema, schemaOf } from "../../../api/catalogue/body-schema.ts";
import type { AnyOperation } from "../../../api/catalogue/operation.ts";

/** Where an operation takes its paging parameters. Its tool has `limit` and `cursor` instead. */
export interface ToolPaging {
  readonly place: "query" | "body";
  /** The member of the body with the parameters; undefined for the body itself. */
  readonly within: string | undefined;
  readonly limit: string;
  readonly offset: string;
  /** The number of items if the caller gives no limit. */
  readonly pageSize: number;
  /** False if the platform returns all items unless a limit is sent. */
  readonly isAlways: boolean;
}

const undeclaredPageSize = 100;

/** The paging of an operation: the declared one, or its parameters `limit` and `offset`. Undefined if it has none. */
export function toolPagingOf(operation: AnyOperation): ToolPaging | undefined {
  const { paging, queryParameters } = operation;
  if (paging !== undefined) {
    const { limit, offset, pageSize } = paging;
    return paging.style === "offset"
      ? { place: "query", within: undefined, limit, offset, pageSize, isAlways: true }
      : { place: "body", within: paging.within, limit, offset, pageSize, isAlways: true };
  }
  const names = { within: undefined, limit: "limit", offset: "offset" };
  if (queryParameters.limit !== undefined && queryParameters.offset !== undefined) {
    return { place: "query", ...names, pageSize: undeclaredPageSize, isAlways: false };
  }
  const { limit, offset } = acceptsBody(operation) ? (schemaOf(operation.body).properties ?? {}) : {};
  if (typeof limit !== "object" || offset === undefined) {
    return undefined;
  }
  const pageSize = typeof limit.default === "number" ? limit.default : undeclaredPageSize;
  return { place: "body", ...names, pageSize, isAlways: true };
}

/** The schema of the operation's own limit, from the schemas of its parameters and body. */
export function limitSchemaOf(paging: ToolPaging, properties: NonNullable<JsonSchema["properties"]>): JsonSchema {
  const holder = holderOf(paging, properties);
  const limit = holder[paging.limit];
  return typeof limit === "object" ? limit : { type: "integer", minimum: 1 };
}

/** The properties without the operation's own limit and offset. */
export function withoutPaging(
  paging: ToolPaging,
  properties: NonNullable<JsonSchema["properties"]>,
): NonNullable<JsonSchema["properties"]> {
  if (paging.place === "query") {
    return without(properties, paging);
  }
  const body = properties.body;
  if (typeof body !== "object") {
    return properties;
  }
  const inner = paging.within === undefined ? undefined : body.properties?.[paging.within];
  const fields =
    typeof inner === "object" && paging.within !== undefined
      ? { ...body.properties, [paging.within]: { ...inner, properties: without(inner.properties ?? {}, paging) } }
      : without(body.properties ?? {}, paging);
  return { ...properties, body: { ...body, properties: fields } };
}

/** The input with the paging parameters of a page. */
export function withPage(
  paging: ToolPaging,
  input: Readonly<Record<string, unknown>>,
  limit: number,
  offset: number,
): Readonly<Record<string, unknown>> {
  const page = { [paging.limit]: limit, [paging.offset]: offset };
  if (paging.place === "query") {
    return { ...input, ...page };
  }
  const body = fieldsOf(input.body);
  const { within } = paging;
  return {
    ...input,
    body: within === undefined ? { ...body, ...page } : { ...body, [within]: { ...fieldsOf(body[within]), ...page } },
  };
}

function holderOf(
  { place, within }: ToolPaging,
  properties: NonNullable<JsonSchema["properties"]>,
): NonNullable<JsonSchema["properties"]> {
  if (place === "query") {
    return properties;
  }
  const body = typeof properties.body === "object" ? (properties.body.properties ?? {}) : {};
  const inner = within === undefined ? undefined : body[within];
  return within === undefined ? body : typeof inner === "object" ? (inner.properties ?? {}) : {};
}

function without<T>(fields: Readonly<Record<string, T>>, { limit, offset }: ToolPaging): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== limit && name !== offset));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

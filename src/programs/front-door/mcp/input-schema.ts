import * as z from "zod/mini";
import type { JsonSchema } from "../../../api/catalogue/body-schema.ts";
import { takesBody } from "../../../api/catalogue/body-schema.ts";
import type { AnyOperation } from "../../../api/catalogue/operation.ts";
import { limitSchemaOf, type ToolPaging, withoutPaging } from "./tool-paging.ts";

/** What a tool takes: a JSON schema (2020-12) of one object, as the protocol wants it. */
export interface InputSchema extends Readonly<Record<string, unknown>> {
  readonly type: "object";
  readonly properties: NonNullable<JsonSchema["properties"]>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** The members that tools have beside an operation's own. */
export const workspaceIdSchema: JsonSchema = {
  type: "string",
  minLength: 1,
  description: "The id of the notebook workspace, as workspaces_search gives it. The workspace has to be running.",
};
const cursorSchema: JsonSchema = {
  type: "string",
  minLength: 1,
  description: "The nextCursor of the answer before this one, to read on. Every other argument stays the same.",
};
const limitText = "How many items to give at once.";

/** The schema of an operation's tool: its parameters side by side, its body as `body`, its paging as limit and cursor. */
export function operationInputSchema(operation: AnyOperation, paging: ToolPaging | undefined): InputSchema {
  const own = inputSchemaOf(
    z.strictObject({
      ...operation.pathParameters,
      ...operation.queryParameters,
      ...(takesBody(operation) ? { body: operation.body } : {}),
    }),
  );
  const isInWorkspace = operation.credential === "notebook";
  const properties: NonNullable<JsonSchema["properties"]> = {
    ...(isInWorkspace ? { workspaceId: workspaceIdSchema } : {}),
    ...(paging === undefined ? own.properties : withoutPaging(paging, own.properties)),
    ...(paging === undefined ? {} : { limit: describedLimit(limitSchemaOf(paging, own.properties), paging) }),
    ...(operation.effect === "read" ? { cursor: cursorSchema } : {}),
  };
  const required = [...(isInWorkspace ? ["workspaceId"] : []), ...(own.required ?? [])].filter(
    // A body that only has to be there for its paging need not be given.
    (name, index, all) => all.indexOf(name) === index && !(name === "body" && paging?.place === "body"),
  );
  return { ...own, properties, required };
}

/** The JSON schema of a shape, without what says nothing. */
export function inputSchemaOf(shape: z.ZodMiniType): InputSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(shape, {
    io: "input",
    unrepresentable: "any",
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
        delete jsonSchema.minimum;
      }
      if (jsonSchema.format !== undefined) {
        delete jsonSchema.pattern;
      }
      delete jsonSchema.propertyNames;
    },
  });
  return { type: "object", properties, required, additionalProperties: false };
}

/** The schema of a tool of its own, with a cursor where its answer can go on. */
export function ownInputSchema(shape: z.ZodMiniType, goesOn: boolean): InputSchema {
  const own = inputSchemaOf(shape);
  return goesOn ? { ...own, properties: { ...own.properties, cursor: cursorSchema } } : own;
}

function describedLimit(schema: JsonSchema, { pageSize, isAlways }: ToolPaging): JsonSchema {
  return { ...schema, ...(isAlways ? { default: pageSize } : {}), description: limitText };
}

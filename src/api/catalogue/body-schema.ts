import * as z from "zod/mini";
import type { AnyOperation } from "./operation.ts";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** True if the operation has a request body. */
export function acceptsBody(operation: AnyOperation): boolean {
  return operation.body._zod.def.type !== "undefined";
}

/** True if a request without a body is invalid. */
export function requiresBody(operation: AnyOperation): boolean {
  return !z.safeParse(operation.body, undefined).success;
}

/** The JSON schema of an operation's request body, for completion and validation in an editor. */
export function bodySchemaOf(operation: AnyOperation): JsonSchema {
  return { ...schemaOf(operation.body), title: operation.id, description: operation.summary };
}

/**
 * The JSON schema of a shape, in the draft that editors support. Constraints that JSON Schema can't express are left
 * out.
 */
export function schemaOf(shape: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(shape, { io: "input", unrepresentable: "any", target: "draft-7" });
}

/** A sample body to edit: the required members with their defaults, and `<name>` for strings. */
export function firstBodyOf(operation: AnyOperation): unknown {
  return sampleOf(schemaOf(operation.body), "value");
}

function sampleOf(schema: JsonSchema | boolean, name: string): unknown {
  if (typeof schema === "boolean") {
    return {};
  }
  if (schema.default !== undefined) {
    return schema.default;
  }
  const [first] = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])];
  if (first !== undefined) {
    return first;
  }
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) {
    return sampleOf(choice, name);
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return sampleObject(schema);
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(firstItemOf(schema), name));
    case "string":
      return `<${name}>`;
    case "integer":
    case "number":
      return schema.exclusiveMinimum === undefined
        ? Math.max(0, schema.minimum ?? 0)
        : Number(schema.exclusiveMinimum) + 1;
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return {};
  }
}

function sampleObject({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  const wanted = Object.entries(properties).filter(
    ([name, schema]) => required.includes(name) || (typeof schema === "object" && schema.default !== undefined),
  );
  return Object.fromEntries(wanted.map(([name, schema]) => [name, sampleOf(schema, name)]));
}

function firstItemOf({ items }: JsonSchema): JsonSchema | boolean {
  return Array.isArray(items) ? (items[0] ?? true) : (items ?? true);
}

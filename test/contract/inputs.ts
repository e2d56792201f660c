import * as z from "zod/mini";
import { acceptsBody, firstBodyOf } from "../../src/api/catalogue/body-schema.ts";
import type { AnyOperation } from "../../src/api/catalogue/operation.ts";

const candidates: readonly unknown[] = ["x", "1", 1, true, "2025-11-18T16:42:05Z", "USER", "a@example.com", "TIMER"];

/** Bodies that can't be derived from a schema. */
const bodies: Readonly<Record<string, unknown>> = {
  "frontDoor.credentials.validate": { email: "ada@example.com", slug: "token" },
  "sandbox.repositories.permissions.update": [{ userId: "1", groupId: "", permission: "EDIT" }],
  "workflows.versions.createFirst": { savedJson: "{}", version: "1.0.0" },
  "contents.update": { type: "file", format: "text", content: "" },
};

/** An input that the operation accepts: all path parameters, required query parameters, and a body. */
export function anyInputOf(operation: AnyOperation): Readonly<Record<string, unknown>> {
  const parameters = { ...operation.pathParameters, ...requiredOf(operation.queryParameters) };
  const fields = Object.entries(parameters).map(([name, shape]) => [name, anyValueOf(name, shape)]);
  const body = acceptsBody(operation) ? { body: bodies[operation.id] ?? firstBodyOf(operation) } : {};
  return { ...Object.fromEntries(fields), ...body };
}

function requiredOf(shapes: AnyOperation["queryParameters"]): AnyOperation["queryParameters"] {
  return Object.fromEntries(Object.entries(shapes).filter(([, shape]) => !z.safeParse(shape, undefined).success));
}

function anyValueOf(name: string, shape: z.ZodMiniType): unknown {
  const choices = shape instanceof z.ZodMiniEnum ? shape.options : [];
  const found = [...choices, ...candidates].find((value) => z.safeParse(shape, value).success);
  if (found === undefined) {
    throw new Error(`test/contract/inputs.ts has no value for the parameter ${name}`);
  }
  return found;
}

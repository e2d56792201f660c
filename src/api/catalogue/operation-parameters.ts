import * as z from "zod/mini";
import type { Dialect } from "../http/dialects.ts";
import { type JsonSchema, schemaOf } from "./body-schema.ts";
import { type AnyOperation, acceptsQuery } from "./operation.ts";

/** What a user needs to know to enter a parameter. */
export interface ParameterDescription {
  readonly name: string;
  readonly place: "path" | "query";
  readonly required: boolean;
  /** The default value; undefined if nothing is sent by default. */
  readonly standard: string | undefined;
  /** The accepted values, if there are only a few. */
  readonly choices: readonly string[] | undefined;
  /** A short description of the values: `text`, `whole number, 1 or more`, `one of ADMIN, USER`. */
  readonly form: string;
}

/**
 * An operation's parameters in the order of their declaration, path parameters first. With a dialect, omits query
 * parameters that are not sent to its platforms.
 */
export function parametersOf(operation: AnyOperation, dialect?: Dialect): readonly ParameterDescription[] {
  const queries = Object.entries(operation.queryParameters).filter(
    ([name]) => dialect === undefined || acceptsQuery(operation, name, dialect),
  );
  return [
    ...Object.entries(operation.pathParameters).map(([name, shape]) => describe(name, "path", shape)),
    ...queries.map(([name, shape]) => describe(name, "query", shape)),
  ];
}

/** The shape of a path or query parameter. */
export function shapeOf(operation: AnyOperation, name: string): z.ZodMiniType | undefined {
  return operation.pathParameters[name] ?? operation.queryParameters[name];
}

/**
 * Converts a string to a value that the shape accepts: the string itself, or the number or boolean that it represents.
 */
export function valueFromText(shape: z.ZodMiniType | undefined, text: string): unknown {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  const candidates = [
    text,
    ...(Number.isFinite(number) ? [number] : []),
    ...(isTruthValue(text) ? [text === "true"] : []),
  ];
  const taken = candidates.find((candidate) => shape !== undefined && z.safeParse(shape, candidate).success);
  return taken ?? text;
}

function isTruthValue(text: string): boolean {
  return text === "true" || text === "false";
}

function describe(name: string, place: "path" | "query", shape: z.ZodMiniType): ParameterDescription {
  const schema = schemaOf(shape);
  const choices = choicesOf(schema);
  const standard = schema.default;
  return {
    name,
    place,
    required: !z.safeParse(shape, undefined).success,
    standard: standard === undefined ? undefined : String(standard),
    choices,
    form: choices === undefined ? formOf(schema) : `one of ${choices.join(", ")}`,
  };
}

function choicesOf(schema: JsonSchema | boolean): readonly string[] | undefined {
  if (typeof schema === "boolean") {
    return undefined;
  }
  if (schema.type === "boolean") {
    return ["true", "false"];
  }
  if (schema.enum !== undefined || schema.const !== undefined) {
    return [...(schema.enum ?? [schema.const])].map(String);
  }
  const parts = (schema.anyOf ?? []).map(choicesOf);
  return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/** Describes a schema in a few words. */
export function formOf(schema: JsonSchema | boolean): string {
  if (typeof schema === "boolean") {
    return "anything";
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) {
    return [...new Set(alternatives.map(formOf))].join(" or ");
  }
  switch (schema.type) {
    case "integer":
    case "number":
      return `${schema.type === "integer" ? "whole number" : "number"}${boundsOf(schema)}`;
    case "string":
      return "text";
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "array":
      return `list of ${typeof schema.items === "object" && !Array.isArray(schema.items) ? formOf(schema.items) : "anything"}`;
    case "object":
      return "object";
    default:
      return "anything";
  }
}

function boundsOf({ minimum, maximum }: JsonSchema): string {
  const isBound = (value: number | undefined): value is number =>
    value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (isBound(minimum) && isBound(maximum)) {
    return `, ${minimum} to ${maximum}`;
  }
  return isBound(minimum) ? `, ${minimum} or more` : isBound(maximum) ? `, ${maximum} at most` : "";
}

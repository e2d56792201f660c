import type { CallToolResult } from "@modelcontextprotocol/server";
import { PlatformError } from "../../../api/http/errors.ts";
import { parseExact } from "../../../api/http/json.ts";
import { withoutSecrets } from "../../../api/http/log.ts";
import { type Shown, shownFrom, shownText } from "./answer-pages.ts";
import { cursorOf, type Position } from "./cursor.ts";
import { type Answered, type Arguments, type Tool, ToolFault } from "./tool.ts";

const cutShort =
  "The answer is longer than what is given here. The operation is not done again to read on: read the thing with another tool.";

/** As much of a tool's answer as fits, with the cursor that goes on, as text and structured, without the call's secrets. */
export function resultOf(
  tool: Tool,
  given: Arguments,
  answered: Answered,
  position: Position,
  characters: number,
  secrets: readonly string[],
): CallToolResult {
  const shown = shownOf(answered, position, characters);
  if (shown.type === "changed") {
    throw new ToolFault("cursor", "What the cursor goes on with has changed since. Begin again without the cursor.");
  }
  const { next } = shown;
  const mayGoOn = tool.effect === "read";
  const further =
    next === undefined ? {} : mayGoOn ? { nextCursor: cursorText(next, tool, given) } : { remark: cutShort };
  return finished({ ...contentOf(shown), ...further }, secrets, answered.isContent);
}

function shownOf({ value, facts, longMember }: Answered, position: Position, characters: number): Shown {
  const isObject = typeof value === "object" && value !== null;
  return longMember !== undefined && isObject
    ? shownText({ ...value }, longMember, position, characters)
    : shownFrom(value, position, facts, characters);
}

function contentOf(shown: Exclude<Shown, { readonly type: "changed" }>): Readonly<Record<string, unknown>> {
  switch (shown.type) {
    case "value":
      return { result: shown.value ?? null };
    case "text":
      return { result: shown.value, from: shown.from, of: shown.of };
    case "part":
      return { part: shown.text, from: shown.from, of: shown.of };
  }
}

function cursorText(next: Position, tool: Tool, given: Arguments): string {
  const { cursor: _, ...rest } = given;
  return cursorOf(next, tool.listed.name, rest);
}

/** A failure as the tool's answer: what failed, on which thing, what the server said, what to do now. */
export function failureOf(error: PlatformError | ToolFault, secrets: readonly string[]): CallToolResult {
  const told =
    error instanceof PlatformError
      ? {
          kind: error.kind,
          message: error.message,
          operation: error.operationId,
          entity: error.entity,
          cause: error.failureCause.type,
          ...(error.status === undefined ? {} : { status: error.status }),
          ...(error.traceId === undefined ? {} : { traceId: error.traceId }),
        }
      : { kind: error.kind, message: error.message };
  const { structuredContent } = finished({ error: told }, secrets, false);
  const message = told.message;
  return {
    content: [{ type: "text", text: withoutAny(message, secrets) }],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: true,
  };
}

function finished(
  structured: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  isContent: boolean,
): CallToolResult {
  const text = JSON.stringify(structured);
  const cleaned = isContent ? withoutAny(text, secrets) : withoutFields(text, secrets);
  // What was cleaned is read again, so that both forms of the answer are the same.
  const content = cleaned === text ? structured : (parseExact(cleaned) as Readonly<Record<string, unknown>>);
  return { content: [{ type: "text", text: cleaned }], structuredContent: { ...content } };
}

/** The text without the secrets themselves and without the values of fields that are named like secrets. */
function withoutFields(text: string, secrets: readonly string[]): string {
  return withoutSecrets(withoutAny(text, secrets), "");
}

function withoutAny(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
    .filter((form) => form.length >= shortestSecret)
    .reduce((cleaned, form) => cleaned.replaceAll(form, "[redacted]"), text);
}

/** A shorter text would be found everywhere. */
const shortestSecret = 6;

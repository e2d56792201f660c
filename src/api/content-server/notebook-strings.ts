import { JsonCursor } from "../http/json-member.ts";

/**
 * The JSON of a notebook with each multi-line string as one string, as servers return it, instead of as a list of lines.
 * Both forms are valid, but extensions of servers expect the former. Everything else stays as it is, such as the digits
 * of numbers. The JSON must be valid.
 */
export function withJoinedStrings(json: string): string {
  const parts: string[] = [];
  const cursor = new JsonCursor(json);
  let copied = 0;
  const join = (): void => {
    const start = cursor.position;
    const joined = joinedString(cursor);
    if (joined !== undefined) {
      parts.push(json.slice(copied, start), joined);
      copied = cursor.position;
    }
  };
  const joinData = (): void => cursor.members((type) => (isJsonType(type) ? undefined : join()));
  const membersOf: Readonly<Record<string, () => void>> = {
    source: join,
    attachments: () => cursor.members(joinData),
    outputs: () => cursor.elements(() => cursor.members((name) => ofOutput(name))),
  };
  const ofOutput = (name: string): void => {
    if (name === "text") {
      join();
    } else if (name === "data") {
      joinData();
    }
  };
  cursor.members((name) => {
    if (name === "cells") {
      cursor.elements(() =>
        cursor.members((member) => (Object.hasOwn(membersOf, member) ? membersOf[member]?.() : undefined)),
      );
    }
  });
  return parts.length === 0 ? json : parts.join("") + json.slice(copied);
}

/** Moves to the end of a value. Its strings as one JSON string if it is an array that contains nothing else. */
function joinedString(cursor: JsonCursor): string | undefined {
  if (cursor.first !== "[") {
    return undefined;
  }
  const strings: string[] = [];
  let isText = true;
  cursor.elements(() => {
    const start = cursor.position;
    isText &&= cursor.first === '"';
    cursor.skip();
    strings.push(cursor.json.slice(start + 1, cursor.position - 1));
  });
  return isText ? `"${strings.join("")}"` : undefined;
}

/** True for the types of data whose arrays are values, not lines. */
export function isJsonType(type: string): boolean {
  return type === "application/json" || (type.startsWith("application/") && type.endsWith("+json"));
}

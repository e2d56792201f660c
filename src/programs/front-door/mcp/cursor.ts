import { createHash } from "node:crypto";
import * as z from "zod/mini";

/** Where a tool's answer goes on. Nothing is kept on the server for it: the next call asks the platform again. */
export interface Position {
  /** Items before the platform's page. */
  readonly offset: number;
  /** Items of that page that were given already. */
  readonly skip: number;
  /** Characters given already of an answer that is cut in the middle, and the digest of the whole of it. */
  readonly part?: { readonly from: number; readonly digest: string } | undefined;
  /** The digest of the page before this one: a platform that gives it once more takes no offset. */
  readonly before?: string | undefined;
}

export const beginning: Position = { offset: 0, skip: 0 };

const count = z.int().check(z.minimum(0));
const digestText = z.string().check(z.maxLength(64));
const cursorForm = z.strictObject({
  v: z.literal(1),
  for: digestText,
  offset: count,
  skip: count,
  part: z.optional(z.strictObject({ from: count, digest: digestText })),
  before: z.optional(digestText),
});
const longestCursor = 600;

/** The position as the text that a caller gives back. */
export function cursorOf(position: Position, tool: string, given: object): string {
  const { offset, skip, part, before } = position;
  const form = { v: 1, for: digestOf(boundTo(tool, given)), offset, skip, part, before };
  return Buffer.from(JSON.stringify(form)).toString("base64url");
}

/** The position of a cursor; undefined for a text that is none, or that came with other arguments or from another tool. */
export function positionOf(cursor: string, tool: string, given: object): Position | undefined {
  if (cursor.length > longestCursor) {
    return undefined;
  }
  try {
    const parsed = z.safeParse(cursorForm, JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    if (!parsed.success || parsed.data.for !== digestOf(boundTo(tool, given))) {
      return undefined;
    }
    const { offset, skip, part, before } = parsed.data;
    return { offset, skip, part, before };
  } catch {
    return undefined;
  }
}

/** A short digest, to tell whether a text is the same as before. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** The tool and its arguments as one text, whatever the order of the members. */
export function boundTo(tool: string, given: object): string {
  return JSON.stringify([tool, sorted(given)]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return typeof value === "object" && value !== null
    ? {
        members: Object.entries(value)
          .toSorted(([left], [right]) => (left < right ? -1 : 1))
          .map(([name, member]) => [name, sorted(member)]),
      }
    : value;
}

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { isRawNumber } from "../../../api/http/raw-number.ts";
import { endOfFitting, jsonTextInTurns, jsonTextOf, leastLength } from "./json-text.ts";

/** A page of a tool's result: a complete value, some items of a list, or a part of a value's JSON text. */
export type ResponsePage =
  | {
      readonly type: "value";
      readonly value: unknown;
      /** The number of items after this page, if it is known. */
      readonly remaining?: number | undefined;
      readonly next: Position | undefined;
    }
  | {
      readonly type: "part";
      readonly text: string;
      /** Start of this part, and length of the complete text, in characters. */
      readonly from: number;
      readonly of: number;
      readonly next: Position | undefined;
    }
  | {
      readonly type: "text";
      /** The value, with a part of its long text instead of the complete text. */
      readonly value: unknown;
      readonly from: number;
      readonly of: number;
      readonly next: Position | undefined;
    }
  | { readonly type: "changed" };

/** Facts about the list in a result. */
export interface ListFacts {
  /** The requested number of items. Undefined if the complete list was requested. */
  readonly limit: number | undefined;
  /** The total number of items that the platform reports, if it does. */
  readonly total: number | undefined;
}

interface List {
  readonly items: readonly unknown[];
  readonly holding: (items: readonly unknown[]) => unknown;
}

/**
 * The part of a result, starting at a position, that fits into a number of characters. Splits a list between items, and
 * anything else within its JSON text.
 */
export async function pageOfResponse(
  value: unknown,
  position: Position,
  facts: ListFacts,
  characters: number,
): Promise<ResponsePage> {
  const list = listWithin(value);
  if (list === undefined) {
    return fitted(value, position, characters, undefined);
  }
  return ofList(list, position, facts, characters);
}

/** The part of a value with one long text, starting at a position, that fits. Splits only the text. */
export function pageOfText(
  value: Readonly<Record<string, unknown>>,
  member: string,
  position: Position,
  characters: number,
): ResponsePage {
  const text = String(value[member] ?? "");
  if (position.part === undefined && isWithin(value, characters)) {
    return { type: "value", value, next: undefined };
  }
  const cut = partOf(text, position, characters, undefined);
  return cut.type === "changed"
    ? cut
    : { type: "text", value: { ...value, [member]: cut.text }, from: cut.from, of: cut.of, next: cut.next };
}

async function ofList(
  list: List,
  position: Position,
  { limit, total }: ListFacts,
  characters: number,
): Promise<ResponsePage> {
  const digest = digestOf(JSON.stringify(list.items.slice(0, 3)));
  const isRepeated = position.before === digest && list.items.length > 0;
  // A platform without a limit returns all items, so the offset is an index into them.
  const isWhole = limit === undefined || list.items.length > limit || isRepeated;
  const start = isWhole ? position.offset + position.skip : position.skip;
  const end = isWhole && limit !== undefined ? start + limit : list.items.length;
  const items = list.items.slice(start, end);
  const after = (taken: number): Position | undefined => {
    const given = position.skip + taken;
    if (isWhole) {
      return start + taken < list.items.length ? { offset: 0, skip: start + taken } : undefined;
    }
    if (given < list.items.length) {
      return { ...position, part: undefined, skip: given };
    }
    const seen = position.offset + list.items.length;
    const isLast = total === undefined ? list.items.length < limit : seen >= total;
    return isLast || list.items.length === 0 ? undefined : { offset: seen, skip: 0, before: digest };
  };
  const remainingAfter = (taken: number): number | undefined => {
    if (isWhole) {
      return list.items.length - start - taken;
    }
    return total === undefined ? undefined : Math.max(0, total - position.offset - position.skip - taken);
  };
  const room = characters - jsonTextOf(list.holding([])).length;
  if (room < characters / 2) {
    return fitted(list.holding(items), position, characters, after(items.length));
  }
  const taken = position.part === undefined ? fitting(items, room) : 0;
  const isTooLarge = taken === 0 && items.length > 0;
  return isTooLarge
    ? fitted(list.holding(items.slice(0, 1)), position, characters, after(1))
    : {
        type: "value",
        value: list.holding(items.slice(0, taken)),
        remaining: remainingAfter(taken),
        next: after(taken),
      };
}

/** The number of items that fit into a number of characters. */
function fitting(items: readonly unknown[], characters: number): number {
  let used = 0;
  for (const [index, item] of items.entries()) {
    used += leastLength(item, characters) > characters ? Number.POSITIVE_INFINITY : jsonTextOf(item).length + 1;
    if (used > characters) {
      return index;
    }
  }
  return items.length;
}

/** True if the value's JSON text fits into a number of characters. */
function isWithin(value: unknown, characters: number): boolean {
  return leastLength(value, characters) <= characters && jsonTextOf(value).length <= characters;
}

/** The value, or a part of its JSON text. `afterwards` is the position after the end of the text. */
async function fitted(
  value: unknown,
  position: Position,
  characters: number,
  afterwards: Position | undefined,
): Promise<ResponsePage> {
  const text = await jsonTextInTurns(value);
  if (position.part === undefined && text.length <= characters) {
    return { type: "value", value, next: afterwards };
  }
  return partOf(text, position, characters, afterwards);
}

function partOf(
  text: string,
  position: Position,
  characters: number,
  afterwards: Position | undefined,
): Extract<ResponsePage, { readonly type: "part" | "changed" }> {
  const digest = digestOf(text);
  const { from, digest: before } = position.part ?? { from: 0, digest };
  if (before !== digest || (from >= text.length && from > 0)) {
    return { type: "changed" };
  }
  const end = endOfFitting(text, from, characters);
  const next = end < text.length ? { ...position, part: { from: end, digest } } : afterwards;
  return { type: "part", text: text.slice(from, end), from, of: text.length, next };
}

/** The result if it is a list, or the only list in it; undefined if there is none, or more than one. */
function listWithin(value: unknown): List | undefined {
  if (Array.isArray(value)) {
    return { items: value, holding: (items) => items };
  }
  if (typeof value !== "object" || value === null || isRawNumber(value)) {
    return undefined;
  }
  const [first, ...others] = Object.entries(value).filter(([, member]) => Array.isArray(member));
  if (first === undefined || others.length > 0) {
    return undefined;
  }
  const [name, items] = first;
  return { items, holding: (kept) => ({ ...value, [name]: kept }) };
}

/**
 * The position at which a result continues. The server doesn't store the result: the next call requests the data again.
 */
export interface Position {
  /** Number of items before the platform's page. */
  readonly offset: number;
  /** Number of items of that page that were already returned. */
  readonly skip: number;
  /**
   * For a result that is split within its text: the number of characters that were already returned, and the digest of
   * the complete text.
   */
  readonly part?: { readonly from: number; readonly digest: string } | undefined;
  /** Digest of the previous page. A platform that returns the same page again ignores the offset. */
  readonly before?: string | undefined;
}

export const beginning: Position = { offset: 0, skip: 0 };

const count = z.int().check(z.minimum(0));
const digestText = z.string().check(z.maxLength(64));
const cursorForm = z.strictObject({
  offset: count,
  skip: count,
  part: z.optional(z.strictObject({ from: count, digest: digestText })),
  before: z.optional(digestText),
});
const maxCursorLength = 600;

/**
 * Encodes positions as cursors for callers, and decodes them. A cursor is signed together with its call. Forged or
 * changed cursors, and those of another call, are invalid.
 */
export interface CursorCodec {
  /** `bound` is the call in the format of `boundTo`. */
  write(position: Position, bound: string): string;
  read(cursor: string, bound: string): Position | undefined;
}

/** The secret is the same for all instances. The key that is derived from it signs only cursors. */
export function createCursorCodec(secret: string): CursorCodec {
  const key = createHmac("sha256", secret).update("cursors").digest();
  const signatureOf = (form: string, bound: string): Buffer =>
    createHmac("sha256", key)
      .update(JSON.stringify([form, bound]))
      .digest();
  return {
    write({ offset, skip, part, before }, bound) {
      const form = Buffer.from(JSON.stringify({ offset, skip, part, before })).toString("base64url");
      return `${form}.${signatureOf(form, bound).toString("base64url")}`;
    },
    read(cursor, bound) {
      const [form = "", signature = "", ...others] = cursor.length > maxCursorLength ? [] : cursor.split(".");
      const given = Buffer.from(signature, "base64url");
      const expected = signatureOf(form, bound);
      if (others.length > 0 || given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) {
        return undefined;
      }
      const { data } = z.safeParse(cursorForm, JSON.parse(Buffer.from(form, "base64url").toString("utf8")));
      return data && { offset: data.offset, skip: data.skip, part: data.part, before: data.before };
    },
  };
}

/** A call of a tool by a user. A signature for it is not valid for any other call. */
export interface BoundCall {
  readonly tool: string;
  readonly given: object;
  readonly issuer: string;
  readonly subject: string;
  /** Undefined if the platform's address does not contain a tenant. */
  readonly tenant: string | undefined;
}

/** A short digest for detecting changes to a text. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** A user's call of a tool as text. The order of the arguments' members does not matter. */
export function boundTo({ tool, given, issuer, subject, tenant }: BoundCall): string {
  return JSON.stringify([tool, issuer, subject, tenant ?? null, sorted(given)]);
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

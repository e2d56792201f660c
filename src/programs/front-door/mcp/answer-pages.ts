import { isRawNumber } from "../../../api/http/json.ts";
import { digestOf, type Position } from "./cursor.ts";

/** What a tool answers: the whole of a value, some items of a list, or a part of a value's JSON text. */
export type Shown =
  | { readonly type: "value"; readonly value: unknown; readonly next: Position | undefined }
  | {
      readonly type: "part";
      readonly text: string;
      /** Characters of the whole, and where this part begins. */
      readonly from: number;
      readonly of: number;
      readonly next: Position | undefined;
    }
  | {
      readonly type: "text";
      /** The value with a part of its long text in place of the whole. */
      readonly value: unknown;
      readonly from: number;
      readonly of: number;
      readonly next: Position | undefined;
    }
  | { readonly type: "changed" };

/** What is known of the list that an answer holds. */
export interface ListFacts {
  /** Items that were asked for; absent where the whole list was. */
  readonly limit: number | undefined;
  /** The platform's number of all items, where it tells. */
  readonly total: number | undefined;
}

interface List {
  readonly items: readonly unknown[];
  readonly holding: (items: readonly unknown[]) => unknown;
}

/**
 * As much of an answer as fits into so many characters, from a position on. A list is cut between two items, anything
 * else within its text.
 */
export function shownFrom(value: unknown, position: Position, facts: ListFacts, characters: number): Shown {
  const list = listWithin(value);
  if (list === undefined) {
    return fitted(value, position, characters, undefined);
  }
  return ofList(list, position, facts, characters);
}

/** A value with one long text: as much of the text as fits, from a position on. */
export function shownText(
  value: Readonly<Record<string, unknown>>,
  member: string,
  position: Position,
  characters: number,
): Shown {
  const text = String(value[member] ?? "");
  if (position.part === undefined && JSON.stringify(value).length <= characters) {
    return { type: "value", value, next: undefined };
  }
  const cut = partOf(text, position, characters, undefined);
  return cut.type === "changed"
    ? cut
    : { type: "text", value: { ...value, [member]: cut.text }, from: cut.from, of: cut.of, next: cut.next };
}

function ofList(list: List, position: Position, { limit, total }: ListFacts, characters: number): Shown {
  const digest = digestOf(JSON.stringify(list.items.slice(0, 3)));
  const isRepeated = position.before === digest && list.items.length > 0;
  // A platform that takes no limit gives everything at once: the offset counts within it then.
  const isWhole = limit === undefined || list.items.length > limit || isRepeated;
  const start = isWhole ? position.offset + position.skip : position.skip;
  const end = isWhole && limit !== undefined ? start + limit : list.items.length;
  const wanted = list.items.slice(start, end);
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
  const room = characters - JSON.stringify(list.holding([])).length;
  if (room < characters / 2) {
    return fitted(list.holding(wanted), position, characters, after(wanted.length));
  }
  const taken = position.part === undefined ? fitting(wanted, room) : 0;
  const isTooLarge = taken === 0 && wanted.length > 0;
  return isTooLarge
    ? fitted(list.holding(wanted.slice(0, 1)), position, characters, after(1))
    : { type: "value", value: list.holding(wanted.slice(0, taken)), next: after(taken) };
}

/** How many items fit into so many characters. */
function fitting(items: readonly unknown[], characters: number): number {
  let used = 0;
  for (const [index, item] of items.entries()) {
    used += JSON.stringify(item).length + 1;
    if (used > characters) {
      return index;
    }
  }
  return items.length;
}

/** The value, or a part of its text; `afterwards` is where the answer goes on when the text is at its end. */
function fitted(value: unknown, position: Position, characters: number, afterwards: Position | undefined): Shown {
  const text = JSON.stringify(value ?? null);
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
): Extract<Shown, { readonly type: "part" | "changed" }> {
  const digest = digestOf(text);
  const { from, digest: before } = position.part ?? { from: 0, digest };
  if (before !== digest || (from >= text.length && from > 0)) {
    return { type: "changed" };
  }
  const end = endOfPart(text, from + characters);
  const next = end < text.length ? { ...position, part: { from: end, digest } } : afterwards;
  return { type: "part", text: text.slice(from, end), from, of: text.length, next };
}

/** Not in the middle of a character of two code units. */
function endOfPart(text: string, end: number): number {
  const isHigh = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isHigh && end < text.length ? end - 1 : end;
}

/** The list that an answer is, or the only one that it holds. */
export function listWithin(value: unknown): List | undefined {
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

import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { isJsonType } from "../content-server/notebook-strings.ts";
import { canonicalJson } from "../http/json.ts";

/** The numbers of a cell that are listed. */
const maxNumbers = 50;
/** Characters of a cell's output that are compared. */
const maxTextLength = 1_000_000;
const maxLabelLength = 60;

/** A number in the outputs of a cell that has changed. */
interface NumberChange {
  /** The words before it in its line. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** How the outputs of a code cell differ between two runs. */
export interface CellChange {
  /** The number of the code cell, from 1. */
  readonly cell: number;
  /** The first line of its code. */
  readonly code: string;
  readonly change:
    | { readonly type: "same" }
    /** Only numbers differ. `hidden` of them are not listed. */
    | { readonly type: "numbers"; readonly numbers: readonly NumberChange[]; readonly hidden: number }
    | { readonly type: "text" }
    | { readonly type: "added" }
    | { readonly type: "removed" };
  /** The number of pictures that differ. */
  readonly pictures: number;
}

const text = z.union([z.string(), z.array(z.string())]);
const output = z.looseObject({
  output_type: z.string(),
  text: z.optional(text),
  data: z.optional(z.record(z.string(), z.unknown())),
  ename: z.optional(z.string()),
  evalue: z.optional(z.string()),
});
const notebook = z.looseObject({
  cells: z.array(
    z.looseObject({
      cell_type: z.string(),
      id: z.optional(z.string()),
      source: text,
      metadata: z.optional(z.looseObject({ tags: z.optional(z.unknown()) })),
      outputs: z.optional(z.array(output)),
    }),
  ),
});

interface CellOutputs {
  readonly id: string | undefined;
  readonly code: string;
  readonly text: string;
  /** The digest of the text after that. */
  readonly rest: string;
  /** The digests of its pictures. */
  readonly pictures: readonly string[];
}

/**
 * Compares the outputs of two executed notebooks, code cell by code cell. Cells with parameters that a run has added are
 * left out. Undefined if one of them isn't a notebook.
 */
export function outputChanges(before: unknown, after: unknown): readonly CellChange[] | undefined {
  const [old, current] = [cellsOf(before), cellsOf(after)];
  if (old === undefined || current === undefined) {
    return undefined;
  }
  // A copied cell may have the id of the other one.
  const hasIds = [old, current].every((cells) => new Set(cells.flatMap(({ id }) => id ?? [])).size === cells.length);
  const partners = new Map(old.map((cell, index) => [hasIds ? cell.id : String(index), cell]));
  const changes = current.map((cell, index): CellChange => {
    const key = hasIds ? cell.id : String(index);
    const partner = partners.get(key);
    partners.delete(key);
    return { cell: index + 1, code: cell.code, ...changeOf(partner, cell) };
  });
  const removed = [...partners.values()].map(
    (cell): CellChange => ({ cell: old.indexOf(cell) + 1, code: cell.code, change: { type: "removed" }, pictures: 0 }),
  );
  return [...changes, ...removed];
}

function changeOf(before: CellOutputs | undefined, after: CellOutputs): Pick<CellChange, "change" | "pictures"> {
  if (before === undefined) {
    return { change: { type: "added" }, pictures: 0 };
  }
  const count = Math.max(before.pictures.length, after.pictures.length);
  const pictures = Array.from({ length: count }).filter(
    (_, index) => before.pictures[index] !== after.pictures[index],
  ).length;
  if (before.rest !== after.rest) {
    return { change: { type: "text" }, pictures };
  }
  if (before.text === after.text) {
    return { change: { type: "same" }, pictures };
  }
  const numbers = numberChanges(before.text, after.text);
  if (numbers?.length === 0) {
    return { change: { type: "same" }, pictures };
  }
  return numbers === undefined
    ? { change: { type: "text" }, pictures }
    : {
        change: {
          type: "numbers",
          numbers: numbers.slice(0, maxNumbers),
          hidden: Math.max(0, numbers.length - maxNumbers),
        },
        pictures,
      };
}

/** The sequences that color the text of a terminal. Their digits don't count as numbers. */
const colors = /(?![\n\r\t])\p{Cc}\[[\d;:]*m/gu;

const number = /(?<![\w.])[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The rules of a table, and hyphens. */
const rule = /[─━═]+|-+/g;

/** A hyphen in a word does not count. */
function isRule(found: string, index: number, whole: string): boolean {
  const around = [whole[index - 1] ?? "", whole[index + 1] ?? ""];
  return found !== "-" || around.every((character) => character.trim() === "");
}

/** The numbers that differ between two texts. Undefined if anything else does. Tables may have other column widths. */
function numberChanges(before: string, after: string): readonly NumberChange[] | undefined {
  const frame = (value: string): string =>
    value
      .replace(number, "#")
      .replace(rule, (found, index: number, whole: string) => (isRule(found, index, whole) ? "─" : found))
      .replace(/[ \t]+/g, " ");
  if (frame(before) !== frame(after)) {
    return undefined;
  }
  const old = [...before.matchAll(number)];
  return [...after.matchAll(number)].flatMap((found, index) => {
    const [was = ""] = old[index] ?? [];
    // A line may be as long as the output.
    const above = after.slice(Math.max(0, found.index - 2 * maxLabelLength), found.index);
    const label = above.slice(above.lastIndexOf("\n") + 1).trim();
    return was === found[0] ? [] : [{ label: label.slice(-maxLabelLength), before: was, after: found[0] }];
  });
}

function cellsOf(content: unknown): readonly CellOutputs[] | undefined {
  const { data } = z.safeParse(notebook, content);
  return data?.cells
    .filter(({ cell_type: type, metadata }) => {
      const tags = metadata?.tags;
      return type === "code" && !(Array.isArray(tags) && tags.includes("injected-parameters"));
    })
    .map(({ id, source, outputs = [] }) => {
      const shown = outputs.map(textOf).join("\n").replace(colors, "");
      return {
        id,
        code: joined(source).trimStart().split("\n", 1)[0] ?? "",
        text: shown.slice(0, maxTextLength),
        rest: digestOf(shown.slice(maxTextLength)),
        pictures: outputs.flatMap(({ data: bundle = {} }) =>
          Object.entries(bundle).flatMap(([type, value]) => (type.startsWith("image/") ? [digestOf(value)] : [])),
        ),
      };
    });
}

function textOf({ text: printed, data = {}, ename, evalue }: z.output<typeof output>): string {
  if (ename !== undefined) {
    return `${ename}: ${evalue ?? ""}`;
  }
  if (printed !== undefined) {
    return joined(printed);
  }
  const { data: plain = "" } = z.safeParse(text, data["text/plain"]);
  // The address of an object is different in each run.
  const shown = joined(plain).replace(/ at 0x[\da-f]+/gi, "");
  // A page or a chart has no more than a name as its text.
  return /^(?:<.*>)?$/.test(shown.trim()) ? shown + richText(data) : shown;
}

/** What is displayed instead of text, without pictures. HTML only if there is nothing else: it may have random ids. */
function richText(data: Readonly<Record<string, unknown>>): string {
  const { "text/plain": _, "text/html": html, ...others } = data;
  const texts = Object.entries(others).flatMap(([type, value]) => {
    if (type.startsWith("image/")) {
      return [];
    }
    return [isJsonType(type) ? canonicalJson(value) : textIn(value)];
  });
  return texts.length > 0 ? texts.join("\n") : textIn(html).replace(/<style\b[^<]*<\/style>|<[^<>]*>/gi, " ");
}

function textIn(value: unknown): string {
  const { data } = z.safeParse(text, value);
  return data === undefined ? (JSON.stringify(value) ?? "") : joined(data);
}

function joined(value: string | readonly string[]): string {
  return typeof value === "string" ? value : value.join("");
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(textIn(value)).digest("base64");
}

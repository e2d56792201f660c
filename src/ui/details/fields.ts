import type { DetailLine, DetailSection, Details } from "./details.ts";

/** The plain fields of an answer as lines, and its lists of records as tables: the default presentation. */
function fieldDetails(answer: unknown): {
  readonly lines: readonly DetailLine[];
  readonly sections: readonly DetailSection[];
} {
  const record = isRecord(answer) ? answer : { answer };
  const lines = Object.entries(record).flatMap(([name, value]): DetailLine[] => {
    const text = plain(value);
    return text === undefined ? [] : [[label(name), lineValue(name, text, value)]];
  });
  const sections = Object.entries(record).flatMap(([name, value]): DetailSection[] => {
    const records = Array.isArray(value) ? value.filter(isRecord) : [];
    if (records.length === 0) {
      return [];
    }
    const columns = [
      ...new Set(records.flatMap((row) => Object.keys(row).filter((key) => plain(row[key]) !== undefined))),
    ];
    return [
      {
        type: "table",
        title: label(name),
        columns: columns.map(label),
        rows: records.map((row) => columns.map((key) => lineValue(key, plain(row[key]) ?? "", row[key]))),
        empty: "",
      },
    ];
  });
  return { lines, sections };
}

/** Details made only of the answer's own fields. */
export function plainDetails(kind: string, answer: unknown): Details {
  return { kind, ...fieldDetails(answer), raw: answer };
}

/** `createdDate` becomes `Created date`. */
export function label(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lineValue(name: string, text: string, value: unknown): DetailLine[1] {
  if (/(?:^id|Id|_id|uuid)$/.test(name)) {
    return { type: "code", text };
  }
  const isTime =
    /(?:date|time|At|On|created|updated|modified)$/i.test(name) && /^(?:\d{4}-\d\d-\d\d|\d{12,}$)/.test(text);
  return isTime && (typeof value === "string" || typeof value === "number") ? { type: "date", value } : text;
}

function plain(value: unknown): string | undefined {
  if (typeof value === "string") {
    return value === "" || value.length > 500 ? undefined : value;
  }
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

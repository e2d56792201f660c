import { Random } from "./random.ts";

/** A column as `Name TYPE`. */
type Column = string;

const rowCount = 250;
const regions = ["North", "South", "East", "West"] as const;

/** The rows of a dataset, the same for the same name. */
export function datasetRows(name: string, columns: readonly Column[]): readonly (readonly unknown[])[] {
  const random = new Random(`rows ${name}`);
  return Array.from({ length: rowCount }, (_, index) => columns.map((column) => sampleValue(random, column, index)));
}

function sampleValue(random: Random, column: Column, index: number): unknown {
  const [name, type] = column.split(" ");
  const month = `2025-${String((index % 12) + 1).padStart(2, "0")}`;
  switch (type) {
    case "LONG":
      return name === "Id" ? index + 1 : random.integer(1, 400);
    case "DOUBLE":
      return random.integer(10_000, 900_000) / 100;
    case "DATE":
      return `${month}-01`;
    case "DATETIME":
      return `${month}-${String(random.integer(1, 28)).padStart(2, "0")}T06:30:00`;
    default:
      return name === "Region" ? random.pick(regions) : `Item ${index + 1}`;
  }
}

/** A query that the sample tenant can run. */
interface Query {
  /** Undefined for all columns. */
  readonly columns: readonly string[] | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Parses `SELECT columns FROM table LIMIT n OFFSET m`; undefined for any other query. */
export function readQuery(sql: string): Query | undefined {
  const words = sql.trim().replace(/;$/, "").split(/\s+/);
  const lower = words.map((word) => word.toLowerCase());
  const from = lower.indexOf("from");
  if (lower[0] !== "select" || from < 2 || words[from + 1] === undefined) {
    return undefined;
  }
  const columns = words
    .slice(1, from)
    .join(" ")
    .split(",")
    .map((name) => name.trim().replaceAll("`", ""));
  const rest = lower.slice(from + 2);
  const limits: Record<string, number> = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  for (let at = 0; at < rest.length; at += 2) {
    const [word = "", value = ""] = rest.slice(at, at + 2);
    if (!Object.hasOwn(limits, word) || !/^\d{1,9}$/.test(value)) {
      return undefined;
    }
    limits[word] = Number(value);
  }
  const { limit = 0, offset = 0 } = limits;
  return { columns: columns.length === 1 && columns[0] === "*" ? undefined : columns, limit, offset };
}

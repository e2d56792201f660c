/** A part of a condition: `key`, `!key`, or `key operator value`. Quotation marks around a value are omitted. */
interface Term {
  readonly key: string;
  readonly operator: "is set" | "is not set" | "==" | "!=" | "=~" | "in" | ">";
  readonly value: string;
}

/** The values of context keys for a condition; `in` searches lists. */
export type Context = Readonly<Record<string, string | boolean | readonly string[]>>;

const operators = ["==", "!=", "=~", "in", ">"] as const;

/**
 * Parses a `when` condition in the format of our manifest, without parentheses: a disjunction of conjunctions of terms.
 * Throws for other formats.
 */
function parse(condition: string): readonly (readonly Term[])[] {
  return condition.split("||").map((alternative) => alternative.split("&&").map((term) => parseTerm(term.trim())));
}

function parseTerm(text: string): Term {
  const [, not, alone] = /^(!?)([\w.:-]+)$/.exec(text) ?? [];
  if (alone !== undefined) return { key: alone, operator: not === "!" ? "is not set" : "is set", value: "" };
  const [, key, sign, value] = /^([\w.:-]+)\s+(==|!=|=~|in|>)\s+(.+)$/.exec(text) ?? [];
  const operator = operators.find((candidate) => candidate === sign);
  if (key === undefined || operator === undefined || value === undefined) {
    throw new Error(`Can't read the condition "${text}".`);
  }
  return { key, operator, value: value.replace(/^'(.*)'$/, "$1") };
}

/** Normalizes a condition, because the editor sorts the terms and quotes the values of a condition that it rewrites. */
export function normalCondition(condition: string): string {
  return parse(condition)
    .map((terms) =>
      terms
        .map(({ key, operator, value }) => `${key} ${operator} ${value}`.trim())
        .toSorted()
        .join(" && "),
    )
    .toSorted()
    .join(" || ");
}

/** True if a condition applies, or if there is none. A key that is not in the context is not set. */
export function applies(condition: string | undefined, context: Context): boolean {
  if (condition === undefined) return true;
  return parse(condition).some((terms) => terms.every((term) => termApplies(term, context)));
}

function termApplies({ key, operator, value }: Term, context: Context): boolean {
  const is = context[key];
  switch (operator) {
    case "is set":
      return key === "true" || (key !== "false" && is !== undefined && is !== false && is !== "");
    case "is not set":
      return is === undefined || is === false || is === "";
    case "==":
      return String(is) === value;
    case "!=":
      return String(is) !== value;
    case "=~": {
      const [, source = "", flags = ""] = /^\/(.*)\/(\w*)$/.exec(value) ?? [];
      return typeof is === "string" && new RegExp(source, flags).test(is);
    }
    case "in": {
      const list = context[value];
      return typeof is === "string" && Array.isArray(list) && list.includes(is);
    }
    case ">":
      return Number(is) > Number(value);
  }
}

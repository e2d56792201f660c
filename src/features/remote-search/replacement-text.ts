import type { SearchQuery } from "./matches.ts";

/** The matched text, then its groups; null for a group without a part in the match. */
type Groups = readonly (string | null)[];

/** Changes the case of a letter (`u`, `l`), or of all that follow (`U`, `L`). */
type CaseChange = "u" | "l" | "U" | "L";

type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "group"; readonly numbers: readonly number[]; readonly changes: readonly CaseChange[] };

const token = /\$<([^<>$]{1,100})>|\$([$&]|\d{1,2})|\\([\\ntUuLl])/g;

/**
 * What replaces a match. For a regular expression, the text has what the editor's own Replace has: `$1`, `$&` or `$0`, `$$`,
 * `\n`, `\t`, `\\`, and `\u`, `\l`, `\U`, `\L` before a group. It also has `$<name>`. References to groups that the
 * expression doesn't have are kept as text.
 */
export function replacementFor(
  replacement: string,
  { text, isRegularExpression }: SearchQuery,
): (groups: Groups) => string {
  if (!isRegularExpression) {
    return () => replacement;
  }
  const parts = partsOf(replacement, groupsOf(text));
  return (groups) =>
    parts
      .map((part) => {
        if (part.type === "text") {
          return part.text;
        }
        const number = part.numbers.find((one) => groups[one] !== null && groups[one] !== undefined);
        return changed((number === undefined ? undefined : groups[number]) ?? "", part.changes);
      })
      .join("");
}

function partsOf(replacement: string, { count, names }: PatternGroups): readonly Part[] {
  const parts: Part[] = [];
  let changes: CaseChange[] = [];
  let end = 0;
  const addText = (text: string): void => {
    if (text !== "") {
      parts.push({ type: "text", text });
      changes = [];
    }
  };
  const addGroup = (numbers: readonly number[]): void => {
    parts.push({ type: "group", numbers, changes });
    changes = [];
  };
  for (const { 0: whole, 1: name, 2: reference, 3: sequence, index } of replacement.matchAll(token)) {
    addText(replacement.slice(end, index));
    end = index + whole.length;
    if (name !== undefined) {
      const numbers = names.get(name);
      numbers === undefined ? addText(whole) : addGroup(numbers);
    } else if (reference === "$") {
      addText("$");
    } else if (reference === "&") {
      addGroup([0]);
    } else if (reference !== undefined) {
      // As in JavaScript, `$12` is `$1` and a 2 if there are fewer than twelve groups.
      const number = [reference, reference.slice(0, 1)].find((digits) => Number(digits) <= count);
      number === undefined ? addText(whole) : addGroup([Number(number)]);
      addText(number === undefined ? "" : reference.slice(number.length));
    } else if (sequence === "u" || sequence === "l" || sequence === "U" || sequence === "L") {
      changes.push(sequence);
    } else {
      addText(sequence === "n" ? "\n" : sequence === "t" ? "\t" : "\\");
    }
  }
  addText(replacement.slice(end));
  return parts;
}

interface PatternGroups {
  readonly count: number;
  /** The numbers of named groups. Alternatives can have groups of the same name. */
  readonly names: ReadonlyMap<string, readonly number[]>;
}

/** An escape sequence, the start or end of a class, or the start of a group: a named, a numbered, or another one. */
const patternTokens = /\\.|[[\]]|\((?:\?<(?![=!])([^>]{1,100})>|\?)?/gsu;

function groupsOf(pattern: string): PatternGroups {
  const names = new Map<string, readonly number[]>();
  let count = 0;
  let isInClass = false;
  for (const [found, name] of pattern.matchAll(patternTokens)) {
    if (found === "[" || found === "]") {
      isInClass = found === "[";
    } else if (!isInClass && (found === "(" || name !== undefined)) {
      count += 1;
      if (name !== undefined) {
        names.set(name, [...(names.get(name) ?? []), count]);
      }
    }
  }
  return { count, names };
}

function changed(text: string, changes: readonly CaseChange[]): string {
  let left = text;
  let done = "";
  for (const change of changes) {
    if (change === "U" || change === "L") {
      return done + (change === "U" ? left.toUpperCase() : left.toLowerCase());
    }
    const [letter = ""] = left;
    done += change === "u" ? letter.toUpperCase() : letter.toLowerCase();
    left = left.slice(letter.length);
  }
  return done + left;
}

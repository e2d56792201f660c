import { nextTurn } from "../turns.ts";
import { charactersPerTurn, isSecretName, mayNameSecret, redacted, withoutNamedValues } from "./named-values.ts";
import { isRawNumber } from "./raw-number.ts";

/** Redacts the given secrets, and values whose names suggest a secret, in linear time. */
export interface Redaction {
  text(text: string): string;
  /** Returns the value itself if it contains no secret; otherwise a redacted copy. Member names are redacted, too. */
  value(value: unknown): unknown;
  /** Like `value`, but yields to other work if there is much to scan. */
  valueInTurns(value: unknown): Promise<unknown>;
}

/** Maximum nesting, which no real response reaches. Everything below it is redacted. */
const maxDepth = 1000;

interface ShownName {
  readonly name: string;
  readonly isSecret: boolean;
}

const maxKnownNames = 1000;

/**
 * Creates a redaction. `given` redacts only the given secrets, for a user's own files. `named` also redacts values
 * whose names suggest a secret.
 */
export function createRedaction(secrets: readonly string[], scope: "given" | "named"): Redaction {
  const forms = formsOf(secrets);
  const withoutGiven = (text: string): string =>
    forms.reduce((cleaned, form) => cleaned.replaceAll(form, redacted), text);
  /** Cached results for long strings that were already scanned. */
  const scanned = new Map<string, string>();
  function cleanText(text: string): string {
    const cleaned = withoutGiven(text);
    return scope === "named" && mayNameSecret(cleaned)
      ? (scanned.get(text) ?? toTheEnd(withoutNamedValues(cleaned)))
      : cleaned;
  }

  const hasNumber = forms.some((form) => Number.isFinite(Number(form)));
  /** The items of a list share the same few names, so cache the results. */
  const knownNames = new Map<string, ShownName>();
  function shownName(name: string): ShownName {
    const known = knownNames.get(name);
    if (known !== undefined) {
      return known;
    }
    const shown = { name: withoutGiven(name), isSecret: scope === "named" && isSecretName(name) };
    if (knownNames.size < maxKnownNames) {
      knownNames.set(name, shown);
    }
    return shown;
  }

  function clean(value: unknown, isNamed: boolean, depth: number): unknown {
    if (typeof value === "string") {
      return isNamed ? redacted : cleanText(value);
    }
    if (typeof value === "number" || isRawNumber(value)) {
      const digits = hasNumber ? JSON.stringify(value) : "";
      return withoutGiven(digits) === digits ? value : redacted;
    }
    if (typeof value !== "object" || value === null) {
      return value;
    }
    if (depth > maxDepth) {
      return redacted;
    }
    return Array.isArray(value) ? cleanItems(value, isNamed, depth) : cleanMembers(value, depth);
  }

  function cleanItems(items: readonly unknown[], isNamed: boolean, depth: number): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (const [index, item] of items.entries()) {
      const cleaned = clean(item, isNamed, depth + 1);
      if (cleaned !== item) {
        copy ??= [...items];
        copy[index] = cleaned;
      }
    }
    return copy ?? items;
  }

  function cleanMembers(value: object, depth: number): object {
    const members = Object.entries(value);
    let isChanged = false;
    for (const member of members) {
      const [name, given] = member;
      const shown = shownName(name);
      member[0] = shown.name;
      member[1] = clean(given, shown.isSecret, depth + 1);
      isChanged ||= member[1] !== given || member[0] !== name;
    }
    return isChanged ? Object.fromEntries(members) : value;
  }

  async function scanInTurns(value: unknown): Promise<void> {
    let sinceTurn = 0;
    for (const text of scope === "named" ? hintedTexts(value) : []) {
      const scan = withoutNamedValues(withoutGiven(text));
      let step = scan.next();
      for (; step.done !== true; step = scan.next()) {
        sinceTurn = 0;
        await nextTurn();
      }
      scanned.set(text, step.value);
      sinceTurn += text.length;
      if (sinceTurn > charactersPerTurn) {
        sinceTurn = 0;
        await nextTurn();
      }
    }
  }

  return {
    text: cleanText,
    value: (value) => clean(value, false, 0),
    async valueInTurns(value) {
      await scanInTurns(value);
      const cleaned = clean(value, false, 0);
      scanned.clear();
      return cleaned;
    },
  };
}

/** Shorter texts would match everywhere. */
const minSecretLength = 6;

/** The secrets that are long enough to be searched for in texts that have nothing to do with them. */
export function longEnough(secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => secret.length >= minSecretLength);
}

/** Redacts the values of secret headers, and the given secret in all other headers. */
export function withoutSecretHeaders(
  headers: Readonly<Record<string, string>>,
  secret: string,
): Record<string, string> {
  const { text } = createRedaction([secret], "named");
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? redacted : text(value)]),
  );
}

/**
 * The beginning of a body as text without secrets, up to `length` characters. A secret that would be cut is removed
 * completely. With the scope `given`, values whose names suggest a secret are kept.
 */
export function beginningOf(
  body: Uint8Array,
  length: number,
  secret: string,
  scope: "given" | "named" = "named",
): string {
  const spare = Math.max(0, ...formsOf([secret]).map((form) => form.length));
  const isCut = body.byteLength > length + spare;
  const text = createRedaction([secret], scope).text(new TextDecoder().decode(body.subarray(0, length + spare)));
  // Only the last characters before the cut can be the start of a secret.
  return text.slice(0, isCut ? Math.min(length, Math.max(0, text.length - spare)) : length);
}

/** Redacts a text that may echo the request: the given secret, and values whose names suggest a secret. */
export function withoutSecrets(text: string, secret: string): string {
  return createRedaction([secret], "named").text(text);
}

/** Secrets with only these characters are the same in JSON and in URLs. */
const plainSecret = /^[A-Za-z0-9_.~-]*$/;

/**
 * The forms of secrets: unchanged, in JSON, and in URLs. Longer ones come first, because one can begin with another.
 */
function formsOf(secrets: readonly string[]): readonly string[] {
  const [only = "", ...others] = secrets;
  if (others.length === 0 && plainSecret.test(only)) {
    return redacted.includes(only) ? [] : [only];
  }
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return [...new Set(forms)]
    .filter((form) => !redacted.includes(form))
    .toSorted((one, other) => other.length - one.length);
}

const secretHeader = /authorization|cookie|token|secret|password|credential|developer/i;

/** The strings in a value that may contain names of secrets and are too long to scan at once. */
function hintedTexts(value: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === "string" && mayNameSecret(one)) {
      texts.add(one);
      length += one.length;
    } else if (typeof one === "object" && one !== null) {
      for (const inner of Object.values(one)) {
        waiting.push(inner);
      }
    }
  }
  return length > charactersPerTurn ? texts : new Set();
}

function toTheEnd<Result>(work: Generator<void, Result>): Result {
  let step = work.next();
  while (step.done !== true) {
    step = work.next();
  }
  return step.value;
}

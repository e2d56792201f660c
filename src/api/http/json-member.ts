const quote = 0x22;
const backslash = 0x5c;

/**
 * A position in valid JSON text, for reading the source text of its values with their digits, order, and spacing. Reads
 * the text once, without recursion of its own.
 */
export class JsonCursor {
  readonly json: string;
  /** The start of a value, except between the methods. */
  position: number;

  constructor(json: string, position = 0) {
    this.json = json;
    this.position = skipSpace(json, position);
  }

  /** The first character of the value: `{`, `[`, `"`, or that of another value. */
  get first(): string | undefined {
    return this.json[this.position];
  }

  /** Calls `visit` at the value of each member of an object, if it is one. Moves to the end of the value. */
  members(visit: (name: string) => void): void {
    this.#items("{", "}", () => {
      const end = endOfString(this.json, this.position);
      const name: unknown = JSON.parse(this.json.slice(this.position, end));
      this.position = skipSpace(this.json, skipSpace(this.json, end) + 1);
      this.#visit(() => visit(String(name)));
    });
  }

  /** Calls `visit` at each element of an array, if it is one. Moves to the end of the value. */
  elements(visit: () => void): void {
    this.#items("[", "]", () => this.#visit(visit));
  }

  /** Moves to the end of the value. */
  skip(): void {
    this.position = endOfValue(this.json, this.position);
  }

  /** Skips the value unless the visit does. */
  #visit(visit: () => void): void {
    const start = this.position;
    visit();
    if (this.position === start) {
      this.skip();
    }
  }

  #items(open: string, close: string, visit: () => void): void {
    if (this.first !== open) {
      this.skip();
      return;
    }
    this.position = skipSpace(this.json, this.position + 1);
    while (this.position < this.json.length && this.first !== close) {
      visit();
      this.position = skipSpace(this.json, this.position);
      if (this.first === ",") {
        this.position = skipSpace(this.json, this.position + 1);
      }
    }
    this.position += 1;
  }
}

/**
 * The source text of a member's value in a JSON object. If several members have the name, the last one counts, as in any
 * JSON parser. Undefined if the top level has no such member. The JSON must be valid.
 */
export function memberText(json: string, member: string): string | undefined {
  const cursor = new JsonCursor(json);
  let found: string | undefined;
  cursor.members((name) => {
    const start = cursor.position;
    cursor.skip();
    if (name === member) {
      found = json.slice(start, cursor.position);
    }
  });
  return found;
}

function skipSpace(json: string, from: number): number {
  let position = from;
  while (/\s/.test(json[position] ?? "x")) {
    position += 1;
  }
  return position;
}

/** The position after a string's closing quote. `start` is the position of its opening quote. */
export function endOfString(json: string, start: number): number {
  let position = start + 1;
  for (; position < json.length; position += 1) {
    const code = json.charCodeAt(position);
    if (code === quote) {
      break;
    }
    position += code === backslash ? 1 : 0;
  }
  return position + 1;
}

function endOfValue(json: string, start: number): number {
  const first = json[start];
  if (first === '"') {
    return endOfString(json, start);
  }
  if (first !== "{" && first !== "[") {
    const rest = /[,\]}\s]/.exec(json.slice(start));
    return rest === null ? json.length : start + rest.index;
  }
  let depth = 0;
  for (let position = start; position < json.length; position += 1) {
    const character = json[position];
    if (character === '"') {
      position = endOfString(json, position) - 1;
    } else if (character === "{" || character === "[") {
      depth += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) {
        return position + 1;
      }
    }
  }
  return json.length;
}

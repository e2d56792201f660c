const quote = 0x22;
const backslash = 0x5c;

/**
 * The source text of a member's value in a JSON object, with its digits, order, and spacing. If several members have
 * the name, the last one counts, as in any JSON parser. Undefined if the top level has no such member. The JSON must be
 * valid. Reads it once, without recursion.
 */
export function memberText(json: string, member: string): string | undefined {
  let found: string | undefined;
  let position = skipSpace(json, 0);
  if (json[position] !== "{") {
    return undefined;
  }
  position = skipSpace(json, position + 1);
  while (json[position] === '"') {
    const nameEnd = endOfString(json, position);
    const name: unknown = JSON.parse(json.slice(position, nameEnd));
    const start = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const end = endOfValue(json, start);
    if (name === member) {
      found = json.slice(start, end);
    }
    position = skipSpace(json, end);
    position = json[position] === "," ? skipSpace(json, position + 1) : json.length;
  }
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

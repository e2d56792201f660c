/**
 * The text of one member's value in a JSON object, as it stands there: digits, order and spacing kept. Undefined when
 * the object has no such member at its top level. The text must be valid JSON.
 */
export function memberText(json: string, member: string): string | undefined {
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
      return json.slice(start, end);
    }
    position = skipSpace(json, end);
    position = json[position] === "," ? skipSpace(json, position + 1) : json.length;
  }
  return undefined;
}

function skipSpace(json: string, from: number): number {
  let position = from;
  while (/\s/.test(json[position] ?? "x")) {
    position += 1;
  }
  return position;
}

function endOfString(json: string, start: number): number {
  let position = start + 1;
  while (position < json.length && json[position] !== '"') {
    position += json[position] === "\\" ? 2 : 1;
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

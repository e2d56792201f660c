import { endOfString } from "./json-member.ts";

/** The same JSON with one space of indentation per level, as notebooks are stored. The JSON must be valid. */
export function indentedJson(json: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(json);
  const parts: string[] = [];
  let depth = 0;
  const line = (): string => `\n${" ".repeat(depth)}`;
  for (let position = 0; position < text.length; position += 1) {
    const character = text.charAt(position);
    if (character === '"') {
      const end = endOfString(text, position);
      parts.push(text.slice(position, end));
      position = end - 1;
    } else if (character === "{" || character === "[") {
      const next = position + 1 + (/^\s*/.exec(text.slice(position + 1, position + 100))?.[0].length ?? 0);
      const isEmpty = text[next] === (character === "{" ? "}" : "]");
      depth += isEmpty ? 0 : 1;
      parts.push(isEmpty ? text.charAt(position) + text.charAt(next) : character + line());
      position = isEmpty ? next : position;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      parts.push(line(), character);
    } else if (character === ",") {
      parts.push(character, line());
    } else if (character === ":") {
      parts.push(": ");
    } else if (!/\s/.test(character)) {
      parts.push(character);
    }
  }
  return new TextEncoder().encode(`${parts.join("")}\n`);
}

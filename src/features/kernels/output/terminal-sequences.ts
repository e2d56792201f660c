export const escapeCharacter = "\u001b";
/** Maximum length of an escape sequence, in characters. Longer ones are treated as text. */
const longestSequence = 64;

/** A part of a stream's text: text to write, or a movement of the cursor. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "return" | "backspace" | "newline" }
  | { readonly type: "move"; readonly direction: "A" | "B" | "C" | "D"; readonly count: number }
  | { readonly type: "erase"; readonly mode: number };

/** Splits a text into parts. Color sequences stay in the text. */
export function* partsOf(chunk: string): Generator<Part> {
  let start = 0;
  for (let index = 0; index < chunk.length; ) {
    const control = controlAt(chunk, index);
    if (control === undefined) {
      index += 1;
      continue;
    }
    if (index > start) {
      yield { type: "text", text: chunk.slice(start, index) };
    }
    yield control.part;
    index = control.end;
    start = index;
  }
  if (start < chunk.length) {
    yield { type: "text", text: chunk.slice(start) };
  }
}

function controlAt(chunk: string, index: number): { readonly part: Part; readonly end: number } | undefined {
  switch (chunk[index]) {
    case "\r":
      return { part: { type: "return" }, end: index + 1 };
    case "\b":
      return { part: { type: "backspace" }, end: index + 1 };
    case "\n":
      return { part: { type: "newline" }, end: index + 1 };
    case escapeCharacter: {
      const sequence = sequenceAt(chunk, index);
      return sequence.type === "complete" ? movementOf(chunk, index, sequence.end) : undefined;
    }
    default:
      return undefined;
  }
}

function movementOf(
  chunk: string,
  index: number,
  end: number,
): { readonly part: Part; readonly end: number } | undefined {
  const direction = chunk[end - 1];
  const given = Number.parseInt(chunk.slice(index + 2, end - 1), 10);
  switch (direction) {
    case "A":
    case "B":
    case "C":
    case "D":
      return { part: { type: "move", direction, count: Number.isNaN(given) ? 1 : Math.max(1, given) }, end };
    case "K":
      return { part: { type: "erase", mode: Number.isNaN(given) ? 0 : given }, end };
    default:
      return undefined;
  }
}

type Sequence =
  | { readonly type: "none" }
  | { readonly type: "incomplete" }
  | { readonly type: "complete"; readonly end: number };

/** The control sequence (ESC [ parameters letter) at an index. */
export function sequenceAt(text: string, index: number): Sequence {
  if (text[index] !== escapeCharacter) {
    return { type: "none" };
  }
  if (index + 1 === text.length) {
    return { type: "incomplete" };
  }
  if (text[index + 1] !== "[") {
    return { type: "none" };
  }
  const last = Math.min(text.length, index + longestSequence);
  for (let next = index + 2; next < last; next += 1) {
    const code = text.charCodeAt(next);
    if (code >= 0x40 && code <= 0x7e) {
      return { type: "complete", end: next + 1 };
    }
    if (code < 0x20 || code > 0x3f) {
      return { type: "none" };
    }
  }
  return last === text.length ? { type: "incomplete" } : { type: "none" };
}

/** The end of a text without an incomplete sequence at its end. */
export function endOfComplete(text: string): number {
  const index = text.lastIndexOf(escapeCharacter);
  return index >= 0 && sequenceAt(text, index).type === "incomplete" ? index : text.length;
}

/** True if the text contains anything other than plain text, line breaks, and colors. */
export function hasMovement(text: string): boolean {
  if (text.includes("\r") || text.includes("\b")) {
    return true;
  }
  for (let index = text.indexOf(escapeCharacter); index >= 0; index = text.indexOf(escapeCharacter, index + 1)) {
    if (controlAt(text, index) !== undefined) {
      return true;
    }
  }
  return false;
}

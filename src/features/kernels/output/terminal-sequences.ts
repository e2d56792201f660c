import { escapeCharacter, sequenceAt } from "../../../api/escape-sequences.ts";

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
      const isControl = sequence.type === "complete" && sequence.kind === "control";
      return isControl ? movementOf(chunk, index, sequence.end) : undefined;
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

/** The end of a text without an incomplete sequence at its end. Links and titles are not movements, so they can end later. */
export function endOfComplete(text: string): number {
  const index = text.lastIndexOf(escapeCharacter);
  const sequence = index < 0 ? undefined : sequenceAt(text, index);
  return sequence?.type === "incomplete" && sequence.kind === "control" ? index : text.length;
}

/**
 * A text up to an index, without escape characters that begin no sequence. Written before other text, they would begin one
 * with it.
 */
export function withoutLoneEscapes(text: string, end: number): string {
  let kept = "";
  let start = 0;
  let index = text.indexOf(escapeCharacter);
  for (; index >= 0 && index < end; index = text.indexOf(escapeCharacter, index + 1)) {
    if (sequenceAt(text, index).type === "none") {
      kept += text.slice(start, index);
      start = index + 1;
    }
  }
  return kept + text.slice(start, end);
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

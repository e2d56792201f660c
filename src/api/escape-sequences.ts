export const escapeCharacter = "\u001b";

/** Maximum length of a control sequence, in characters. Longer ones are treated as text. */
const maxControlLength = 64;
/** Maximum length of what a command string contains, in characters. */
const maxStringLength = 65_536;
/** Maximum length of the parameters of a link, in characters. */
const maxLinkParameters = 256;

/** An escape sequence of a terminal, as ECMA-48 and xterm define them. */
export type Sequence =
  | { readonly type: "none" }
  /** The text ends within the sequence. If nothing follows, the text from `textFrom` on is to be shown. */
  | { readonly type: "incomplete"; readonly kind: "control" | "string"; readonly textFrom: number }
  | { readonly type: "complete"; readonly kind: "color" | "control" | "string" | "other"; readonly end: number };

const none: Sequence = { type: "none" };

/**
 * The sequence that begins at an index. A command string, such as a link or a window title, must end on its line.
 * Otherwise, only its introducer is a sequence, so that a program can't hide the text after it. A scan of a whole text
 * takes time proportional to its length.
 */
export function sequenceAt(text: string, index: number): Sequence {
  const code = text.charCodeAt(index);
  if (code !== 0x1b) {
    return code === 0x9b ? controlAt(text, index, index + 1) : isStringOpener(code) ? stringAt(text, index + 1) : none;
  }
  if (index + 1 === text.length) {
    return { type: "incomplete", kind: "control", textFrom: text.length };
  }
  const next = text.charCodeAt(index + 1);
  if (next === 0x5b) {
    return controlAt(text, index, index + 2);
  }
  // The one-character forms of these are 0x40 higher.
  if (isStringOpener(next + 0x40)) {
    return stringAt(text, index + 2);
  }
  return otherAt(text, index);
}

/** True for the one-character forms of DCS, SOS, OSC, PM, and APC. */
function isStringOpener(code: number): boolean {
  return code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f);
}

/** CSI, parameters, and a letter. */
function controlAt(text: string, index: number, start: number): Sequence {
  const last = Math.min(text.length, index + maxControlLength);
  let isColor = true;
  for (let next = start; next < last; next += 1) {
    const code = text.charCodeAt(next);
    if (code >= 0x40 && code <= 0x7e) {
      return { type: "complete", kind: isColor && code === 0x6d ? "color" : "control", end: next + 1 };
    }
    if (code < 0x20 || code > 0x3f) {
      return none;
    }
    isColor &&= code >= 0x30 && code <= 0x3b;
  }
  return last === text.length ? { type: "incomplete", kind: "control", textFrom: last } : none;
}

/** ESC, intermediate characters, and a final one, such as the choice of a character set. */
function otherAt(text: string, index: number): Sequence {
  const last = Math.min(text.length, index + maxControlLength);
  for (let next = index + 1; next < last; next += 1) {
    const code = text.charCodeAt(next);
    if (code >= 0x30 && code <= 0x7e) {
      return { type: "complete", kind: "other", end: next + 1 };
    }
    if (code < 0x20 || code > 0x2f) {
      return none;
    }
  }
  return last === text.length ? { type: "incomplete", kind: "control", textFrom: last } : none;
}

/** A command string after its opener, up to BEL or ST. */
function stringAt(text: string, start: number): Sequence {
  const last = Math.min(text.length, start + maxStringLength);
  for (let next = start; next < last; next += 1) {
    const code = text.charCodeAt(next);
    if (code === 0x07 || code === 0x9c) {
      return { type: "complete", kind: "string", end: next + 1 };
    }
    if (code === 0x1b && next + 1 < text.length && text.charCodeAt(next + 1) === 0x5c) {
      return { type: "complete", kind: "string", end: next + 2 };
    }
    if (code === 0x1b && next + 1 === text.length) {
      break;
    }
    if ((code < 0x20 && code !== 0x09) || (code >= 0x7f && code <= 0x9f)) {
      return { type: "complete", kind: "string", end: introducerEnd(text, start) };
    }
  }
  const textFrom = introducerEnd(text, start);
  return text.length - start <= maxStringLength
    ? { type: "incomplete", kind: "string", textFrom }
    : { type: "complete", kind: "string", end: textFrom };
}

/** The end of the number of a command, and of a link's parameters: `8;id=7;`. */
function introducerEnd(text: string, start: number): number {
  const [introducer = "", number] = /^(\d{1,4});/.exec(text.slice(start, start + 5)) ?? [];
  const end = start + introducer.length;
  if (number !== "8") {
    return end;
  }
  const parameters = /^[^;\p{Cc}]*;/u.exec(text.slice(end, end + maxLinkParameters));
  return end + (parameters?.[0].length ?? 0);
}

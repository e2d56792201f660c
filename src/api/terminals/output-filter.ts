import { sequenceAt } from "../escape-sequences.ts";

/** Maximum number of characters of a sequence that is complete only with the next output. */
const maxHeldLength = 8192;
/** Every control character that isn't part of plain text. */
const special = /[^\P{Cc}\n\r\t]/gu;
/** OSC commands for the terminal's colors, which a program also reads: palette, text, background, cursor. */
const colorCommand = /^(?:4|10|11|12|104|110|111|112)(?:;|$)/;
const link = /^8;([^;]*);(.*)$/;
/** A link that the editor opens in the browser. All other schemes would open a local file or run an extension. */
const webAddress = /^https?:\/\/[\u0021-\u007e]{1,2000}$/;
/** Sequences that a terminal replies to: status, attributes, modes, size, checksums, keyboard, version. */
const controlQuery = /^\[(?:[?>=]?[\d;]*[cn]|\??[\d;]*\$p|[\d;]*x|(?:1[1-9]|2[01])[\d;]*t|\?u|>[\d;]*q|[\d;]*\*y)$/;
/** Modes that switch to the screen of full-screen programs, and back. */
const screenModes: ReadonlySet<string> = new Set(["47", "1047", "1049"]);

/** Whose output the filter gets. `earlier`: output that the server repeats, whose queries were answered long ago. */
export type OutputAge = "current" | "earlier";

/**
 * The output of a terminal as the editor's terminal may get it: text, colors, movements, modes, and links to the web.
 * A server can't change the clipboard, the title, the editor's record of commands, or show images. Output arrives in
 * chunks, each of which can end within a sequence.
 */
export class OutputFilter {
  /** The beginning of a sequence at the end of the last chunk. */
  #held = "";
  #isFullScreen: boolean;

  constructor(isFullScreen = false) {
    this.#isFullScreen = isFullScreen;
  }

  /** True if a full-screen program has switched to its screen. */
  get isFullScreen(): boolean {
    return this.#isFullScreen;
  }

  write(chunk: string, age: OutputAge): string {
    const text = this.#held + chunk;
    this.#held = "";
    let shown = "";
    let start = 0;
    special.lastIndex = 0;
    for (let found = special.exec(text); found !== null; found = special.exec(text)) {
      const { index } = found;
      shown += text.slice(start, index);
      const sequence = sequenceAt(text, index);
      if (sequence.type === "incomplete" && text.length - index <= maxHeldLength) {
        this.#held = text.slice(index);
        return shown;
      }
      let next = index + 1;
      start = isOpener(text.charCodeAt(index)) ? next : index;
      if (sequence.type === "complete") {
        next = sequence.end;
        start = next;
        shown += this.#passed(text.slice(index, next), sequence.kind, age);
      } else if (sequence.type === "incomplete") {
        // Without its first characters, the rest is text.
        next = sequence.textFrom;
        start = next;
      }
      special.lastIndex = next;
    }
    return shown + text.slice(start);
  }

  /** The sequence, changed to its safe form; empty if it must not pass. */
  #passed(sequence: string, kind: "color" | "control" | "string" | "other", age: OutputAge): string {
    // The one-character forms are replaced, because they are rare, and mean the same.
    const isShort = sequence.charCodeAt(0) !== 0x1b;
    const body = isShort ? String.fromCharCode(sequence.charCodeAt(0) - 0x40) + sequence.slice(1) : sequence.slice(1);
    switch (kind) {
      case "color":
        return `\u001b${body}`;
      case "control": {
        this.#isFullScreen = screenSwitchOf(body) ?? this.#isFullScreen;
        return age === "earlier" && controlQuery.test(body) ? "" : `\u001b${body}`;
      }
      case "string":
        return passedString(body, age);
      case "other":
        this.#isFullScreen &&= body !== "c";
        // DECID is a query, too.
        return age === "earlier" && body === "Z" ? "" : `\u001b${body}`;
    }
  }
}

/** True for the escape character, and for control characters of one byte that can begin a sequence. */
function isOpener(code: number): boolean {
  return code === 0x1b || code >= 0x80;
}

/** True for the switch to the screen of full-screen programs, false for the switch back. */
function screenSwitchOf(body: string): boolean | undefined {
  const end = body.at(-1);
  const isSwitch = body.startsWith("[?") && (end === "h" || end === "l");
  const modes = isSwitch ? body.slice(2, -1).split(";") : [];
  return modes.some((mode) => screenModes.has(mode)) ? end === "h" : undefined;
}

function passedString(body: string, age: OutputAge): string {
  const content = contentOf(body);
  if (content === undefined) {
    return "";
  }
  if (body.startsWith("P")) {
    // A program reads the cursor's style and the like (DECRQSS).
    return age === "current" && /^\$q[\u0020-\u007e]{0,8}$/.test(content) ? `\u001bP${content}\u001b\\` : "";
  }
  if (!body.startsWith("]")) {
    return "";
  }
  const [, parameters = "", address] = link.exec(content) ?? [];
  if (address !== undefined) {
    const target = webAddress.test(address) && /^[\u0020-\u007e]{0,256}$/.test(parameters) ? content : "8;;";
    return `\u001b]${target}\u001b\\`;
  }
  const isPassed = colorCommand.test(content) && /^[\u0020-\u007e]{1,256}$/.test(content);
  return isPassed && !(age === "earlier" && content.includes("?")) ? `\u001b]${content}\u001b\\` : "";
}

/** What is between the opener of a command string and its end; undefined if it has no end. */
function contentOf(body: string): string | undefined {
  for (const end of ["\u001b\\", "\u0007", "\u009c"]) {
    if (body.endsWith(end)) {
      return body.slice(1, -end.length);
    }
  }
  return undefined;
}

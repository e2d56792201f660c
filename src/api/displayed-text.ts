import { sequenceAt } from "./escape-sequences.ts";
import { shortened } from "./text.ts";

// Text from servers and kernels is made safe here, and only here, before a terminal, the editor, or a model gets it.

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
const invisibleWithinLines = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * Puts the text on a single line. Escapes control characters, line breaks, and characters that change the text
 * direction.
 */
export function onOneLine(text: string): string {
  return text.replace(invisible, escaped);
}

/** Like `onOneLine`, but keeps line feeds and tabs. */
export function onLines(text: string): string {
  return text.replace(invisibleWithinLines, escaped);
}

const misleading = /[^\P{Cc}\n\t]|[\p{Cs}\u200b\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * The text for a label, a message, or the log. Escapes control characters, changes of the text direction, and characters
 * without a width. Keeps line feeds, tabs, and the joiners of emoji and of scripts that need them.
 */
export function displayedText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(misleading, escaped);
}

/** Characters. More of a name or a sentence delays the window, and isn't readable in a row. */
const maxNameLength = 1_000;
const maxTooltipLength = 10_000;

/** The text for a row, an item of a list, or a title. Like `displayedText`, but shortens long text. */
export function displayedName(text: string): string {
  return displayedText(shortened(text, maxNameLength));
}

/** Like `displayedName`, but for text on several lines. */
export function displayedTooltip(text: string): string {
  return displayedText(shortened(text, maxTooltipLength));
}

/** Like `displayedName`, for places where the editor shows `$(name)` as an icon: the status bar and lists of choices. */
export function nameWithoutIcons(text: string): string {
  return displayedName(text).replace(/(?<!\\)\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g, "\\$&");
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return `\\u{${code}}`;
}

/**
 * The same JSON text, but with escapes for the control characters and the changes of the text direction that JSON
 * permits in strings.
 */
export function escapedJson(json: string): string {
  return json.replace(
    /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The text without escape sequences, other control characters, and changes of the text direction. */
export function plainText(text: string): string {
  const filter = new EscapeFilter({ keepsColors: false });
  return (filter.write(text) + filter.end()).replaceAll("\r\n", "\n");
}

/** Like `plainText`, but with the colors, and with carriage returns. */
export function textWithColors(text: string): string {
  const filter = new EscapeFilter({ keepsColors: true });
  return filter.write(text) + filter.end();
}

/**
 * Removes the escape sequences from a text that arrives in chunks, each of which can end within a sequence. Links keep
 * their text, and lose their address.
 */
export class EscapeFilter {
  readonly #keepsColors: boolean;
  /** The beginning of a sequence at the end of the last chunk. Limited by the length of a sequence. */
  #held = "";

  constructor({ keepsColors }: { readonly keepsColors: boolean }) {
    this.#keepsColors = keepsColors;
  }

  write(chunk: string): string {
    const text = this.#held + chunk;
    this.#held = "";
    return this.#filtered(text, false);
  }

  /** The rest, if the text ends within a sequence. */
  end(): string {
    const text = this.#held;
    this.#held = "";
    return this.#filtered(text, true);
  }

  #filtered(text: string, isEnd: boolean): string {
    // Line feeds, carriage returns, and tabs stay.
    const special = /[^\P{Cc}\n\r\t]|[\u202a-\u202e\u2066-\u2069]/gu;
    let shown = "";
    let start = 0;
    for (let found = special.exec(text); found !== null; found = special.exec(text)) {
      shown += text.slice(start, found.index);
      const sequence = sequenceAt(text, found.index);
      if (sequence.type === "incomplete" && !isEnd) {
        this.#held = text.slice(found.index);
        return shown;
      }
      start = found.index + 1;
      if (sequence.type === "incomplete") {
        start = sequence.textFrom;
      } else if (sequence.type === "complete") {
        start = sequence.end;
        const isKept = this.#keepsColors && sequence.kind === "color" && found[0] === "\u001b";
        shown += isKept ? text.slice(found.index, start) : "";
      }
      special.lastIndex = start;
    }
    return shown + text.slice(start);
  }
}

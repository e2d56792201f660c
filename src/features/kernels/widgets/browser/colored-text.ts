import { textWithColors } from "../../../../api/displayed-text.ts";
import { escapeCharacter, sequenceAt } from "../../../../api/escape-sequences.ts";
import { TerminalText } from "../../output/terminal-text.ts";

const colors = ["Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"];

interface Style {
  color: string | undefined;
  background: string | undefined;
  isBold: boolean;
  isUnderlined: boolean;
}

/** Renders text like a terminal: removes overwritten text, and uses the editor's sixteen terminal colors. */
export function coloredText(text: string): DocumentFragment {
  const terminal = new TerminalText();
  terminal.write(text);
  const shown = textWithColors(terminal.text);
  const fragment = document.createDocumentFragment();
  const style: Style = { color: undefined, background: undefined, isBold: false, isUnderlined: false };
  let start = 0;
  const add = (end: number): void => {
    if (end > start) {
      fragment.append(span(shown.slice(start, end), style));
    }
  };
  for (let index = shown.indexOf(escapeCharacter); index >= 0; index = shown.indexOf(escapeCharacter, index + 1)) {
    const sequence = sequenceAt(shown, index);
    if (sequence.type === "complete") {
      add(index);
      start = sequence.end;
      if (shown[sequence.end - 1] === "m") {
        change(
          style,
          shown
            .slice(index + 2, sequence.end - 1)
            .split(";")
            .map(Number),
        );
      }
    }
  }
  add(shown.length);
  return fragment;
}

function span(text: string, { color, background, isBold, isUnderlined }: Style): Node {
  if (color === undefined && background === undefined && !isBold && !isUnderlined) {
    return document.createTextNode(text);
  }
  const made = document.createElement("span");
  made.textContent = text;
  made.style.color = color ?? "";
  made.style.backgroundColor = background ?? "";
  made.style.fontWeight = isBold ? "bold" : "";
  made.style.textDecoration = isUnderlined ? "underline" : "";
  return made;
}

function change(style: Style, codes: readonly number[]): void {
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      // 256 colors and true colors are not supported. Skip their parameters.
      index += codes[index + 1] === 5 ? 2 : 4;
    } else {
      changeBy(style, code);
    }
  }
}

function changeBy(style: Style, code: number): void {
  if (code === 0) {
    style.color = undefined;
    style.background = undefined;
    style.isBold = false;
    style.isUnderlined = false;
  } else if (code === 1 || code === 22) {
    style.isBold = code === 1;
  } else if (code === 4 || code === 24) {
    style.isUnderlined = code === 4;
  } else if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97)) {
    style.color = colorOf(code % 10, code >= 90);
  } else if ((code >= 40 && code <= 49) || (code >= 100 && code <= 107)) {
    style.background = colorOf(code % 10, code >= 100);
  }
}

function colorOf(digit: number, isBright: boolean): string | undefined {
  const name = colors[digit];
  return name === undefined ? undefined : `var(--vscode-terminal-ansi${isBright ? "Bright" : ""}${name})`;
}

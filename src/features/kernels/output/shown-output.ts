import { createHash } from "node:crypto";
import type * as vscode from "vscode";
import type { ExecutionEvent, MimeBundle } from "../../../api/kernels/executions/executions.ts";
import { endOf, overlapOf } from "../../../api/text-overlap.ts";
import { type Output, withoutNotice } from "./cell-outputs.ts";
import { outputItems, streamOf } from "./output-items.ts";
import { hasMovement } from "./terminal-sequences.ts";
import { TerminalText } from "./terminal-text.ts";

/** Number of characters that are the same only because they are the same output. */
const leastDistinct = 1000;
/** Maximum number of characters of a stream that overwrites its text. Each overwriting takes time for a whole row. */
const maxOverwrittenLength = 1_000_000;
/** Between texts of different streams. */
const switchMark = "\u0001";
/** Around the hash of another output. */
const hashMark = "\0";

export function isOutputEvent(event: ExecutionEvent): event is Output {
  return ["stream", "display", "result", "error"].includes(event.type);
}

/**
 * Removes what a cell already shows from output that is sent again without its beginning: the output with which the cell
 * ends. Returns other events unchanged.
 */
export function withoutShown(
  events: readonly ExecutionEvent[],
  shown: readonly vscode.NotebookCellOutput[],
): readonly ExecutionEvent[] {
  const start = events.findIndex(({ type }) => type === "partialReplay");
  if (start < 0) {
    return events;
  }
  const before = events.slice(0, start);
  const sent = events.slice(start).filter(({ type }) => type !== "partialReplay");
  if (sent.some(({ type }) => type === "clearOutput")) {
    // The cell shows nothing of what it showed before.
    return [...before, { type: "clearOutput", wait: false }, ...sent];
  }
  const outputs = combined(sent);
  if (outputs === undefined) {
    return [...before, ...sent];
  }
  const pieces = piecesOf(outputs.map((output) => ({ items: outputItems(output) })));
  const length = shownLength(piecesOf(shown).join(""), pieces.join(""));
  // Without an overlap, text must stay as it was sent, because it may overwrite what the cell shows.
  return length === 0
    ? [...before, ...sent]
    : [...before, ...after(length, outputs, pieces), ...sent.filter((event) => !isOutputEvent(event))];
}

/**
 * The outputs that the events result in; undefined if that takes too long to determine. Takes time proportional to the
 * length of the events.
 */
function combined(events: readonly ExecutionEvent[]): readonly Output[] | undefined {
  const outputs: Output[] = [];
  for (const output of updated(events)) {
    const last = outputs.at(-1);
    if (output.type === "stream" && last?.type === "stream" && output.name === last.name) {
      outputs[outputs.length - 1] = { type: "stream", name: last.name, text: last.text + output.text };
    } else {
      outputs.push(output);
    }
  }
  const isSlow = outputs.some(
    (output) => output.type === "stream" && output.text.length > maxOverwrittenLength && hasMovement(output.text),
  );
  return isSlow
    ? undefined
    : outputs.map((output) => (output.type === "stream" ? { ...output, text: asShown(output.text) } : output));
}

/** The output events, whose displays have the content of their last update. */
function updated(events: readonly ExecutionEvent[]): readonly Output[] {
  const latest = new Map<string, MimeBundle>();
  const outputs = events.toReversed().flatMap((event): readonly Output[] => {
    if (event.type === "updateDisplay" && !latest.has(event.displayId)) {
      latest.set(event.displayId, event.bundle);
    }
    if (event.type === "display" || event.type === "result") {
      return [{ ...event, bundle: latest.get(event.displayId ?? "") ?? event.bundle }];
    }
    return isOutputEvent(event) ? [event] : [];
  });
  return outputs.toReversed();
}

function asShown(text: string): string {
  const terminal = new TerminalText();
  terminal.write(text);
  return terminal.text;
}

/** One text for each output: the text of a stream, preceded by a mark if it is another one, or a hash. */
function piecesOf(outputs: readonly Pick<vscode.NotebookCellOutput, "items">[]): readonly string[] {
  let last: string | undefined;
  return outputs.map((output) => {
    const stream = streamOf(output);
    if (stream === undefined) {
      last = undefined;
      return hashMark + hashOf(output.items) + hashMark;
    }
    const mark = last === undefined || last === stream.name ? "" : switchMark;
    last = stream.name;
    return mark + stream.text;
  });
}

function hashOf(items: readonly vscode.NotebookCellOutputItem[]): string {
  const hash = createHash("sha256");
  for (const { mime, data } of items.toSorted((one, other) => (one.mime < other.mime ? -1 : 1))) {
    hash.update(`${mime} ${data.length} `).update(data);
  }
  return hash.digest("hex");
}

/** Number of characters at the beginning of the sent output that are shown. */
function shownLength(shown: string, sent: string): number {
  const end = withoutNotice(shown);
  const isShortened = end.length < shown.length && end.length >= leastDistinct;
  const place = isShortened ? endOf(end, sent) : 0;
  if (place > 0) {
    return place;
  }
  const overlap = overlapOf(shown, sent);
  if (overlap < leastDistinct && end.length >= leastDistinct) {
    // The cell can lack output between what it shows, and says so: what is sent contains its end somewhere.
    const endPlace = endOf(end.slice(-leastDistinct), sent);
    if (endPlace > 0) {
      return endPlace;
    }
  }
  const before = shown.at(-overlap - 1) ?? "\n";
  // A few equal characters in the middle of a line prove nothing, and output must not get lost.
  return overlap >= leastDistinct || ["\n", switchMark, hashMark].includes(before) ? overlap : 0;
}

/** The outputs after this number of characters of their pieces. */
function after(length: number, outputs: readonly Output[], pieces: readonly string[]): readonly Output[] {
  let end = 0;
  return outputs.flatMap((output, index) => {
    const piece = pieces[index] ?? "";
    const left = end + piece.length - length;
    end += piece.length;
    if (left <= 0) {
      return [];
    }
    const isPartlyShown = output.type === "stream" && left < piece.length;
    return isPartlyShown ? [{ ...output, text: piece.slice(-left).replace(switchMark, "") }] : [output];
  });
}

import type { ExecutionEvent, MimeBundle } from "../../../api/kernels/executions/executions.ts";
import { detached } from "../../../api/text.ts";
import { sizeOf } from "./mime-bundle.ts";
import { type TerminalPosition, TerminalText } from "./terminal-text.ts";

/** One output of a cell, as Jupyter saves it. */
export type Output =
  | { readonly type: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | { readonly type: "display"; readonly bundle: MimeBundle; readonly displayId: string | undefined }
  | {
      readonly type: "result";
      readonly bundle: MimeBundle;
      readonly executionCount: number | undefined;
      readonly displayId: string | undefined;
    }
  | { readonly type: "error"; readonly name: string; readonly value: string; readonly traceback: readonly string[] };

/** Identifies an output for as long as it belongs to the cell. */
export type OutputKey = number;

/** A change that the editor needs to show the current outputs. Changes apply in order. */
export type OutputChange =
  /** Replaces all outputs of the cell. */
  | { readonly type: "replaceAll"; readonly outputs: readonly KeyedOutput[] }
  | { readonly type: "append"; readonly outputs: readonly KeyedOutput[] }
  | { readonly type: "appendText"; readonly key: OutputKey; readonly name: "stdout" | "stderr"; readonly text: string }
  | { readonly type: "replace"; readonly key: OutputKey; readonly output: Output };

export interface KeyedOutput {
  readonly key: OutputKey;
  readonly output: Output;
}

/** The amount of output that is not shown because it exceeds the limit. */
export interface LeftOut {
  readonly characters: number;
  readonly outputs: number;
}

/** An output that a cell shows. `size`: number of characters. */
export type ShownOutput =
  | { readonly type: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | { readonly type: "other"; readonly size: number };

/** What is known of outputs in addition to what their cell shows. */
export interface RestingOutputs {
  readonly nextKey: OutputKey;
  /** Number of outputs that the cell shows. */
  readonly count: number;
  readonly leftOut: LeftOut;
  readonly clearsWithNext: boolean;
  readonly isFlooded: boolean;
  /** Of the text at the end. */
  readonly position: TerminalPosition | undefined;
}

export const nothingLeftOut: LeftOut = { characters: 0, outputs: 0 };

type Content =
  | { readonly type: "text"; readonly name: "stdout" | "stderr"; readonly text: TerminalText }
  | { readonly type: "tail"; readonly name: "stdout" | "stderr"; readonly text: TerminalText }
  | { readonly type: "output"; readonly output: Exclude<Output, { readonly type: "stream" }>; readonly size: number };

interface Entry {
  readonly key: OutputKey;
  content: Content;
  /** The change that is not shown in the editor yet. */
  change: "new" | "none" | "replace" | { readonly appended: string };
}

/** Number of characters that an output counts for at least. A kernel can send any number of empty ones. */
const leastSize = 16;

/** Number of characters that are shown at the end of output beyond the limit. */
const tailLength = 32_768;

/**
 * The outputs of one cell. Messages change only this model. `takeChanges` returns the changes since the last call,
 * combined, so that 10,000 updates of a progress bar become a few changes in the editor.
 *
 * Beyond a limit, only the beginning and the end are shown, with a line between them that states how much is omitted.
 */
export class CellOutputs {
  readonly #limit: number;
  readonly #notice: (leftOut: LeftOut) => string;
  /** By key, in the order of the cell. */
  #entries = new Map<OutputKey, Entry>();
  #last: Entry | undefined;
  /** The entries with changes that are not shown yet. */
  readonly #changed = new Set<Entry>();
  #nextKey = 0;
  #isReplaced = false;
  #clearsWithNext = false;
  #size = 0;
  #leftOut = nothingLeftOut;

  /** `limit`: number of characters that are shown. `notice` returns the line that replaces the omitted output. */
  constructor(limit: number, notice: (leftOut: LeftOut) => string) {
    this.#limit = limit;
    this.#notice = notice;
  }

  get leftOut(): LeftOut {
    return this.#leftOut;
  }

  /** True once the output exceeds the limit, so that only its end changes. */
  get isFlooded(): boolean {
    return this.#last?.content.type === "tail";
  }

  /** True if text of this length exceeds the limit. */
  exceeds(length: number): boolean {
    return this.#size + length > this.#limit;
  }

  /** True if there is no change since the last call of `takeChanges`. */
  get isShown(): boolean {
    return !this.#isReplaced && this.#changed.size === 0;
  }

  /** The part of the state that the cell doesn't show. */
  get resting(): RestingOutputs {
    const last = this.#last?.content;
    return {
      nextKey: this.#nextKey,
      count: this.#entries.size,
      leftOut: this.#leftOut,
      clearsWithNext: this.#clearsWithNext,
      isFlooded: this.isFlooded,
      position: last === undefined || last.type === "output" ? undefined : last.text.position,
    };
  }

  /**
   * Continues with the outputs that the cell shows. If their number differs, the user has cleared them meanwhile, and
   * displays can no longer be updated. Returns their keys.
   */
  resume({ nextKey, count, ...resting }: RestingOutputs, shown: readonly ShownOutput[]): readonly OutputKey[] {
    const isSame = shown.length === count;
    this.#nextKey = isSame ? nextKey - count : nextKey;
    const keys = shown.map((output, index) => {
      const isLast = isSame && index === shown.length - 1;
      this.#size += output.type === "stream" ? output.text.length : output.size;
      return this.#add(contentOf(output, isLast ? resting : undefined));
    });
    this.drainChanges();
    this.#leftOut = isSame ? resting.leftOut : nothingLeftOut;
    this.#clearsWithNext = resting.clearsWithNext;
    return keys;
  }

  /** Applies an output event. Returns the key of a display with an id, for later updates. */
  add(event: ExecutionEvent): { readonly displayId: string; readonly key: OutputKey } | undefined {
    switch (event.type) {
      case "stream":
        this.#clearIfAsked();
        this.#write(event.name, event.text);
        return undefined;
      case "display":
      case "result":
        this.#clearIfAsked();
        return this.#addDisplay(event);
      case "error":
        this.#clearIfAsked();
        this.#add({ type: "output", output: event, size: 0 });
        return undefined;
      case "clearOutput":
        if (event.wait) {
          this.#clearsWithNext = true;
        } else {
          this.clear();
        }
        return undefined;
      default:
        return undefined;
    }
  }

  /** Replaces the content of a display. The type of the output does not change, as `update_display_data` requires. */
  update(key: OutputKey, bundle: MimeBundle): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.content.type !== "output" || entry.content.output.type === "error") {
      return;
    }
    const { output, size: before } = entry.content;
    const size = countedSize(bundle);
    this.#size += size - before;
    entry.content = { type: "output", output: { ...output, bundle }, size };
    this.#markChanged(entry, "replace");
  }

  /** Removes all outputs. */
  clear(): void {
    this.#entries.clear();
    this.#changed.clear();
    this.#last = undefined;
    this.#isReplaced = true;
    this.#clearsWithNext = false;
    this.#size = 0;
    this.#leftOut = nothingLeftOut;
  }

  /** The changes since the last call. */
  drainChanges(): readonly OutputChange[] {
    let changes: OutputChange[];
    if (this.#isReplaced) {
      changes = [{ type: "replaceAll", outputs: [...this.#entries.values()].map((entry) => this.#keyed(entry)) }];
    } else {
      const changed = [...this.#changed];
      const added = changed.filter(({ change }) => change === "new");
      changes = changed.flatMap((entry) => this.#changeOf(entry));
      if (added.length > 0) {
        changes.push({ type: "append", outputs: added.map((entry) => this.#keyed(entry)) });
      }
    }
    this.#isReplaced = false;
    for (const entry of this.#changed) {
      entry.change = "none";
    }
    this.#changed.clear();
    return changes;
  }

  /** All current outputs. */
  get outputs(): readonly Output[] {
    return [...this.#entries.values()].map((entry) => this.#keyed(entry).output);
  }

  #changeOf({ key, content, change }: Entry): readonly OutputChange[] {
    if (change === "new" || change === "none") {
      return [];
    }
    return change === "replace" || content.type !== "text"
      ? [{ type: "replace", key, output: this.#outputOf(content) }]
      : [{ type: "appendText", key, name: content.name, text: change.appended }];
  }

  #clearIfAsked(): void {
    if (this.#clearsWithNext) {
      this.clear();
    }
  }

  #addDisplay(
    event: Extract<ExecutionEvent, { readonly type: "display" | "result" }>,
  ): { readonly displayId: string; readonly key: OutputKey } | undefined {
    const size = countedSize(event.bundle);
    if (this.#size + size > this.#limit && this.#entries.size > 0) {
      this.#leftOut = { characters: this.#leftOut.characters + size, outputs: this.#leftOut.outputs + 1 };
      this.#writeTail("stdout", "");
      return undefined;
    }
    this.#size += size;
    const key = this.#add({ type: "output", output: event, size });
    return event.displayId === undefined ? undefined : { displayId: event.displayId, key };
  }

  #write(name: "stdout" | "stderr", text: string): void {
    let rest = text;
    while (rest !== "") {
      const room = this.#limit - this.#size;
      if (room <= 0 || this.isFlooded) {
        this.#writeTail(name, rest);
        return;
      }
      // Overwritten text takes no space, so the size of a piece is known only after it is written.
      this.#writeText(name, rest.length > room ? detached(rest.slice(0, room)) : rest);
      rest = rest.slice(room);
    }
  }

  #writeText(name: "stdout" | "stderr", text: string): void {
    const last = this.#last;
    if (last?.content.type === "text" && last.content.name === name) {
      const before = last.content.text.text.length;
      this.#writeTo(last, last.content.text, text);
      this.#size += last.content.text.text.length - before;
      return;
    }
    const terminal = new TerminalText();
    terminal.write(text);
    this.#add({ type: "text", name, text: terminal });
    this.#size += terminal.text.length;
  }

  #writeTo(entry: Entry, terminal: TerminalText, text: string): void {
    const change = terminal.write(text);
    if (change.type === "none" || entry.change === "new") {
      return;
    }
    if (change.type === "replace" || entry.change === "replace") {
      this.#markChanged(entry, "replace");
      return;
    }
    const before = entry.change === "none" ? "" : entry.change.appended;
    this.#markChanged(entry, { appended: before + change.text });
  }

  /** Appends to the tail, which shows the number of omitted characters and the end of the text. */
  #writeTail(name: "stdout" | "stderr", text: string): void {
    const last = this.#last;
    const isTail = last?.content.type === "tail";
    const terminal = last?.content.type === "tail" ? last.content.text : new TerminalText();
    terminal.write(text);
    const { characters, outputs } = this.#leftOut;
    this.#leftOut = { characters: characters + terminal.keepEnd(tailLength), outputs };
    if (!isTail) {
      this.#add({ type: "tail", name, text: terminal });
    } else {
      this.#markChanged(last, "replace");
    }
  }

  #add(content: Content): OutputKey {
    const key = this.#nextKey;
    this.#nextKey += 1;
    const entry: Entry = { key, content, change: "new" };
    this.#entries.set(key, entry);
    this.#changed.add(entry);
    this.#last = entry;
    return key;
  }

  #markChanged(entry: Entry, change: Exclude<Entry["change"], "new" | "none">): void {
    if (entry.change !== "new") {
      entry.change = change;
      this.#changed.add(entry);
    }
  }

  #keyed({ key, content }: Entry): KeyedOutput {
    return { key, output: this.#outputOf(content) };
  }

  #outputOf(content: Content): Output {
    switch (content.type) {
      case "text":
        return { type: "stream", name: content.name, text: content.text.text };
      case "tail":
        return { type: "stream", name: content.name, text: this.#tailText(content.text.text) };
      case "output":
        return content.output;
    }
  }

  #tailText(text: string): string {
    const { characters, outputs } = this.#leftOut;
    return characters === 0 && outputs === 0 ? text : `\n${this.#notice(this.#leftOut)}\n${text}`;
  }
}

function contentOf(output: ShownOutput, last: Pick<RestingOutputs, "isFlooded" | "position"> | undefined): Content {
  if (output.type === "other") {
    const display = { type: "display", bundle: { data: {}, metadata: {} }, displayId: undefined } as const;
    return { type: "output", output: display, size: Math.max(leastSize, output.size) };
  }
  const { name, text } = output;
  return last?.isFlooded === true
    ? { type: "tail", name, text: new TerminalText(withoutNotice(text), last.position) }
    : { type: "text", name, text: new TerminalText(text, last?.position) };
}

function countedSize({ data }: MimeBundle): number {
  return Math.max(leastSize, sizeOf(data));
}

/** The text after the last line that replaces omitted output. */
export function withoutNotice(text: string): string {
  const end = text.lastIndexOf("…\n");
  const start = end < 0 ? -1 : text.lastIndexOf("\n", end);
  return start >= 0 && text.startsWith("\n…", start) ? text.slice(end + 2) : text;
}

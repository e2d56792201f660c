import * as vscode from "vscode";
import type { ExecutionEvent, MimeBundle } from "../../../api/kernels/executions/executions.ts";
import type { CellExecutions } from "../cells/cell-executions.ts";
import {
  CellOutputs,
  type LeftOut,
  nothingLeftOut,
  type OutputKey,
  type RestingOutputs,
  type ShownOutput,
} from "./cell-outputs.ts";
import type { FullOutput } from "./full-output.ts";
import { streamOf } from "./output-items.ts";
import { OutputWriter } from "./output-writer.ts";

export interface RunOutputsParts {
  readonly executions: CellExecutions;
  /** Maximum length of the output that a cell shows, in characters. */
  readonly limit: () => number;
  readonly createFullOutput: () => FullOutput;
  readonly onError: (error: unknown) => void;
}

interface LiveOutputs {
  readonly model: CellOutputs;
  readonly writer: OutputWriter;
}

/**
 * The outputs of a run. After the run, holds only what the cell itself doesn't show: more output continues with the
 * outputs that the cell shows then.
 */
export class RunOutputs {
  readonly #cell: vscode.NotebookCell;
  readonly #parts: RunOutputsParts;
  /** Undefined if there is no output, and after the run. */
  #live: LiveOutputs | undefined;
  #resting: RestingOutputs | undefined;
  /** Undefined if there is no text, and after the run also if the cell shows all of it. */
  #full: FullOutput | undefined;
  #hasEnded: boolean;
  #isDisposed = false;

  /** `hasEnded`: true if the run ended in an earlier window, whose outputs the cell shows. */
  constructor(cell: vscode.NotebookCell, parts: RunOutputsParts, hasEnded: boolean) {
    this.#cell = cell;
    this.#parts = parts;
    this.#hasEnded = hasEnded;
  }

  /** Path of the file with all text; undefined if the cell shows all of it. */
  get fullPath(): string | undefined {
    const { leftOut } = this.#live?.model ?? this.#resting ?? {};
    return leftOut === undefined || leftOut === nothingLeftOut ? undefined : this.#full?.path;
  }

  /** Applies an output event of the kernel. Returns the key of a display with an id, for later updates. */
  async take(event: ExecutionEvent): Promise<ReturnType<CellOutputs["add"]>> {
    if (event.type === "stream") {
      await this.#keep(event.text);
    }
    return this.add(event);
  }

  /** Applies an output event that is not part of the full output. */
  add(event: ExecutionEvent): ReturnType<CellOutputs["add"]> {
    return this.#isDisposed ? undefined : this.#open().model.add(event);
  }

  update(key: OutputKey, bundle: MimeBundle): void {
    this.#open().model.update(key, bundle);
  }

  clear(): void {
    this.#open().model.clear();
  }

  /** Removes all outputs, because all of them are sent again. */
  async restart(): Promise<void> {
    this.clear();
    await this.#full?.restart();
  }

  /** Writes the changes soon. */
  schedule(): void {
    if (this.#live?.model.isShown === false) {
      this.#live.writer.schedule();
    } else {
      this.#release();
    }
  }

  /** Writes the changes now. Resolves when the editor has applied them. */
  async flush(): Promise<void> {
    await this.#live?.writer.flush();
  }

  /** Closes the file with the full output. More text opens it again. */
  async closeFile(): Promise<void> {
    await this.#full?.end();
  }

  /** Releases what the cell shows, now and after each later change. */
  rest(): void {
    this.#hasEnded = true;
    if (this.#full?.path === undefined) {
      this.#full = undefined;
    }
    this.#release();
  }

  /** Stops writing. */
  dispose(): void {
    this.#isDisposed = true;
    this.#live?.writer.dispose();
    this.#live = undefined;
    this.#resting = undefined;
    void this.closeFile();
  }

  /** Keeps text for the file with the full output. After the run, only if the cell can't show all of it. */
  async #keep(text: string): Promise<void> {
    if (this.#hasEnded && this.#full === undefined) {
      const { model } = this.#open();
      if (!model.exceeds(text.length)) {
        return;
      }
      const full = this.#parts.createFullOutput();
      this.#full = full;
      await full.write(model.outputs.map((output) => (output.type === "stream" ? output.text : "")).join(""));
    }
    this.#full ??= this.#parts.createFullOutput();
    await this.#full.write(text);
  }

  #open(): LiveOutputs {
    this.#live ??= this.#create();
    this.#resting = undefined;
    return this.#live;
  }

  #create(): LiveOutputs {
    const { executions, limit, onError } = this.#parts;
    const { outputs } = this.#cell;
    const resting = this.#resting ?? (this.#hasEnded ? shownBefore(outputs.length) : undefined);
    const model = new CellOutputs(limit(), leftOutText);
    const keys = resting === undefined ? [] : model.resume(resting, outputs.map(shownOf));
    const shown = keys.flatMap((key, index) => {
      const output = outputs[index];
      return output === undefined ? [] : [[key, output] as const];
    });
    const onWritten = (): void => this.#release();
    return { model, writer: new OutputWriter(this.#cell, model, { executions, onError, onWritten }, shown) };
  }

  #release(): void {
    const live = this.#live;
    if (this.#hasEnded && live?.model.isShown === true && !live.writer.isWriting) {
      this.#resting = live.model.resting;
      this.#live = undefined;
    }
  }
}

/** The outputs of a cell that ran in an earlier window. */
function shownBefore(count: number): RestingOutputs {
  return {
    nextKey: count,
    count,
    leftOut: nothingLeftOut,
    clearsWithNext: false,
    isFlooded: false,
    position: undefined,
  };
}

function shownOf(output: vscode.NotebookCellOutput): ShownOutput {
  const stream = streamOf(output);
  return stream === undefined
    ? { type: "other", size: output.items.reduce((sum, { data }) => sum + data.length, 0) }
    : { type: "stream", ...stream };
}

function leftOutText({ characters, outputs }: LeftOut): string {
  if (outputs === 0) {
    return vscode.l10n.t("… {0} characters of output aren't shown here …", characters);
  }
  return outputs === 1
    ? vscode.l10n.t("… {0} characters of output, including 1 display, aren't shown here …", characters)
    : vscode.l10n.t("… {0} characters of output, including {1} displays, aren't shown here …", characters, outputs);
}

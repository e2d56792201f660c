import type * as vscode from "vscode";
import type { CellExecutions } from "../cells/cell-executions.ts";
import type { CellOutputs, KeyedOutput, OutputChange, OutputKey } from "./cell-outputs.ts";
import { notebookOutput, outputItems, streamItem } from "./output-items.ts";

/** Milliseconds during which output is batched before it is written to the editor. */
const batchMs = 75;
/**
 * The same for output beyond the limit of a cell, whose end is replaced by each update, which is slow to draw, and for
 * output after the end of all runs, because the editor doesn't run a cell while late output is being written to it.
 */
const longBatchMs = 500;

interface OutputWriterParts {
  readonly executions: CellExecutions;
  /** Called after each flush. */
  readonly onWritten: () => void;
  readonly onError: (error: unknown) => void;
}

/** Writes changes of a cell's outputs to the editor, a few times a second and in order. */
export class OutputWriter {
  readonly #cell: vscode.NotebookCell;
  readonly #model: CellOutputs;
  readonly #parts: OutputWriterParts;
  readonly #shown: Map<OutputKey, vscode.NotebookCellOutput>;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;
  #flushes = 0;
  #writing: Promise<void> = Promise.resolve();

  /** `shown`: the outputs of the model that the cell shows already. */
  constructor(
    cell: vscode.NotebookCell,
    model: CellOutputs,
    parts: OutputWriterParts,
    shown: Iterable<readonly [OutputKey, vscode.NotebookCellOutput]>,
  ) {
    this.#cell = cell;
    this.#model = model;
    this.#parts = parts;
    this.#shown = new Map(shown);
  }

  /** True until the editor has applied the changes of all flushes. */
  get isWriting(): boolean {
    return this.#flushes > 0;
  }

  /** Writes the changes soon. */
  schedule(): void {
    if (this.#isDisposed) {
      return;
    }
    const isLonger = this.#model.isFlooded || !this.#parts.executions.isRunning;
    this.#timer ??= setTimeout(() => void this.flush(), isLonger ? longBatchMs : batchMs);
  }

  /** Writes the changes now. Resolves when the editor has applied them. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { onError, onWritten } = this.#parts;
    this.#flushes += 1;
    this.#writing = this.#writing
      .then(() => this.#write())
      .catch(onError)
      .then(() => {
        this.#flushes -= 1;
        onWritten();
      });
    return this.#writing;
  }

  /** Stops writing, including the changes of a flush that has begun. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #write(): Promise<void> {
    const changes = this.#model.drainChanges();
    if (changes.length === 0 || this.#isDisposed) {
      return;
    }
    const left = [...changes];
    for (let before = 0; left.length > 0 && left.length !== before && !this.#isDisposed; ) {
      before = left.length;
      await this.#parts.executions.change(this.#cell, async (execution, isRunning) => {
        // The execution of another cell can end between two changes. The remaining changes need another execution.
        for (let change = left[0]; change !== undefined && isRunning() && !this.#isDisposed; change = left[0]) {
          left.shift();
          await this.#apply(execution, change);
        }
      });
    }
  }

  async #apply(execution: vscode.NotebookCellExecution, change: OutputChange): Promise<void> {
    switch (change.type) {
      case "replaceAll":
        this.#shown.clear();
        await execution.replaceOutput(this.#created(change.outputs), this.#cell);
        return;
      case "append":
        await execution.appendOutput(this.#created(change.outputs), this.#cell);
        return;
      case "appendText": {
        const output = this.#shown.get(change.key);
        if (output !== undefined) {
          await execution.appendOutputItems(streamItem(change.name, change.text), output);
        }
        return;
      }
      case "replace": {
        const output = this.#shown.get(change.key);
        if (output !== undefined) {
          await execution.replaceOutputItems(outputItems(change.output), output);
        }
      }
    }
  }

  #created(outputs: readonly KeyedOutput[]): vscode.NotebookCellOutput[] {
    return outputs.map(({ key, output }) => {
      const created = notebookOutput(output);
      this.#shown.set(key, created);
      return created;
    });
  }
}

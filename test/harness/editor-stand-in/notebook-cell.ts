import type * as vscode from "vscode";

type Items = readonly vscode.NotebookCellOutputItem[];

/** An output as the editor shows it: a copy of the extension's object, with its id. */
interface StandInOutput {
  readonly id: string;
  items: Items;
  readonly metadata: vscode.NotebookCellOutput["metadata"];
}

/** A cell of a notebook, with the outputs that executions write. */
export class StandInCell {
  readonly index: number;
  outputs: readonly StandInOutput[] = [];
  executionSummary: vscode.NotebookCellExecutionSummary | undefined;

  constructor(index: number) {
    this.index = index;
  }

  get asCell(): vscode.NotebookCell {
    return this as unknown as vscode.NotebookCell;
  }

  /** The text of each output. */
  get texts(): readonly string[] {
    return this.outputs.map(({ items }) => textOf(items));
  }
}

/** A controller of notebooks, whose executions write outputs to stand-in cells as the editor does. */
export class StandInController {
  /** What was written: the number of the execution, the kind, and the text. */
  readonly written: string[] = [];
  /** Resolves when the editor applies replaced items. */
  gate: Promise<void> = Promise.resolve();
  readonly #cells = new Set<StandInCell>();
  #executions = 0;

  get asController(): vscode.NotebookController {
    const createNotebookCellExecution = (cell: vscode.NotebookCell): object =>
      this.#create(cell as unknown as StandInCell);
    return { createNotebookCellExecution } as unknown as vscode.NotebookController;
  }

  #create(cell: StandInCell): object {
    this.#executions += 1;
    this.#cells.add(cell);
    const number = this.#executions;
    let isEnded = false;
    let startTime: number | undefined;
    const check = (): void => {
      if (isEnded) {
        throw new Error(`execution ${number} has ended`);
      }
    };
    const note = (what: string, items: Items): void => {
      this.written.push(`${number} ${what}: ${textOf(items)}`);
    };
    const execution: Partial<vscode.NotebookCellExecution> = {
      start: (at) => {
        startTime = at;
      },
      end: (success, endTime) => {
        isEnded = true;
        const { executionOrder } = execution;
        cell.executionSummary = {
          ...(executionOrder === undefined ? {} : { executionOrder }),
          ...(startTime === undefined || endTime === undefined ? {} : { timing: { startTime, endTime } }),
          ...(success === undefined ? {} : { success }),
        };
      },
      replaceOutput: async (outputs, of) => {
        check();
        note("replace", itemsOf(outputs));
        cellOf(of, cell).outputs = [outputs].flat().map(copyOf);
      },
      appendOutput: async (outputs, of) => {
        check();
        note("append", itemsOf(outputs));
        const target = cellOf(of, cell);
        target.outputs = [...target.outputs, ...[outputs].flat().map(copyOf)];
      },
      appendOutputItems: async (items, output) => {
        check();
        note("more", [items].flat());
        const shown = this.#outputOf(output);
        if (shown !== undefined) {
          shown.items = [...shown.items, ...[items].flat()];
        }
      },
      replaceOutputItems: async (items, output) => {
        check();
        await this.gate;
        note("items", [items].flat());
        const shown = this.#outputOf(output);
        if (shown !== undefined) {
          shown.items = [items].flat();
        }
      },
    };
    return execution;
  }

  /** The shown output with the id of another one. The editor ignores changes of outputs that no cell shows. */
  #outputOf(output: vscode.NotebookCellOutput): StandInOutput | undefined {
    const id = idOf(output);
    return [...this.#cells].flatMap(({ outputs }) => outputs).find((shown) => shown.id === id);
  }
}

function cellOf(given: vscode.NotebookCell | undefined, own: StandInCell): StandInCell {
  return given === undefined ? own : (given as unknown as StandInCell);
}

function copyOf(output: vscode.NotebookCellOutput): StandInOutput {
  return { id: idOf(output), items: output.items, metadata: output.metadata };
}

/** The id that each output has, although the editor doesn't declare it. */
function idOf(output: vscode.NotebookCellOutput): string {
  return (output as unknown as StandInOutput).id;
}

function itemsOf(outputs: vscode.NotebookCellOutput | readonly vscode.NotebookCellOutput[]): Items {
  return [outputs].flat().flatMap(({ items }) => items);
}

function textOf(items: Items): string {
  return items.map(({ data }) => new TextDecoder().decode(data)).join();
}

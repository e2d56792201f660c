import * as vscode from "vscode";
import type { EditorTool } from "./editor-tool.ts";
import { cellOf, named, opened, versionOf } from "./notebook-tools.ts";
import type { EditorToolParts } from "./remote-places.ts";
import { codeBlock, shownText } from "./shown-text.ts";
import type { ToolInput } from "./tool-declarations.ts";

type RunInput = ToolInput<"platform_run_cells">;

const maxCodeLength = 20_000;
const defaultSeconds = 60;

/** Runs cells of a remote notebook on its kernel. The user sees and confirms the code. */
export function runCellsTool(parts: EditorToolParts): EditorTool<RunInput> {
  return {
    async confirmation(input) {
      const cells = await cellsOf(parts, input);
      const code = cells.map(({ document }) => document.getText()).join("\n\n");
      return {
        title: vscode.l10n.t("Run Notebook Cells"),
        message: [
          vscode.l10n.t("Run this code on the kernel of {0}:", shownText(named(parts, input.uri))),
          "",
          codeBlock(code, cells[0]?.document.languageId ?? ""),
        ].join("\n"),
      };
    },
    progress: ({ uri }) => vscode.l10n.t("Running cells of {0}", named(parts, uri)),
    async run(input, token) {
      const cells = await cellsOf(parts, input);
      const [first] = cells;
      if (first === undefined) {
        throw new Error(vscode.l10n.t("None of these cells contains code. Nothing was run."));
      }
      const { notebook } = first;
      await vscode.window.showNotebookDocument(notebook, { preserveFocus: true, preview: false });
      const running = new CellsRunner(cells);
      try {
        await vscode.commands.executeCommand("notebook.cell.execute", {
          ranges: cells.map(({ index }) => ({ start: index, end: index + 1 })),
          document: notebook.uri,
        });
        await running.wait((input.seconds ?? defaultSeconds) * 1000, token);
        return {
          uri: notebook.uri.toString(),
          version: versionOf(notebook),
          saved: !notebook.isDirty,
          cells: cells.map((cell) => ({ ...cellOf(cell), state: running.stateOf(cell) })),
        };
      } finally {
        running.dispose();
      }
    },
  };
}

/** The code cells to run. Throws an Error with a message for the model if the notebook has changed. */
async function cellsOf(
  parts: EditorToolParts,
  { uri, version, from, count = 1 }: RunInput,
): Promise<readonly vscode.NotebookCell[]> {
  const notebook = await opened(uri);
  if (versionOf(notebook) !== version) {
    throw new Error(
      vscode.l10n.t(
        "{0} has changed since it was read. Nothing was run. Read it again, then run that version.",
        named(parts, uri),
      ),
    );
  }
  const cells = notebook
    .getCells()
    .slice(from, from + count)
    .filter(({ kind, document }) => kind === vscode.NotebookCellKind.Code && document.getText().trim() !== "");
  const length = cells.reduce((sum, { document }) => sum + document.getText().length, 0);
  if (length > maxCodeLength) {
    throw new Error(vscode.l10n.t("The code of these cells is too long to confirm at once. Run fewer cells."));
  }
  return cells;
}

/** Tracks the runs of cells. Create it before the runs begin. */
class CellsRunner implements vscode.Disposable {
  readonly #cells: readonly vscode.NotebookCell[];
  readonly #before: ReadonlyMap<vscode.NotebookCell, string>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listener: vscode.Disposable;

  constructor(cells: readonly vscode.NotebookCell[]) {
    this.#cells = cells;
    this.#before = new Map(cells.map((cell) => [cell, summaryOf(cell)]));
    this.#listener = vscode.workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
      if (cellChanges.some(({ cell }) => this.#before.has(cell))) {
        this.#changed.fire();
      }
    });
  }

  stateOf(cell: vscode.NotebookCell): "ok" | "failed" | "not run" | "running" {
    const { success } = cell.executionSummary ?? {};
    const hasEnded = success !== undefined && summaryOf(cell) !== this.#before.get(cell);
    if (hasEnded) {
      return success ? "ok" : "failed";
    }
    const index = this.#cells.indexOf(cell);
    return this.#cells.slice(0, index).some((before) => this.stateOf(before) === "failed") ? "not run" : "running";
  }

  /** Resolves when all cells have ended, or on a timeout. Rejects if the user cancels. */
  wait(milliseconds: number, token: vscode.CancellationToken): Promise<void> {
    const isOver = (): boolean => this.#cells.every((cell) => this.stateOf(cell) !== "running");
    return new Promise((resolve, reject) => {
      const limit = setTimeout(resolve, milliseconds);
      const look = (): void => {
        if (isOver()) {
          clearTimeout(limit);
          resolve();
        }
      };
      this.#changed.event(look);
      token.onCancellationRequested(() => {
        clearTimeout(limit);
        reject(new vscode.CancellationError());
      });
      look();
    });
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}

function summaryOf({ executionSummary }: vscode.NotebookCell): string {
  return JSON.stringify([executionSummary?.executionOrder, executionSummary?.timing, executionSummary?.success]);
}

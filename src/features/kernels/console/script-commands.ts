import * as vscode from "vscode";
import * as z from "zod/mini";
import { addressOf, scheme } from "../../../tenants/workspace-uri.ts";
import type { CommandRun } from "../../../ui/commands/command-runner.ts";
import type { Consoles } from "./consoles.ts";
import { codeOf, type LineRange, linesAt, scriptCells } from "./script-cells.ts";

/** The argument of the commands above the cells of a script: the URI of the script, and the line of the cell. */
const place = z.object({ uri: z.string(), line: z.number() });

/** Runs the selection, or the cell or the statement at the cursor, and moves the cursor behind it. */
export async function runSelection(consoles: Consoles, run: CommandRun): Promise<void> {
  const editor = scriptEditor(run);
  const { document, selection } = editor;
  if (!selection.isEmpty) {
    await runCode(consoles, document, codeOf(document.getText(wholeLines(document, selection)).split(/\r?\n/)));
    return;
  }
  const lines = linesOf(document);
  const range = linesAt(lines, selection.active.line);
  if (range === undefined) {
    throw nothingToRun();
  }
  const next = Math.min(range.end, document.lineCount - 1);
  editor.selection = new vscode.Selection(next, 0, next, 0);
  editor.revealRange(editor.selection);
  await runCode(consoles, document, codeOf(lines.slice(range.start, range.end)));
}

/** Runs the cell of a script at the place that the argument names, or at the cursor. */
export async function runScriptCell(consoles: Consoles, run: CommandRun, argument: unknown): Promise<void> {
  const { document, lines, cells, index } = await cellAt(run, argument);
  const cell = cells[index];
  await runCode(consoles, document, cell === undefined ? "" : codeIn(lines, cell));
}

/** Runs everything above the cell at the place that the argument names, or at the cursor. */
export async function runAbove(consoles: Consoles, run: CommandRun, argument: unknown): Promise<void> {
  const { document, lines, cells, index } = await cellAt(run, argument);
  const above = [{ start: 0, end: cells[0]?.start ?? 0 }, ...cells.slice(0, index)].map((cell) => codeIn(lines, cell));
  await runCode(consoles, document, above.filter((code) => code !== "").join("\n\n"));
}

/** The commands above each cell of a script. */
export function lensesOf(document: vscode.TextDocument): readonly vscode.CodeLens[] {
  const uri = document.uri.toString();
  return scriptCells(linesOf(document)).flatMap(({ start: line }, index) => {
    const range = new vscode.Range(line, 0, line, 0);
    const runCell = {
      title: vscode.l10n.t("Run Cell"),
      command: "platformWorkbench.runScriptCell",
      arguments: [{ uri, line }],
    };
    const above = {
      title: vscode.l10n.t("Run Above"),
      command: "platformWorkbench.runScriptAbove",
      arguments: [{ uri, line }],
    };
    return [runCell, ...(index === 0 && line === 0 ? [] : [above])].map(
      (command) => new vscode.CodeLens(range, command),
    );
  });
}

interface ScriptCell {
  readonly document: vscode.TextDocument;
  readonly lines: readonly string[];
  readonly cells: readonly LineRange[];
  readonly index: number;
}

async function cellAt(run: CommandRun, argument: unknown): Promise<ScriptCell> {
  const named = z.safeParse(place, argument);
  const editor = named.success ? undefined : scriptEditor(run);
  const document =
    editor?.document ?? (await vscode.workspace.openTextDocument(vscode.Uri.parse(named.data?.uri ?? "", true)));
  run.setErrorContext(workspaceOf(document.uri));
  const lines = linesOf(document);
  const cells = scriptCells(lines);
  const line = named.data?.line ?? editor?.selection.active.line ?? 0;
  const index = cells.findLastIndex(({ start }) => start <= line);
  if (index === -1) {
    throw new Error(vscode.l10n.t("There is no cell here. A line that begins with # %% begins a cell."));
  }
  return { document, lines, cells, index };
}

async function runCode(consoles: Consoles, document: vscode.TextDocument, code: string): Promise<void> {
  if (code === "") {
    throw nothingToRun();
  }
  await consoles.run(document, code);
}

function scriptEditor(run: CommandRun): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== scheme) {
    throw new Error(vscode.l10n.t("Open a text file from a workspace, then try again."));
  }
  run.setErrorContext(workspaceOf(editor.document.uri));
  return editor;
}

function workspaceOf(uri: vscode.Uri): { readonly tenantId: string; readonly workspaceId: string } {
  const { tenantId, workspaceId } = addressOf(uri);
  return { tenantId, workspaceId };
}

/** The selection from the beginning of its first line if only white space is before it, so that indentation is known. */
function wholeLines(document: vscode.TextDocument, { start, end }: vscode.Selection): vscode.Range {
  const before = document.lineAt(start.line).text.slice(0, start.character);
  return new vscode.Range(before.trim() === "" ? start.with({ character: 0 }) : start, end);
}

function codeIn(lines: readonly string[], { start, end }: LineRange): string {
  return codeOf(lines.slice(start, end));
}

function linesOf(document: vscode.TextDocument): readonly string[] {
  return document.getText().split(/\r?\n/);
}

function nothingToRun(): Error {
  return new Error(vscode.l10n.t("There is no code to run here."));
}

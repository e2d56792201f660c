import * as vscode from "vscode";
import * as z from "zod/mini";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import type { RemoteSearchCommandId } from "./declarations.ts";
import { askForSearch } from "./search-input.ts";
import { type SearchParts, SearchSession } from "./search-session.ts";

const foundPlace = z.object({
  uri: z.string(),
  line: z.int(),
  start: z.int(),
  end: z.int(),
  cell: z.optional(z.int()),
});

/** `Search in Workspace…`, because the editor's own search does not support virtual files, and `Replace in Workspace…`. */
export function searchCommands(parts: SearchParts) {
  const session = new SearchSession(parts);
  const ask = (command: CommandRun, argument: unknown) =>
    askForSearch(parts, command, argument, vscode.l10n.t("Search in Workspace"));
  return {
    "platformWorkbench.searchInWorkspace": async (command, argument) => {
      await session.search(await ask(command, argument));
    },
    "platformWorkbench.searchAllFiles": async (command) => {
      await session.search(await ask(command, undefined));
    },
    "platformWorkbench.repeatSearch": async (command, argument) => {
      await session.search(session.last ?? (await ask(command, argument)));
    },
    "platformWorkbench.replaceInWorkspace": async (command, argument) => {
      const { replaceInWorkspace } = await import("./replace-in-workspace.ts");
      await replaceInWorkspace(session, command, argument);
    },
    "platformWorkbench.replaceSearchResults": async (command, argument) => {
      const { replaceInWorkspace } = await import("./replace-in-workspace.ts");
      await replaceInWorkspace(session, command, argument, session.last);
    },
    "platformWorkbench.openSearchResult": (_, argument) => openPlace(z.parse(foundPlace, argument)),
    "platformWorkbench.clearSearch": async () => {
      await session.results?.clear();
    },
    "platformWorkbench.clearSearchInPanel": async () => {
      await session.results?.clearAndClosePanel();
    },
  } satisfies Partial<CommandHandlers<RemoteSearchCommandId>>;
}

/** Opens a file at a match. A notebook opens at the cell. */
async function openPlace({ uri, line, start, end, cell }: z.output<typeof foundPlace>): Promise<void> {
  const address = vscode.Uri.parse(uri, true);
  if (cell === undefined) {
    const selection = new vscode.Range(line, start, line, end);
    await vscode.window.showTextDocument(address, { selection });
    return;
  }
  const document = await vscode.workspace.openNotebookDocument(address);
  const range = new vscode.NotebookRange(cell, cell + 1);
  const editor = await vscode.window.showNotebookDocument(document, { selections: [range] });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

import * as vscode from "vscode";
import { isContentPath, nameOf, normalizeContentPath } from "../../../api/catalogue/content-path.ts";
import { uriOf } from "../../../tenants/workspace-uri.ts";
import type { CommandRun } from "../../../ui/commands/command-runner.ts";
import { enterText } from "../../../ui/quick-input/show-input.ts";
import { workspaceInView } from "../../../ui/quick-input/workspace-choice.ts";
import { metadataWithCount } from "../cells/saved-execution-counts.ts";
import type { NewNotebookParts } from "../commands/new-notebook.ts";
import type { NotebookKernel } from "../notebook-kernel.ts";
import type { NotebookKernels } from "../notebook-kernels.ts";
import { notebookType } from "../notebook-metadata.ts";
import { isUntitled } from "./untitled-notebook.ts";

/**
 * Saves the active untitled notebook into a workspace: that of its kernel, which it keeps, or one that the user chooses.
 * The saved notebook replaces it in the editor. The editor's own Save As can't write to a workspace in a window without
 * its folder, or in a browser. Throws a CancellationError if canceled.
 */
export async function saveToWorkspace(
  kernels: NotebookKernels,
  parts: NewNotebookParts,
  run: CommandRun,
): Promise<void> {
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  if (notebook === undefined || !isUntitled(notebook)) {
    throw new Error(vscode.l10n.t("Open a notebook that isn't saved yet, then try again."));
  }
  const title = vscode.l10n.t("Save to Workspace");
  const { tenantId, workspaceId } =
    kernels.find(notebook)?.workspace.address ?? (await workspaceInView(parts, run, undefined, title));
  run.setErrorContext({ tenantId, workspaceId });
  const name = parts.connections.nameOf(tenantId, workspaceId);
  const uri = await written(notebook, {
    title,
    prompt: vscode.l10n.t("Path in {0}, from its root", name),
    write: async (path) => {
      const target = uriOf(tenantId, workspaceId, path);
      await parts.files.writeFile(target, await contentOf(notebook, kernels.find(notebook)), {
        create: true,
        overwrite: false,
      });
      return target;
    },
  });
  await kernels.savedAs(notebook, uri);
  await vscode.window.showNotebookDocument(notebook);
  // Closes it without a question, because it is saved now.
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  await vscode.commands.executeCommand("vscode.openWith", uri, notebookType);
}

/** Asks for a path until there is no file yet. Throws a CancellationError if canceled. */
async function written(
  notebook: vscode.NotebookDocument,
  {
    title,
    prompt,
    write,
  }: { readonly title: string; readonly prompt: string; readonly write: (path: string) => Promise<vscode.Uri> },
): Promise<vscode.Uri> {
  const taken = new Set<string>();
  let value = nameOf(notebook.uri.path);
  for (;;) {
    value = await enterText({
      title,
      prompt,
      value,
      validateInput: (text) => {
        const path = notebookPath(text);
        return path === undefined
          ? vscode.l10n.t("Enter a path such as reports/forecast.ipynb.")
          : taken.has(path)
            ? vscode.l10n.t("{0} already exists. Enter another name.", path)
            : undefined;
      },
    });
    const path = notebookPath(value);
    if (path === undefined) {
      throw new vscode.CancellationError();
    }
    try {
      return await write(path);
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError && error.code === "FileExists")) {
        throw error;
      }
      taken.add(path);
    }
  }
}

/** The content path that a text names, with the extension of notebooks; undefined if no file can have it. */
export function notebookPath(text: string): string | undefined {
  const typed = text.trim();
  if (typed === "" || typed.endsWith("/") || !isContentPath(typed)) {
    return undefined;
  }
  const path = normalizeContentPath(typed);
  return path === "" ? undefined : path.endsWith(".ipynb") ? path : `${path}.ipynb`;
}

/** The bytes of the notebook's file. The editor's own extension for Jupyter notebooks writes them, as for any save. */
async function contentOf(notebook: vscode.NotebookDocument, kernel: NotebookKernel | undefined): Promise<Uint8Array> {
  const writer: unknown = await vscode.extensions.getExtension("vscode.ipynb")?.activate();
  const write: unknown =
    typeof writer === "object" && writer !== null ? Reflect.get(writer, "exportNotebook") : undefined;
  if (typeof write !== "function") {
    throw new Error(
      vscode.l10n.t("This editor can't convert the notebook. Save it as a file, and upload the file to the workspace."),
    );
  }
  const data = new vscode.NotebookData(
    notebook.getCells().map((cell) => {
      const copied = new vscode.NotebookCellData(cell.kind, cell.document.getText(), cell.document.languageId);
      copied.metadata = metadataWithCount(cell, kernel?.isExecuting(cell) === true);
      copied.outputs = [...cell.outputs];
      copied.executionSummary = cell.executionSummary ?? {};
      return copied;
    }),
  );
  data.metadata = notebook.metadata;
  return new TextEncoder().encode(String(await write(data)));
}

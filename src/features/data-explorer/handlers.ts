import * as vscode from "vscode";
import * as z from "zod/mini";
import { listFrames } from "../../api/companion/operations/frames.ts";
import { displayedName } from "../../api/displayed-text.ts";
import type { OpenKernel } from "../../tenants/open-kernels.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { DataExplorerCommandId } from "./declarations.ts";
import type { ExplorerPanels } from "./explorer-panels.ts";
import type { ExplorerServices } from "./explorer-services.ts";

/** The argument of the command: a value in a kernel. `notebook` is the notebook's URI. */
const reference = z.looseObject({
  notebook: z.string().check(z.minLength(1)),
  expression: z.string().check(z.minLength(1), z.maxLength(10_000)),
});

export function explorerCommands(
  panels: ExplorerPanels,
  services: Pick<ExplorerServices, "openKernels">,
): CommandHandlers<DataExplorerCommandId> {
  const show = ({ notebook, place }: OpenKernel, expression: string): void =>
    panels.show({
      type: "expression",
      tenantId: place.tenantId,
      workspaceId: place.workspaceId,
      notebook: notebook.uri.toString(),
      expression,
    });
  return {
    async "platformWorkbench.openDataExplorer"(_, argument) {
      const { data } = z.safeParse(reference, argument);
      if (data !== undefined) {
        show(kernelOf(services, vscode.Uri.parse(data.notebook)), data.expression);
        return;
      }
      const active = vscode.window.activeTextEditor?.document.uri;
      const file = argument instanceof vscode.Uri ? argument : isTableFile(active) ? active : undefined;
      if (file !== undefined && file.scheme === scheme) {
        const viewType = /\.parquet$/i.test(file.path) ? "platformWorkbench.parquet" : "platformWorkbench.csv";
        await vscode.commands.executeCommand("vscode.openWith", file, viewType);
        return;
      }
      const notebook = vscode.window.activeNotebookEditor?.notebook;
      if (notebook === undefined) {
        throw new Error(vscode.l10n.t("Open a notebook of a workspace, and run it. Then choose the command again."));
      }
      const kernel = kernelOf(services, notebook.uri);
      show(kernel, await pickFrame(kernel));
    },
  };
}

function isTableFile(uri: vscode.Uri | undefined): boolean {
  return uri?.scheme === scheme && /\.(?:csv|tsv|parquet)$/i.test(uri.path);
}

function kernelOf({ openKernels }: Pick<ExplorerServices, "openKernels">, uri: vscode.Uri): OpenKernel {
  const address = uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find((one) => one.uri.toString() === address);
  const kernel = notebook === undefined ? undefined : openKernels.find(notebook);
  if (kernel?.connection === undefined) {
    const name = displayedName(uri.path.split("/").at(-1) ?? address);
    throw new Error(vscode.l10n.t("{0} isn't connected to a kernel of a workspace. Run one of its cells first.", name));
  }
  return kernel;
}

/** Asks for one of the kernel's data frames. */
async function pickFrame(kernel: OpenKernel): Promise<string> {
  const { format: count } = new Intl.NumberFormat(vscode.env.language);
  const read = async (): Promise<readonly (vscode.QuickPickItem & { readonly expression: string })[]> => {
    const { frames } = await (await kernel.program()).request(listFrames, {});
    if (frames.length === 0) {
      throw new Error(vscode.l10n.t("No variable of the kernel is a data frame. Run the cell that sets one."));
    }
    return frames.map(({ expression, kind, rows, columns }) => ({
      label: expression,
      description: rows === null ? kind : `${kind}, ${count(rows)} × ${count(columns)}`,
      expression,
    }));
  };
  const { expression } = await pickItem(read(), {
    title: vscode.l10n.t("Open in Data Explorer"),
    placeHolder: vscode.l10n.t("Choose a data frame"),
  });
  return expression;
}

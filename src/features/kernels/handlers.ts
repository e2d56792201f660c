import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { CellInputs } from "./cells/cell-inputs.ts";
import { changeKernel } from "./commands/kernel-choice.ts";
import { affectedBy, findTarget, type KernelTarget, requireTarget } from "./commands/kernel-target.ts";
import { createNotebook, type NewNotebookParts } from "./commands/new-notebook.ts";
import { Consoles } from "./console/consoles.ts";
import { runAbove, runScriptCell, runSelection } from "./console/script-commands.ts";
import type { KernelsCommandId } from "./declarations.ts";
import { takeOverKernel } from "./kernel-ownership.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { NotebookKernels } from "./notebook-kernels.ts";
import { notebookType } from "./notebook-metadata.ts";
import { saveToWorkspace } from "./untitled/save-to-workspace.ts";
import { isUntitled } from "./untitled/untitled-notebook.ts";
import { saveWidgetState } from "./widgets/saved-widget-state.ts";

/** The kernel commands of toolbars, status bars, and the palette. */
export function kernelCommands(
  kernels: NotebookKernels,
  inputs: CellInputs,
  parts: NewNotebookParts & Pick<KernelServices, "windowState">,
): CommandHandlers<KernelsCommandId> {
  const consoles = new Consoles(kernels, parts.windowState);
  return {
    "platformWorkbench.newNotebook": (run, argument) => createNotebook(parts, run, argument),
    "platformWorkbench.saveToWorkspace": (run) => saveToWorkspace(kernels, parts, run),
    "platformWorkbench.interruptKernel": async (run, argument) => {
      const target = await requireTarget(kernels, activeNotebook(kernels, run, argument));
      await (target.type === "connected"
        ? target.kernel.interrupt()
        : kernels.kernelOf(target.notebook).workspace.server.interrupt(target.running.id));
    },
    "platformWorkbench.restartKernel": async (run, argument) =>
      restart(kernels, await requireTarget(kernels, activeNotebook(kernels, run, argument))),
    "platformWorkbench.restartKernelAndRunAll": async (run) => {
      const notebook = activeNotebook(kernels, run);
      const target = await findTarget(kernels, notebook);
      if (target !== undefined) {
        await restart(kernels, target);
        // What the old kernel has sent at its end.
        await kernels.kernelOf(notebook).outputsWritten();
      }
      await vscode.commands.executeCommand("notebook.execute", notebook.uri);
    },
    "platformWorkbench.shutDownKernel": async (run, argument) => {
      const target = await requireTarget(kernels, activeNotebook(kernels, run, argument));
      const { notebook } = target;
      await confirm({
        question: vscode.l10n.t("Shut down the kernel of {0}?", nameOf(notebook.uri.path)),
        touched: (await affectedBy(kernels, target)).others,
        consequence: vscode.l10n.t("Its variables are lost, and running cells end."),
        action: vscode.l10n.t("Shut Down"),
      });
      const session = target.type === "connected" ? target.kernel.session : target.session;
      const end = async (): Promise<void> => {
        if (session !== undefined) {
          await kernels.kernelOf(notebook).workspace.server.endSession(session.id);
        }
        await kernels.kernelOf(notebook).detach();
      };
      await (target.type === "connected" ? target.kernel.end(end) : end());
    },
    "platformWorkbench.changeKernel": (run) => changeKernel(kernels, activeNotebook(kernels, run)),
    "platformWorkbench.showKernelActions": async (run) => {
      const kernel = kernels.kernelOf(activeNotebook(kernels, run));
      const title = vscode.l10n.t("Kernel");
      if (!kernel.isFollowing) {
        await vscode.commands.executeCommand((await pickItem(kernelActions(), { title })).command);
      } else if ((await pickItem(followingActions(), { title })).isTakeOver) {
        await takeOverKernel(kernel, kernels.sessions);
      } else {
        await changeKernel(kernels, kernel.notebook);
      }
    },
    "platformWorkbench.enterCellInput": async (run, argument) => {
      const cell = cellIn(argument);
      await inputs.enter(kernels.kernelOf(cell?.notebook ?? activeNotebook(kernels, run)), cell);
    },
    "platformWorkbench.runSelectionInKernel": (run) => runSelection(consoles, run),
    "platformWorkbench.runScriptCell": (run, argument) => runScriptCell(consoles, run, argument),
    "platformWorkbench.runScriptAbove": (run, argument) => runAbove(consoles, run, argument),
    "platformWorkbench.saveWidgetState": (run) => saveWidgetState(kernels.kernelOf(activeNotebook(kernels, run))),
    "platformWorkbench.openFullOutput": async (run, argument) => {
      const cell = cellIn(argument) ?? selectedCell(activeNotebook(kernels, run));
      const path = cell === undefined ? undefined : kernels.find(cell.notebook)?.runOf(cell)?.fullOutput;
      if (path === undefined) {
        throw new Error(vscode.l10n.t("The cell already shows its full output."));
      }
      await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
    },
  };
}

function kernelActions(): readonly (vscode.QuickPickItem & { readonly command: KernelsCommandId })[] {
  return [
    { ...action(vscode.l10n.t("Interrupt"), "debug-stop"), command: "platformWorkbench.interruptKernel" },
    { ...action(vscode.l10n.t("Restart…"), "debug-restart"), command: "platformWorkbench.restartKernel" },
    {
      ...action(vscode.l10n.t("Restart and Run All Cells…"), "run-all"),
      command: "platformWorkbench.restartKernelAndRunAll",
    },
    { ...action(vscode.l10n.t("Change Kernel…"), "server-environment"), command: "platformWorkbench.changeKernel" },
    { ...action(vscode.l10n.t("Shut Down…"), "circle-slash"), command: "platformWorkbench.shutDownKernel" },
  ];
}

/** The actions for a kernel that this window only follows. */
function followingActions(): readonly (vscode.QuickPickItem & { readonly isTakeOver: boolean })[] {
  return [
    { ...action(vscode.l10n.t("Take Over"), "vm-active"), isTakeOver: true },
    { ...action(vscode.l10n.t("Change Kernel…"), "server-environment"), isTakeOver: false },
  ];
}

/** An item with an icon. Screen readers would read the name of an icon in the label. */
function action(label: string, icon: string): vscode.QuickPickItem {
  return { label, iconPath: new vscode.ThemeIcon(icon) };
}

async function restart(kernels: NotebookKernels, target: KernelTarget): Promise<void> {
  const { notebook } = target;
  const name = nameOf(notebook.uri.path);
  const { others, isRunning } = await affectedBy(kernels, target);
  await confirm({
    question: vscode.l10n.t("Restart the kernel of {0}?", name),
    touched: others,
    consequence: isRunning
      ? vscode.l10n.t("Its variables are lost, and running cells end.")
      : vscode.l10n.t("Its variables are lost."),
    action: vscode.l10n.t("Restart"),
  });
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Restarting the kernel of {0}", name) },
    async () => {
      if (target.type === "connected") {
        await (await target.kernel.connected()).connection.restart();
      } else {
        await kernels.kernelOf(notebook).restart(target.running.id);
      }
    },
  );
}

/** The open notebook that a URI names, or that of the active editor. */
function activeNotebook(kernels: NotebookKernels, run: CommandRun, argument?: unknown): vscode.NotebookDocument {
  const named = argument instanceof vscode.Uri ? argument.toString() : undefined;
  const notebook =
    vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === named) ??
    vscode.window.activeNotebookEditor?.notebook;
  const isInWorkspace = notebook?.uri.scheme === scheme && notebook.notebookType === notebookType;
  if (notebook === undefined || !(isInWorkspace || isUntitled(notebook))) {
    throw new Error(vscode.l10n.t("Open a notebook from a workspace, then try again."));
  }
  run.setErrorContext(kernels.kernelOf(notebook).workspace.address);
  return notebook;
}

/** The cell that a command's argument refers to, if the command was run in a cell's status bar. */
function cellIn(argument: unknown): vscode.NotebookCell | undefined {
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find((cell) => cell === argument);
}

function selectedCell(notebook: vscode.NotebookDocument): vscode.NotebookCell | undefined {
  const [selection] = vscode.window.activeNotebookEditor?.selections ?? [];
  return selection === undefined || selection.start >= notebook.cellCount
    ? undefined
    : notebook.cellAt(selection.start);
}

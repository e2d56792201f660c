import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { KernelsCommandId } from "./declarations.ts";
import { changeKernel } from "./kernel-choice.ts";
import { otherUsers } from "./kernel-users.ts";
import { followedError, type NotebookKernel } from "./notebook-kernel.ts";
import type { NotebookKernels } from "./notebook-kernels.ts";
import { notebookType } from "./notebook-metadata.ts";

/** The kernel commands of toolbars, status bars, and the palette. */
export function kernelCommands(kernels: NotebookKernels): CommandHandlers<KernelsCommandId> {
  const active = (run: CommandRun): NotebookKernel => {
    const notebook = activeNotebook(run);
    const kernel = kernels.kernelOf(notebook);
    if (kernel === undefined) {
      throw new Error(
        vscode.l10n.t("{0} has no running kernel in this window. Run a cell first.", nameOf(notebook.uri.path)),
      );
    }
    return leading(kernel);
  };
  return {
    "platformWorkbench.interruptKernel": (run) => active(run).interrupt(),
    "platformWorkbench.restartKernel": (run) => restart(kernels, active(run)),
    "platformWorkbench.restartKernelAndRunAll": async (run) => {
      const notebook = activeNotebook(run);
      const kernel = kernels.kernelOf(notebook);
      if (kernel !== undefined) {
        await restart(kernels, leading(kernel));
      }
      await vscode.commands.executeCommand("notebook.execute", notebook.uri);
    },
    "platformWorkbench.shutDownKernel": async (run) => {
      const kernel = active(run);
      const { session, notebook } = kernel;
      const name = nameOf(notebook.uri.path);
      await confirm({
        question: vscode.l10n.t("Shut down the kernel of {0}?", name),
        touched: await usersBeside(kernels, kernel),
        consequence: vscode.l10n.t("Its variables are lost, and running cells end."),
        action: vscode.l10n.t("Shut Down"),
      });
      await kernel.end(async () => {
        if (session !== undefined) {
          await kernels.workspaceOf(notebook).server.endSession(session.id);
        }
        await kernels.forget(notebook);
      });
    },
    "platformWorkbench.changeKernel": (run) => changeKernel(kernels, activeNotebook(run)),
    "platformWorkbench.showKernelActions": async (run) => {
      const kernel = kernels.kernelOf(activeNotebook(run));
      const title = vscode.l10n.t("Kernel");
      if (kernel?.isFollowing !== true) {
        await vscode.commands.executeCommand((await pickItem(kernelActions(), { title })).command);
      } else if ((await pickItem(followingActions(), { title })).isTakeOver) {
        await kernels.attachments.takeOver(kernel);
      } else {
        await changeKernel(kernels, kernel.notebook);
      }
    },
    "platformWorkbench.enterCellInput": async (run, argument) => {
      const cell = cellIn(argument);
      await kernels.enterInput(cell?.notebook ?? activeNotebook(run), cell);
    },
    "platformWorkbench.openFullOutput": async (run, argument) => {
      const cell = cellIn(argument) ?? selectedCell(activeNotebook(run));
      const path = cell === undefined ? undefined : kernels.kernelOf(cell.notebook)?.runOf(cell)?.fullOutput;
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

/** Returns the kernel. Throws if this window only follows it. */
function leading(kernel: NotebookKernel): NotebookKernel {
  if (kernel.isFollowing) {
    throw followedError(kernel.notebook);
  }
  return kernel;
}

/** The other notebooks of the kernel. Empty if they can't be read, because the command itself reports that. */
async function usersBeside(
  kernels: NotebookKernels,
  { notebook, session }: NotebookKernel,
): Promise<readonly string[]> {
  const sessions = await kernels
    .workspaceOf(notebook)
    .server.sessions()
    .catch(() => []);
  return otherUsers(session, sessions);
}

async function restart(kernels: NotebookKernels, kernel: NotebookKernel): Promise<void> {
  const { connection, notebook, running } = kernel;
  const name = nameOf(notebook.uri.path);
  const touched = await usersBeside(kernels, kernel);
  await confirm({
    question: vscode.l10n.t("Restart the kernel of {0}?", name),
    touched,
    consequence:
      running.length + touched.length === 0
        ? vscode.l10n.t("Its variables are lost.")
        : vscode.l10n.t("Its variables are lost, and running cells end."),
    action: vscode.l10n.t("Restart"),
  });
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Restarting the kernel of {0}", name) },
    async () => (connection === undefined ? kernel.connected() : connection.restart()),
  );
}

function activeNotebook(run: CommandRun): vscode.NotebookDocument {
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  if (notebook === undefined || notebook.uri.scheme !== scheme || notebook.notebookType !== notebookType) {
    throw new Error(vscode.l10n.t("Open a notebook from a workspace, then try again."));
  }
  const [workspaceId = "", tenantId = ""] = notebook.uri.authority.split(".", 2);
  run.setErrorContext({ tenantId, workspaceId });
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

import * as vscode from "vscode";
import type { KernelSession, KernelSpec, RunningKernel } from "../../api/kernels/models.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { NotebookKernels } from "./notebook-kernels.ts";
import { changedKernel } from "./sessions/attachment.ts";

type Choice =
  | { readonly type: "new"; readonly specName: string }
  | { readonly type: "running"; readonly kernelId: string; readonly specName: string };

type ChoiceItem = vscode.QuickPickItem & { readonly choice?: Choice };

/** Asks which kernel a notebook is to have: a new one of any spec, or one that runs already. */
export async function changeKernel(kernels: NotebookKernels, notebook: vscode.NotebookDocument): Promise<void> {
  const workspace = kernels.workspaceOf(notebook);
  if (!(await workspace.discover())) {
    throw new Error(vscode.l10n.t("The content server of {0} runs no kernels.", workspace.name));
  }
  const { path } = addressOf(notebook.uri);
  const support = await workspace.server.support();
  const specs = support.type === "available" ? support.specs : [];
  const [running, sessions] = await Promise.all([workspace.server.kernels(), workspace.server.sessions()]);
  const { choice } = await pickItem(choiceItems(path, specs, running, sessions), {
    title: vscode.l10n.t("Change Kernel"),
    placeHolder: vscode.l10n.t("Kernels of {0}", workspace.name),
    matchOnDescription: true,
  });
  const controller = workspace.controllers.get(choice?.specName ?? "");
  if (choice === undefined || controller === undefined) {
    throw new vscode.CancellationError();
  }
  const session = sessions.find((candidate) => candidate.path === path);
  if (choice.type === "running" && session?.kernel?.id === choice.kernelId) {
    await kernels.attach(notebook, controller, session);
    return;
  }
  if (session?.kernel !== undefined) {
    await confirm({
      question: vscode.l10n.t("End the kernel that {0} runs on?", path),
      consequence: vscode.l10n.t("Its variables are lost, and running cells end."),
      action: vscode.l10n.t("Change Kernel"),
    });
  }
  const parts = kernels.attachmentParts(notebook);
  const wanted =
    choice.type === "new"
      ? ({ type: "new", specName: choice.specName } as const)
      : ({ type: "running", kernelId: choice.kernelId } as const);
  const attached =
    session === undefined
      ? await workspace.server.openSession(path, wanted)
      : (await changedKernel(parts, session, wanted)).session;
  await kernels.attach(notebook, controller, attached);
}

function choiceItems(
  path: string,
  specs: readonly KernelSpec[],
  running: readonly RunningKernel[],
  sessions: readonly KernelSession[],
): readonly ChoiceItem[] {
  const pathOf = (kernel: RunningKernel): string | undefined =>
    sessions.find((session) => session.kernel?.id === kernel.id)?.path;
  const own = running.filter((kernel) => pathOf(kernel) === path);
  const others = running.filter((kernel) => pathOf(kernel) !== path);
  const section = (label: string, items: readonly ChoiceItem[]): readonly ChoiceItem[] =>
    items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  const runningItem = (kernel: RunningKernel): ChoiceItem => ({
    label: `$(vm-active) ${titleOf(specs, kernel.specName)}`,
    description: pathOf(kernel) ?? vscode.l10n.t("no notebook"),
    detail: vscode.l10n.t("{0}, connections: {1}", kernel.executionState, kernel.connections),
    choice: { type: "running", kernelId: kernel.id, specName: kernel.specName },
  });
  return [
    ...section(vscode.l10n.t("Running for this notebook"), own.map(runningItem)),
    ...section(
      vscode.l10n.t("Start a new kernel"),
      specs.map(({ name, displayName, language }) => ({
        label: `$(vm) ${displayName}`,
        description: language,
        choice: { type: "new", specName: name },
      })),
    ),
    ...section(vscode.l10n.t("Running for others"), others.map(runningItem)),
  ];
}

function titleOf(specs: readonly KernelSpec[], name: string): string {
  return specs.find((spec) => spec.name === name)?.displayName ?? name;
}

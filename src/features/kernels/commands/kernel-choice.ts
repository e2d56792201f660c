import * as vscode from "vscode";
import type { KernelChoice, KernelSession, KernelSpec, RunningKernel } from "../../../api/kernels/models.ts";
import { confirm } from "../../../ui/commands/confirmation.ts";
import { pickItem } from "../../../ui/quick-input/show-input.ts";
import type { WorkspaceKernels } from "../controllers/workspace-kernels.ts";
import type { NotebookKernels } from "../notebook-kernels.ts";
import {
  type AttachedKernel,
  type AttachmentParts,
  changedKernel,
  openedKernel,
  separateKernel,
  sessionOf,
  settleOwner,
} from "../sessions/attachment.ts";
import { kernelLogos } from "./kernel-logos.ts";
import { otherUsers } from "./kernel-users.ts";

type Choice =
  | { readonly type: "new"; readonly specName: string }
  | { readonly type: "running"; readonly kernelId: string; readonly specName: string };

type ChoiceItem = vscode.QuickPickItem & { readonly choice?: Choice };

interface FoundKernels {
  readonly specs: readonly KernelSpec[];
  readonly running: readonly RunningKernel[];
  readonly sessions: readonly KernelSession[];
  /** Icons by the name of the spec. */
  readonly logos: ReadonlyMap<string, vscode.Uri>;
}

/**
 * Asks for the kernel of a notebook: a new kernel of any spec, or a running one. Canceling throws a CancellationError.
 */
export async function changeKernel(kernels: NotebookKernels, notebook: vscode.NotebookDocument): Promise<void> {
  const current = kernels.kernelOf(notebook);
  const { path, workspace } = current;
  const found = findKernels(workspace);
  const items = found.then((kernelsAndSpecs) => choiceItems(path, kernelsAndSpecs));
  const { choice } = await pickItem(items, {
    title: vscode.l10n.t("Change Kernel"),
    placeHolder: vscode.l10n.t("Kernels in {0}", workspace.name),
    matchOnDescription: true,
  });
  const { running, sessions } = await found;
  const controller = workspace.controllers.get(choice?.specName ?? "");
  if (choice === undefined || controller === undefined) {
    throw new vscode.CancellationError();
  }
  const parts = kernels.sessions.partsFor(current);
  const session = sessionOf(sessions, path, parts.separateSessionId);
  const change = async (): Promise<void> => {
    const attached =
      choice.type === "running"
        ? await runningKernel(parts, path, session, { sessions, running, kernelId: choice.kernelId })
        : current.isFollowing
          ? await separateKernel(parts, path, choice.specName)
          : await startedKernel(parts, path, { session, sessions }, choice);
    await current.replace(attached, controller);
    await kernels.select(current);
  };
  await current.end(change);
}

async function findKernels(workspace: WorkspaceKernels): Promise<FoundKernels> {
  await workspace.requireKernels();
  const support = await workspace.server.support();
  const specs = support.type === "available" ? support.specs : [];
  const [{ kernels, sessions }, logos] = await Promise.all([
    workspace.server.running(),
    kernelLogos(workspace.server, specs),
  ]);
  return { specs, running: kernels, sessions, logos };
}

/** Attaches to a running kernel: the notebook's own, or one that replaces the notebook's own. */
async function runningKernel(
  parts: AttachmentParts,
  path: string,
  session: KernelSession | undefined,
  found: {
    readonly sessions: readonly KernelSession[];
    readonly running: readonly RunningKernel[];
    readonly kernelId: string;
  },
): Promise<AttachedKernel> {
  const kernel = found.running.find(({ id }) => id === found.kernelId);
  const itsSession = found.sessions.find((candidate) => candidate.kernel?.id === found.kernelId);
  if (kernel === undefined) {
    throw new vscode.CancellationError();
  }
  if (session?.kernel?.id === kernel.id) {
    const settled = await settleOwner(parts, session, kernel, path);
    return session.id === parts.separateSessionId ? { ...settled, isSeparate: true } : settled;
  }
  const settled = itsSession === undefined ? undefined : await settleOwner(parts, itsSession, kernel, itsSession.path);
  if (settled !== undefined && (settled.role === "follower" || settled.isSeparate)) {
    return settled;
  }
  return startedKernel(parts, path, { session, sessions: found.sessions }, { type: "running", kernelId: kernel.id });
}

/** Switches the notebook's session to another kernel. Shuts down the current one after a confirmation. */
async function startedKernel(
  parts: AttachmentParts,
  path: string,
  { session, sessions }: { readonly session: KernelSession | undefined; readonly sessions: readonly KernelSession[] },
  choice: KernelChoice,
): Promise<AttachedKernel> {
  if (session === undefined) {
    return openedKernel(parts, path, choice);
  }
  if (session.kernel !== undefined) {
    await confirm({
      question: vscode.l10n.t("Shut down the current kernel of {0}?", path),
      touched: otherUsers(session, sessions),
      consequence: vscode.l10n.t("Its variables are lost, and running cells end."),
      action: vscode.l10n.t("Change Kernel"),
    });
  }
  return changedKernel(parts, session, choice);
}

/** The choices for the notebook with this path. */
export function choiceItems(path: string, { specs, running, sessions, logos }: FoundKernels): readonly ChoiceItem[] {
  const pathOf = (kernel: RunningKernel): string | undefined =>
    sessions.find((session) => session.kernel?.id === kernel.id)?.path;
  const own = running.filter((kernel) => pathOf(kernel) === path);
  const others = running.filter((kernel) => pathOf(kernel) !== path);
  const section = (label: string, items: readonly ChoiceItem[]): readonly ChoiceItem[] =>
    items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
  const runningItem = (kernel: RunningKernel): ChoiceItem => ({
    label: titleOf(specs, kernel.specName),
    iconPath: new vscode.ThemeIcon("vm-active"),
    description: pathOf(kernel) ?? vscode.l10n.t("No notebook"),
    detail:
      kernel.connections === 1
        ? vscode.l10n.t("{0}, 1 connection", kernel.executionState)
        : vscode.l10n.t("{0}, {1} connections", kernel.executionState, kernel.connections),
    choice: { type: "running", kernelId: kernel.id, specName: kernel.specName },
  });
  return [
    ...section(vscode.l10n.t("Running for this notebook"), own.map(runningItem)),
    ...section(
      vscode.l10n.t("Start a new kernel"),
      specs.map(({ name, displayName, language }) => ({
        label: displayName,
        iconPath: logos.get(name) ?? new vscode.ThemeIcon("vm"),
        description: language,
        choice: { type: "new", specName: name },
      })),
    ),
    ...section(vscode.l10n.t("Running for other notebooks"), others.map(runningItem)),
  ];
}

function titleOf(specs: readonly KernelSpec[], name: string): string {
  return specs.find((spec) => spec.name === name)?.displayName ?? name;
}

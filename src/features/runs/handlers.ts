import * as vscode from "vscode";
import { isNotebookPath, nameOf } from "../../api/catalogue/content-path.ts";
import type { ContentClient } from "../../api/client/client.ts";
import { displayedName } from "../../api/displayed-text.ts";
import { KernelServer } from "../../api/kernels/kernel-server.ts";
import type { KernelSpec } from "../../api/kernels/models.ts";
import { startRun } from "../../api/runs/notebook-run.ts";
import { type RunnableNotebook, readNotebook } from "../../api/runs/parameters.ts";
import { runKernels } from "../../api/runs/run-kernels.ts";
import { besides, namesBeside, readContent } from "../../api/runs/run-list.ts";
import { canNameRuns, notebookOfRun, runName } from "../../api/runs/run-names.ts";
import { isUnsavedAt, saveEditor } from "../../file-system/session/editor-documents.ts";
import { showInformation } from "../../tenants/messages.ts";
import { type ActiveFile, activeFile } from "../../ui/commands/active-file.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { offerToSave } from "../../ui/quick-input/offer-to-save.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { RunsCommandId } from "./declarations.ts";
import {
  deleteShownJob,
  executedNotebook,
  hasOutput,
  openJobFile,
  parametersOf,
  stopShownJob,
} from "./job-commands.ts";
import { JobRow } from "./job-rows.ts";
import { enterParameters, type Values } from "./parameter-form.ts";
import { runsWithoutParameters } from "./parameters-tag.ts";
import { changesUri } from "./run-changes.ts";
import { RunRow } from "./run-rows.ts";
import type { RunServices } from "./run-services.ts";
import type { RunWindow } from "./run-window.ts";

/** Commands that start, cancel, compare, and delete runs of notebooks. */
export function runCommands(window: RunWindow, services: RunServices): CommandHandlers<RunsCommandId> {
  return {
    "platformWorkbench.runAsJob": (run, argument) =>
      start(window, services, notebookOf(run, argument instanceof vscode.Uri ? argument : window.notebook), undefined),
    "platformWorkbench.refreshRuns": () => window.refresh(),
    "platformWorkbench.runAgain": (run, argument) => {
      const row = rowOf(run, argument);
      const again = row instanceof JobRow ? parametersOf(row) : (row.run.record?.parameters ?? {});
      return start(window, services, notebookOf(run, row.notebook), again);
    },
    "platformWorkbench.cancelRun": async (run, argument) => {
      const row = rowOf(run, argument);
      await (row instanceof JobRow ? stopShownJob(services, row) : cancelRun(services, row));
      window.refresh();
    },
    "platformWorkbench.compareRun": async (run, argument) => {
      const row = rowOf(run, argument);
      const { before, after } = await pickOther(window, services, row, vscode.l10n.t("Compare Run"));
      const title = `${nameOf(before.path)} ↔ ${nameOf(after.path)}`;
      await vscode.commands.executeCommand("vscode.diff", before, after, title);
    },
    "platformWorkbench.listRunChanges": async (run, argument) => {
      const row = rowOf(run, argument);
      const { before, after } = await pickOther(window, services, row, vscode.l10n.t("List Changes Between Runs"));
      await vscode.commands.executeCommand("markdown.showPreview", changesUri(before, after));
    },
    "platformWorkbench.deleteRun": async (run, argument) => {
      const row = rowOf(run, argument);
      await (row instanceof JobRow ? deleteShownJob(services, row) : deleteRun(services, row));
      window.refresh();
    },
    "platformWorkbench.openJobFile": (run, argument) => {
      const row = rowOf(run, argument);
      if (!(row instanceof JobRow)) {
        throw new Error(vscode.l10n.t("Select a job of Jupyter Scheduler in the view, then try again."));
      }
      return openJobFile(services, row);
    },
  };
}

async function cancelRun(services: RunServices, { run, uri, notebook }: RunRow): Promise<void> {
  const kernelId = run.session?.kernel?.id;
  if (kernelId === undefined) {
    throw new Error(vscode.l10n.t("The run of {0} has already ended.", nameOf(notebook.path)));
  }
  await confirm({
    question: vscode.l10n.t("Cancel the run of {0}?", nameOf(notebook.path)),
    consequence: vscode.l10n.t("What ran until now is saved in {0}.", nameOf(uri.path)),
    action: vscode.l10n.t("Cancel Run"),
  });
  await serverOf(services, activeFile(uri)).interrupt(kernelId);
}

async function deleteRun(services: RunServices, { run, uri }: RunRow): Promise<void> {
  await confirm({
    question: vscode.l10n.t("Delete the run {0}?", nameOf(uri.path)),
    consequence:
      run.session === undefined
        ? vscode.l10n.t("The executed notebook with its outputs is deleted.")
        : vscode.l10n.t("Its kernel ends, and the executed notebook with its outputs is deleted."),
    action: vscode.l10n.t("Delete"),
  });
  if (run.session !== undefined) {
    await serverOf(services, activeFile(uri)).endSession(run.session.id);
  }
  await vscode.workspace.fs.delete(uri);
}

function serverOf({ connections }: RunServices, { tenantId, workspaceId }: ActiveFile): KernelServer {
  return new KernelServer(() => connections.content(tenantId, workspaceId));
}

function rowOf(run: CommandRun, argument: unknown): RunRow | JobRow {
  if (!(argument instanceof RunRow || argument instanceof JobRow)) {
    throw new Error(vscode.l10n.t("Select a run in the view, then try again."));
  }
  const { tenantId, workspaceId } = activeFile(argument.notebook);
  run.setErrorContext({ tenantId, workspaceId });
  return argument;
}

function notebookOf(run: CommandRun, uri: vscode.Uri | undefined): ActiveFile {
  const file = activeFile(uri);
  if (!isNotebookPath(file.path)) {
    throw new Error(vscode.l10n.t("{0} isn't a notebook. Open a notebook of a workspace, then try again.", file.name));
  }
  run.setErrorContext({ tenantId: file.tenantId, workspaceId: file.workspaceId });
  // A run of a run would have both times in its name.
  return notebookOfRun(file.name) === undefined
    ? file
    : activeFile(vscode.Uri.joinPath(file.uri, "..", notebookOfRun(file.name) ?? file.name));
}

/** Asks for the parameters, and starts the run. `again` are the parameters of an earlier run. */
async function start(
  window: RunWindow,
  services: RunServices,
  file: ActiveFile,
  again: Values | undefined,
): Promise<void> {
  const { connections } = services;
  const { tenantId, workspaceId, path, name, uri } = file;
  const title = vscode.l10n.t("Run {0} as Job", name);
  if (!canNameRuns(name)) {
    throw new Error(
      vscode.l10n.t(
        "{0} can't be run as a job, because its name is too long for the time of the run in it. Rename it, then try again.",
        name,
      ),
    );
  }
  if (isUnsavedAt(uri.authority, path)) {
    await offerToSave(name, title, () => saveEditor(uri.authority, path));
  }
  const client = (): Promise<ContentClient> => connections.content(tenantId, workspaceId);
  const values = await valuesOf(file, await readRunnable(await client(), file), await client(), title, again);
  const content = await client();
  const notebook = await readRunnable(content, file);
  const kernels = await kernelsFor(serverOf(services, file), name, notebook);
  const target = besides(path, runName(name, new Date(), await namesBeside(content, path)));
  await withCancellableProgress(vscode.l10n.t("Starting the run of {0}", name), (signal) =>
    startRun(client, { path, target, parameters: values, ...kernels }, signal),
  );
  window.add({ tenantId, workspaceId, path: target });
  services.files.refresh(tenantId, workspaceId);
  const show = vscode.l10n.t("Show Runs");
  void showInformation(vscode.l10n.t("Running {0}. The run continues if you close the editor.", name), show).then(
    async (chosen) => {
      if (chosen === show) {
        await vscode.commands.executeCommand("platformWorkbench.runs.focus");
      }
    },
  );
}

async function readRunnable(client: ContentClient, { path, name }: ActiveFile): Promise<RunnableNotebook> {
  const notebook = readNotebook(await readContent(client, path));
  if (notebook === undefined) {
    throw new Error(vscode.l10n.t("{0} can't be run, because it isn't a notebook of format 4.", name));
  }
  return notebook;
}

/** The values of the parameters that differ from the notebook. */
async function valuesOf(
  file: ActiveFile,
  notebook: RunnableNotebook,
  client: ContentClient,
  title: string,
  again: Values | undefined,
): Promise<Values> {
  const { parameters, hasCode, language } = notebook;
  // In other languages, a cell can't be added.
  if (language !== "python") {
    return {};
  }
  const missing = Object.keys(again ?? {}).filter((name) => !parameters?.some((one) => one.name === name));
  if (missing.length > 0) {
    throw new Error(
      vscode.l10n.t(
        "{0} no longer has the parameter {1}. Use Run as Job to enter the parameters again.",
        file.name,
        missing.join(", "),
      ),
    );
  }
  if (parameters !== undefined) {
    return enterParameters(title, parameters, again ?? {});
  }
  if (again !== undefined || !hasCode || (await runsWithoutParameters(file.uri, title))) {
    return {};
  }
  return valuesOf(file, await readRunnable(client, file), client, title, again);
}

/** The kernel specs for the cells and for the program that runs them. Throws an error that says what is missing. */
async function kernelsFor(
  server: KernelServer,
  name: string,
  notebook: RunnableNotebook,
): Promise<{ readonly kernel: KernelSpec; readonly programKernel: KernelSpec }> {
  const found = runKernels(await server.support(), notebook);
  switch (found.type) {
    case "found":
      return { kernel: found.kernel, programKernel: found.programKernel };
    case "noKernels":
      throw new Error(vscode.l10n.t("{0} can't be run, because its content server has no kernels.", name));
    case "noPython":
      throw new Error(vscode.l10n.t("{0} can't be run as a job, which needs a Python kernel on the server.", name));
    case "missing":
      throw new Error(
        vscode.l10n.t(
          "{0} can't be run, because the server has no kernel {1}. Select another kernel, save the notebook, then try again.",
          name,
          found.kernel,
        ),
      );
  }
}

/** Asks what to compare a run or job with: another one, or the notebook. The older one is first. */
async function pickOther(
  window: RunWindow,
  services: RunServices,
  row: RunRow | JobRow,
  title: string,
): Promise<{ readonly before: vscode.Uri; readonly after: vscode.Uri }> {
  const rows = await window.rowsOf(row.notebook);
  const others = rows.filter((other) => other.id !== row.id && (!(other instanceof JobRow) || hasOutput(other.job)));
  const items = [
    ...others.map((other) => ({
      label:
        other instanceof JobRow ? displayedName(`${other.job.name} (${String(other.label)})`) : nameOf(other.run.path),
      description: String(other.description),
      iconPath: new vscode.ThemeIcon("history"),
      other,
    })),
    {
      label: nameOf(row.notebook.path),
      description: vscode.l10n.t("the notebook"),
      iconPath: new vscode.ThemeIcon("notebook"),
      other: undefined,
    },
  ];
  const name = row instanceof JobRow ? row.job.name : nameOf(row.uri.path);
  const { other } = await pickItem(items, { title, placeHolder: vscode.l10n.t("Compare {0} with", name) });
  const executed = (one: RunRow | JobRow): Promise<vscode.Uri> | vscode.Uri =>
    one instanceof JobRow ? executedNotebook(services, one) : one.uri;
  const own = await executed(row);
  const chosen = other === undefined ? row.notebook : await executed(other);
  const place = (one: RunRow | JobRow | undefined): number => rows.findIndex(({ id }) => id === one?.id);
  return other !== undefined && place(other) < place(row)
    ? { before: own, after: chosen }
    : { before: chosen, after: own };
}

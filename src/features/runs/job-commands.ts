import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { ContentClient } from "../../api/client/client.ts";
import { displayedName } from "../../api/displayed-text.ts";
import { deleteJob, fileOfJob, stopJob } from "../../api/runs/jupyter-scheduler.ts";
import { literalType } from "../../api/runs/python-literal.ts";
import type { JobFile, SchedulerJob } from "../../api/runs/scheduler-jobs.ts";
import { addressOf, siblingUri } from "../../tenants/workspace-uri.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { type JobRow, notebookFormat } from "./job-rows.ts";
import type { Values } from "./parameter-form.ts";
import type { RunServices } from "./run-services.ts";

/** Stops a job of Jupyter Scheduler after a confirmation. */
export async function stopShownJob(services: RunServices, row: JobRow): Promise<void> {
  await confirm({
    question: vscode.l10n.t("Stop the job of {0}?", row.job.notebook),
    consequence: vscode.l10n.t("Jupyter Scheduler ends its kernel. What ran until now is lost."),
    action: vscode.l10n.t("Stop Job"),
  });
  await stopJob(await clientOf(services, row), row.job);
}

/** Deletes a job of Jupyter Scheduler after a confirmation. */
export async function deleteShownJob(services: RunServices, row: JobRow): Promise<void> {
  const { job } = row;
  await confirm({
    question: vscode.l10n.t("Delete the job {0}?", job.name),
    consequence:
      job.state === "running"
        ? vscode.l10n.t("It is stopped, and its outputs in Jupyter Scheduler are deleted.")
        : vscode.l10n.t("Its outputs in Jupyter Scheduler are deleted. Copies in the workspace stay."),
    action: vscode.l10n.t("Delete"),
  });
  await deleteJob(await clientOf(services, row), job);
}

/** Opens one of the files of a job, which Jupyter Scheduler copies into the workspace before. */
export async function openJobFile(services: RunServices, row: JobRow): Promise<void> {
  const { files, notebook } = endedJob(row);
  const items = files.map((file) => ({
    label: displayedName(file.title),
    description: displayedName(file.path ?? ""),
    iconPath: new vscode.ThemeIcon(iconOf(file)),
    format: file.format,
  }));
  const title = vscode.l10n.t("Open File of Job");
  const { format } =
    items.length === 1 && items[0] !== undefined
      ? items[0]
      : await pickItem(items, { title, placeHolder: vscode.l10n.t("Choose a file of {0}", notebook) });
  await vscode.commands.executeCommand("vscode.open", await copiedFile(services, row, format));
}

/** Whether a job has, or can have, an executed notebook. */
export function hasOutput({ state, files }: SchedulerJob): boolean {
  return state !== "running" && state !== "canceled" && files.some(({ format }) => format === notebookFormat);
}

/** The executed notebook of a job, which Jupyter Scheduler copies into the workspace before. */
export async function executedNotebook(services: RunServices, row: JobRow): Promise<vscode.Uri> {
  const { files, notebook } = endedJob(row);
  if (!files.some(({ format }) => format === notebookFormat)) {
    throw new Error(vscode.l10n.t("The job of {0} was made without a notebook among its outputs.", notebook));
  }
  return copiedFile(services, row, notebookFormat);
}

/** The parameters of a job for another run, which are code in Jupyter Scheduler. */
export function parametersOf({ job }: JobRow): Values {
  const wrong = Object.entries(job.parameters).find(([, value]) => literalType(value) === undefined);
  if (wrong !== undefined) {
    throw new Error(
      vscode.l10n.t(
        "The job's parameter {0} isn't a plain Python value. Use Run as Job to enter the parameters again.",
        wrong[0],
      ),
    );
  }
  return job.parameters;
}

function endedJob({ job }: JobRow): JobRow["job"] {
  if (job.state === "running") {
    throw new Error(vscode.l10n.t("The job of {0} hasn't ended yet.", job.notebook));
  }
  if (job.state === "canceled" && job.files.every(({ path }) => path === undefined)) {
    throw new Error(vscode.l10n.t("The job of {0} was stopped before it wrote its outputs.", job.notebook));
  }
  return job;
}

async function copiedFile(services: RunServices, row: JobRow, format: string): Promise<vscode.Uri> {
  const { job, notebook } = row;
  const client = await clientOf(services, row);
  const path = await withCancellableProgress(
    vscode.l10n.t("Copying the files of the job of {0}", job.notebook),
    (signal) => fileOfJob(client, job, { format, signal }),
  );
  const { tenantId, workspaceId } = addressOf(notebook);
  services.files.refresh(tenantId, workspaceId);
  return siblingUri(notebook, path);
}

function clientOf({ connections }: RunServices, { notebook }: JobRow): Promise<ContentClient> {
  const { tenantId, workspaceId } = addressOf(notebook);
  return connections.content(tenantId, workspaceId);
}

function iconOf({ format, path }: JobFile): string {
  const name = nameOf(path ?? `.${format}`);
  return format === "input" || name.endsWith(".ipynb") ? "notebook" : name.endsWith(".html") ? "globe" : "file";
}

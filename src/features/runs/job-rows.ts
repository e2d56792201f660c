import * as vscode from "vscode";
import { displayedName } from "../../api/displayed-text.ts";
import type { SchedulerJob } from "../../api/runs/scheduler-jobs.ts";
import { shortened } from "../../api/text.ts";
import { siblingUri } from "../../tenants/workspace-uri.ts";
import { absoluteDate, relativeDate } from "../../ui/format/dates.ts";
import { card } from "../../ui/tree/presentation.ts";
import { durationText } from "./run-messages.ts";
import { lookOf, parametersText } from "./run-rows.ts";

/** The format of the executed notebook among the files of a job. */
export const notebookFormat = "ipynb";

/** The row of a job of Jupyter Scheduler, as the view passes it to commands. */
export class JobRow extends vscode.TreeItem {
  readonly job: SchedulerJob;
  /** The notebook in whose list it is. */
  readonly notebook: vscode.Uri;

  constructor(label: string, job: SchedulerJob, notebook: vscode.Uri) {
    super(label);
    this.job = job;
    this.notebook = notebook;
  }
}

/** The row of a job: when it began, its state, its duration, and its parameters. */
export function jobRow(job: SchedulerJob, notebook: vscode.Uri): JobRow {
  const { id, name, state, time, seconds, parameters, error, isScheduled, files } = job;
  const row = new JobRow(relativeDate(time, vscode.env.language) ?? displayedName(shortened(name, 80)), job, notebook);
  const scheduler = isScheduled ? vscode.l10n.t("scheduled job") : vscode.l10n.t("job");
  const parts = [
    jobStateText(job),
    ...(seconds === undefined ? [] : [durationText(seconds)]),
    scheduler,
    ...parametersText(parameters),
  ];
  row.id = `job ${notebook.toString()} ${id}`;
  row.description = displayedName(parts.join(" · "));
  row.iconPath = lookOf(state);
  row.contextValue = state === "running" ? "run.running.job" : "run.ended.job";
  row.accessibilityInformation = { label: `${displayedName(shortened(name, 200))}, ${row.description}` };
  row.tooltip = card({
    name: shortened(name, 200),
    description: vscode.l10n.t("A job of Jupyter Scheduler"),
    lines: [
      [vscode.l10n.t("State"), jobStateText(job)],
      [vscode.l10n.t("Started"), absoluteDate(time, vscode.env.language)],
      [
        vscode.l10n.t("Parameters"),
        Object.entries(parameters)
          .map(([key, value]) => `${key} = ${value}`)
          .join(", "),
      ],
      [vscode.l10n.t("Error"), error],
      [vscode.l10n.t("Files"), files.map(({ title }) => title).join(", ")],
    ],
  });
  const path = files.find(({ format }) => format === notebookFormat)?.path;
  const title = vscode.l10n.t("Open Run");
  if (path !== undefined) {
    row.command = { command: "vscode.open", title, arguments: [siblingUri(notebook, path)] };
  } else if (state === "succeeded" || state === "failed") {
    row.command = { command: "platformWorkbench.openJobFile", title, arguments: [row] };
  }
  return row;
}

function jobStateText({ status, state }: SchedulerJob): string {
  switch (status) {
    case "CREATED":
    case "QUEUED":
      return vscode.l10n.t("queued");
    case "IN_PROGRESS":
      return vscode.l10n.t("running");
    case "STOPPING":
      return vscode.l10n.t("stopping");
    case "STOPPED":
      return vscode.l10n.t("stopped");
    default:
      return state === "succeeded"
        ? vscode.l10n.t("succeeded")
        : state === "failed"
          ? vscode.l10n.t("failed")
          : displayedName(status);
  }
}

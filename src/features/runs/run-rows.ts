import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { displayedName } from "../../api/displayed-text.ts";
import type { ListedRun } from "../../api/runs/run-list.ts";
import { notebookOfRun } from "../../api/runs/run-names.ts";
import type { RunState } from "../../api/runs/run-record.ts";
import { shortened } from "../../api/text.ts";
import { absoluteDate, relativeDate } from "../../ui/format/dates.ts";
import { card } from "../../ui/tree/presentation.ts";
import { durationText } from "./run-messages.ts";

/** Maximum length of the parameters in a row, in characters. */
const maxParametersLength = 80;

/** The row of a run, as the view passes it to commands. */
export class RunRow extends vscode.TreeItem {
  readonly run: ListedRun;
  /** The executed notebook. */
  readonly uri: vscode.Uri;

  constructor(label: string, run: ListedRun, uri: vscode.Uri) {
    super(label);
    this.run = run;
    this.uri = uri;
  }

  /** The notebook that was executed. */
  get notebook(): vscode.Uri {
    return vscode.Uri.joinPath(this.uri, "..", notebookOfRun(nameOf(this.uri.path)) ?? "");
  }
}

const looks: Readonly<Record<RunState, readonly [icon: string, color: string | undefined]>> = {
  running: ["loading~spin", "charts.blue"],
  succeeded: ["pass", "testing.iconPassed"],
  failed: ["error", "testing.iconFailed"],
  canceled: ["circle-slash", undefined],
  lost: ["warning", "list.warningForeground"],
};

/** The icon of a run or job. Undefined for one whose state isn't known. */
export function lookOf(state: RunState | undefined): vscode.ThemeIcon {
  const [icon, color] = state === undefined ? (["notebook", undefined] as const) : looks[state];
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** The parameters in the description of a row: one text, or none. */
export function parametersText(parameters: Readonly<Record<string, string>>): readonly string[] {
  const texts = Object.entries(parameters).map(([name, value]) => `${name} = ${value}`);
  return texts.length === 0 ? [] : [shortened(texts.join(", "), maxParametersLength)];
}

/** The row of a run: when it was, its state, its duration, and its parameters. */
export function rowOf(run: ListedRun, uri: vscode.Uri): RunRow {
  const { record, state } = run;
  const time = record?.started ?? run.changed;
  const row = new RunRow(relativeDate(time, vscode.env.language) ?? displayedName(nameOf(run.path)), run, uri);
  const parameters = Object.entries(record?.parameters ?? {}).map(([name, value]) => `${name} = ${value}`);
  const parts = [
    stateText(run),
    ...(record?.seconds === undefined ? [] : [durationText(record.seconds)]),
    ...parametersText(record?.parameters ?? {}),
  ];
  row.id = uri.toString();
  row.description = displayedName(parts.join(" · "));
  row.iconPath = lookOf(state);
  row.contextValue = state === "running" ? "run.running" : "run.ended";
  row.accessibilityInformation = { label: `${displayedName(nameOf(run.path))}, ${row.description}` };
  row.tooltip = card({
    name: nameOf(run.path),
    lines: [
      [vscode.l10n.t("State"), stateText(run)],
      [vscode.l10n.t("Started"), absoluteDate(time, vscode.env.language)],
      [vscode.l10n.t("Parameters"), parameters.join(", ")],
      [vscode.l10n.t("Error"), record?.error],
      [vscode.l10n.t("Path"), run.path],
    ],
  });
  row.command = { command: "vscode.open", title: vscode.l10n.t("Open Run"), arguments: [uri] };
  return row;
}

function stateText({ record, state }: ListedRun): string {
  switch (state) {
    case "running":
      return record === undefined || record.cell === 0
        ? vscode.l10n.t("starting")
        : vscode.l10n.t("code cell {0} of {1}", record.cell, record.cells);
    case "succeeded":
      return vscode.l10n.t("succeeded");
    case "failed":
      return vscode.l10n.t("failed in code cell {0}", record?.cell ?? 0);
    case "canceled":
      return vscode.l10n.t("canceled");
    case "lost":
      return vscode.l10n.t("ended early");
    case undefined:
      return vscode.l10n.t("no record");
  }
}

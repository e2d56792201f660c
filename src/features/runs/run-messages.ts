import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { displayedName } from "../../api/displayed-text.ts";
import type { RunRecord, RunState } from "../../api/runs/run-record.ts";
import { showError, showInformation, showWarning } from "../../tenants/messages.ts";
import { duration } from "../../ui/format/quantities.ts";

/** Says how a run has ended, and opens the executed notebook if the user wants to. */
export async function showEnd(uri: vscode.Uri, state: RunState, record: RunRecord | undefined): Promise<void> {
  const name = displayedName(record?.source ?? nameOf(uri.path));
  const open = vscode.l10n.t("Open");
  const show = state === "failed" ? showError : state === "lost" ? showWarning : showInformation;
  if ((await show(endText(name, state, record), open)) === open) {
    await vscode.commands.executeCommand("vscode.open", uri);
  }
}

function endText(name: string, state: RunState, record: RunRecord | undefined): string {
  switch (state) {
    case "failed":
      return vscode.l10n.t(
        "The run of {0} failed in code cell {1}: {2}",
        name,
        record?.cell ?? 0,
        record?.error ?? vscode.l10n.t("unknown reason"),
      );
    case "canceled":
      return vscode.l10n.t("The run of {0} was canceled. What ran until then is saved.", name);
    case "lost":
      return vscode.l10n.t(
        "The run of {0} ended early, because its kernel or the workspace was stopped. What ran until then is saved.",
        name,
      );
    default:
      return record?.seconds === undefined
        ? vscode.l10n.t("The run of {0} is done.", name)
        : vscode.l10n.t("The run of {0} is done after {1}.", name, durationText(record.seconds));
  }
}

/** A duration in seconds as words. */
export function durationText(seconds: number): string {
  return duration(seconds * 1000, vscode.env.language);
}

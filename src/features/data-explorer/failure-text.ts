import * as vscode from "vscode";
import { CompanionLostError, CompanionOperationError, CompanionUnavailableError } from "../../api/companion/errors.ts";
import { displayedText } from "../../api/displayed-text.ts";
import { errorText } from "../../tenants/error-text.ts";

/** The sentence for a failure of the data explorer. `name`: the expression or the file. */
export function failureText(error: unknown, name: string): string {
  if (error instanceof CompanionOperationError) {
    return operationText(error, name);
  }
  if (error instanceof CompanionLostError || error instanceof CompanionUnavailableError) {
    return vscode.l10n.t("Can't read {0}. {1}", name, errorText(error));
  }
  return errorText(error);
}

function operationText({ kind, message }: CompanionOperationError, name: string): string {
  switch (kind) {
    case "gone":
      return vscode.l10n.t("{0} isn't defined in the kernel. Run the cell that sets it.", name);
    case "notFrame":
      return vscode.l10n.t("{0} isn't a table that the data explorer can show.", name);
    case "noFile":
      return vscode.l10n.t("{0} no longer exists.", name);
    case "missing":
      return vscode.l10n.t(
        "The workspace's Python has neither pyarrow nor polars, which read {0}. Run “pip install pyarrow” in a terminal of the workspace, then try again.",
        name,
      );
    case "tooLarge":
      return vscode.l10n.t("{0} is too large. {1}", name, displayedText(message));
    default:
      return vscode.l10n.t("Can't read {0}. {1}", name, displayedText(message));
  }
}

/** Whether the failure says that the open frame is no longer that of the subject, so that it must be opened again. */
export function isOutdated(error: unknown): boolean {
  return error instanceof CompanionOperationError && (error.kind === "unknown" || error.kind === "changed");
}

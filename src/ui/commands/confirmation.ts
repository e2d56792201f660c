import * as vscode from "vscode";
import { showWarning } from "../../tenants/messages.ts";

/** Maximum number of items that a confirmation lists. */
export const maxNamed = 10;

/** A confirmation before an item is deleted or replaced. */
interface Confirmation {
  /** The question with the item's name, such as "Delete the workflow Nightly load?". */
  readonly question: string;
  /** The affected items, one per line. Beyond ten, only the number of remaining items is shown. */
  readonly touched?: readonly string[];
  /** The consequence, as a sentence. */
  readonly consequence?: string;
  /** The verb on the button, such as "Delete". */
  readonly action: string;
}

/** Asks in a modal dialog. Throws a CancellationError unless the user confirms. */
export async function confirm({ question, touched = [], consequence, action }: Confirmation): Promise<void> {
  const detail = [
    ...namedLines(touched),
    ...(consequence === undefined ? [] : [...(touched.length > 0 ? [""] : []), consequence]),
  ].join("\n");
  const chosen = await showWarning(question, { modal: true, detail }, action);
  if (chosen !== action) {
    throw new vscode.CancellationError();
  }
}

/** The first ten lines, and the number of remaining ones. */
export function namedLines(lines: readonly string[]): readonly string[] {
  const rest = lines.length - maxNamed;
  return [...lines.slice(0, maxNamed), ...(rest > 0 ? [vscode.l10n.t("and {0} more", rest)] : [])];
}

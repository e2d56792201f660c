import * as vscode from "vscode";
import { showWarning } from "../../tenants/messages.ts";

const mostNamed = 10;

/** The question before something is deleted or replaced. */
interface Confirmation {
  /** The question, naming the thing, as "Delete the workflow Nightly load?". */
  readonly question: string;
  /** The affected items, one line each. After ten, the rest is counted. */
  readonly touched?: readonly string[];
  /** The consequence, as a sentence. */
  readonly consequence?: string;
  /** The button's verb, as "Delete". */
  readonly action: string;
}

/** Asks in a modal dialog; throws a CancellationError unless the person says yes. */
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

/** The first ten, and how many more there are. */
export function namedLines(lines: readonly string[]): readonly string[] {
  const rest = lines.length - mostNamed;
  return [...lines.slice(0, mostNamed), ...(rest > 0 ? [vscode.l10n.t("and {0} more", rest)] : [])];
}

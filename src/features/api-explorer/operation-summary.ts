import * as vscode from "vscode";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import { Phrase } from "../../api/phrase.ts";
import { translated } from "../../api/translation.ts";

/** The summary of an operation in the user's language. */
export function summaryOf({ summary }: Pick<AnyOperation, "summary">): string {
  return translated(new Phrase([summary]), vscode.l10n.t);
}

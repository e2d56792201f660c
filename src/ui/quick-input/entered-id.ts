import * as vscode from "vscode";
import { enterText } from "./show-input.ts";

/**
 * Asks for the id of an item if there is no list to choose from; an address from the browser is accepted, too. Throws a
 * CancellationError if canceled.
 */
export async function enterId(title: string, prompt: string): Promise<string> {
  const typed = await enterText({
    title,
    prompt,
    validateInput: (text) => (idIn(text) === "" ? vscode.l10n.t("Enter an ID.") : undefined),
  });
  return idIn(typed);
}

/** The last segment of an address from the browser, or the id itself. */
function idIn(typed: string): string {
  const path = URL.canParse(typed.trim()) ? new URL(typed.trim()).pathname : typed;
  return (
    path
      .split("/")
      .filter((segment) => segment.trim() !== "")
      .at(-1)
      ?.trim() ?? ""
  );
}

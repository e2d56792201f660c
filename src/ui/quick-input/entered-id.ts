import * as vscode from "vscode";

/**
 * Asks for the id of an item if there is no list to choose from; an address from the browser is accepted, too. Throws a
 * CancellationError if canceled.
 */
export async function enterId(title: string, prompt: string): Promise<string> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt,
    ignoreFocusOut: true,
    validateInput: (text) => (idIn(text) === "" ? vscode.l10n.t("Enter an ID.") : undefined),
  });
  if (typed === undefined) {
    throw new vscode.CancellationError();
  }
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

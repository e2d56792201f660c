import * as vscode from "vscode";

/** What a row's card says. */
export interface CardParts {
  readonly name: string;
  readonly description?: string | undefined;
  /** What each line is called and what it says; absent ones are left out. */
  readonly lines: readonly (readonly [name: string, value: string | undefined])[];
  /** The page in the browser. */
  readonly page?: string | undefined;
  /** An image as a `data:` address, shown below the name. */
  readonly image?: string | undefined;
}

/** Pixels: beside it there is room for what the card says. */
const imageWidth = 280;

/** The card of a row. What the platform tells is put in as text: it could hold Markdown of its own. */
export function card({ name, description = "", lines, page, image }: CardParts): vscode.MarkdownString {
  const text = new vscode.MarkdownString("**").appendText(name).appendMarkdown("**\n\n");
  if (description.trim() !== "") {
    text.appendText(description.trim()).appendMarkdown("\n\n");
  }
  if (image !== undefined) {
    text.appendMarkdown(`![${vscode.l10n.t("Thumbnail")}](${image}|width=${imageWidth})\n\n`);
  }
  text.appendMarkdown("| | |\n|:--|:--|\n");
  for (const [title, value] of lines) {
    if (value !== undefined && value !== "") {
      text.appendMarkdown("| ").appendText(title).appendMarkdown(" | ").appendText(cell(value)).appendMarkdown(" |\n");
    }
  }
  if (page !== undefined) {
    const address = vscode.Uri.parse(page, true).toString();
    text.appendMarkdown(`\n[${vscode.l10n.t("Open in Browser")}](${address})`);
  }
  return text;
}

function cell(value: string): string {
  return value.replace(/[|\r\n]+/g, " ");
}

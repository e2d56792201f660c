import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** A page of a webview. It has a style sheet in `dist/webviews`. */
interface WebviewPage {
  /** Name of the page's files, without extension. */
  readonly page: string;
  readonly title: string;
}

/** A page whose script, next to the style sheet, makes its content from the data that it begins with. */
export interface ScriptedPage extends WebviewPage {
  readonly start: object;
  /** Sources that the script may use in addition, by the policy's directive. None by default. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** A page without a script. */
export interface StaticPage extends WebviewPage {
  /** HTML in which everything from a server is escaped. */
  readonly body: string;
}

/** The folder with the files of all pages. */
export function webviewFiles(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, "dist", "webviews");
}

/** The HTML of a page. Its policy allows only the page's own script and style sheet, and nothing remote. */
export function webviewHtml(webview: vscode.Webview, files: vscode.Uri, page: ScriptedPage | StaticPage): string {
  const nonce = randomBytes(16).toString("base64url");
  const file = (extension: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(files, `${page.page}.${extension}`)).toString();
  const body =
    "body" in page
      ? `<body>\n${page.body}\n</body>`
      : `<body data-start="${escaped(JSON.stringify(page.start))}">\n<script nonce="${nonce}" src="${file("js")}"></script>\n</body>`;
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policyOf(page, nonce))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)}</title>
<link rel="stylesheet" nonce="${nonce}" href="${file("css")}">
</head>
${body}
</html>`;
}

function policyOf(page: ScriptedPage | StaticPage, nonce: string): string {
  const { "script-src": scripts, ...others } = ("body" in page ? undefined : page.sources) ?? {};
  const own = "body" in page ? [] : [["script-src", `'nonce-${nonce}'`, ...(scripts === undefined ? [] : [scripts])]];
  return [["default-src", "'none'"], ...own, ["style-src", `'nonce-${nonce}'`], ...Object.entries(others)]
    .concat([
      ["base-uri", "'none'"],
      ["form-action", "'none'"],
    ])
    .map((directive) => directive.join(" "))
    .join("; ");
}

/** A text in HTML, also in an attribute with double quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

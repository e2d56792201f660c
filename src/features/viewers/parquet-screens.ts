import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { displayedName } from "../../api/displayed-text.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { errorText } from "../../tenants/error-text.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { escaped, webviewFiles, webviewHtml } from "../../ui/webview/webview-html.ts";
import type { ViewersCommandId } from "./declarations.ts";

interface ParquetScreenParts {
  readonly files: Pick<PlatformFileSystem, "stat">;
  readonly extensionUri: vscode.Uri;
}

const copyCode = "platformWorkbench.copyReadingCode";

/** Shows what a Parquet file is and how to read it, because the editor would show its bytes as text. */
export class ParquetScreens {
  readonly #parts: ParquetScreenParts;

  constructor(parts: ParquetScreenParts) {
    this.#parts = parts;
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, { webview }: vscode.WebviewPanel): Promise<void> {
    const { files, extensionUri } = this.#parts;
    const folder = webviewFiles(extensionUri);
    const download =
      vscode.env.uiKind === vscode.UIKind.Web
        ? { command: "platformWorkbench.downloadToServer", title: vscode.l10n.t("Download to the Editor's Server…") }
        : { command: "platformWorkbench.download", title: vscode.l10n.t("Download to This Computer…") };
    webview.options = { enableCommandUris: [copyCode, download.command], localResourceRoots: [folder] };
    const title = nameOf(addressOf(uri).path);
    const size = await files.stat(uri).then(
      (status) => vscode.l10n.t("Parquet file, {0}", sizeText(status.size, vscode.env.language)),
      (error: unknown) => errorText(error),
    );
    const button = (command: string, text: string): string =>
      `<a class="button" href="${escaped(commandAddress(command, uri))}">${escaped(text)}</a>`;
    const body = `<main>
<h1>${escaped(displayedName(title))}</h1>
<p>${escaped(size)}</p>
<p>${escaped(vscode.l10n.t("Parquet files open as a table in a later version. In a cell of a notebook in the same folder, this code reads the file:"))}</p>
<pre><code>${escaped(readingCode(uri))}</code></pre>
<p class="tools">${button(copyCode, vscode.l10n.t("Copy Code"))}${button(download.command, download.title)}</p>
</main>`;
    webview.html = webviewHtml(webview, folder, { page: "parquet", title, body });
  }
}

export const parquetCommands: CommandHandlers<ViewersCommandId> = {
  async [copyCode](_, argument) {
    if (argument instanceof vscode.Uri && argument.scheme === scheme) {
      await vscode.env.clipboard.writeText(readingCode(argument));
      vscode.window.setStatusBarMessage(vscode.l10n.t("Code copied"), shownMs);
    }
  },
};

/** Milliseconds for which the confirmation is shown. */
const shownMs = 5_000;

/** Python code that reads the file. Kernels run in the folder of their notebook. */
export function readingCode(uri: vscode.Uri): string {
  // A string of JSON is also one of Python.
  return `import pandas as pd\n\ndf = pd.read_parquet(${JSON.stringify(nameOf(addressOf(uri).path))})\ndf.head()`;
}

function commandAddress(command: string, uri: vscode.Uri): string {
  return `command:${command}?${encodeURIComponent(JSON.stringify([uri]))}`;
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { errorMessage } from "../../api/error-message.ts";
import { LatestRequest } from "../../api/latest-request.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { errorText } from "../../tenants/error-text.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { webviewFiles, webviewHtml } from "../../ui/webview/webview-html.ts";
import type { PdfMessage, PdfStart, PdfTexts } from "./messages.ts";

export interface PdfScreenParts {
  readonly files: Pick<PlatformFileSystem, "readFile" | "onDidChangeFile">;
  readonly extensionUri: vscode.Uri;
  readonly log: Pick<ExtensionLog, "warn">;
}

const readMessage = z.object({ type: z.literal("read") });

/** Shows PDF files, read-only. A file that is written again, for example by a cell, is shown again. */
export class PdfScreens {
  readonly #parts: PdfScreenParts;

  constructor(parts: PdfScreenParts) {
    this.#parts = parts;
  }

  resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    const { files, extensionUri } = this.#parts;
    const { webview } = panel;
    const folder = webviewFiles(extensionUri);
    const own = uri.toString();
    const reads = new LatestRequest();
    const read = async (): Promise<void> => {
      const signal = reads.begin();
      const message = await this.#read(uri);
      // Otherwise, the file was written again meanwhile, or the tab was closed.
      if (!signal.aborted) {
        void webview.postMessage(message);
      }
    };
    const disposables = [
      webview.onDidReceiveMessage((received: unknown) => {
        if (z.safeParse(readMessage, received).success) {
          void read();
        }
      }),
      files.onDidChangeFile((changes) => {
        const isChanged = changes.some(
          (change) => change.type !== vscode.FileChangeType.Deleted && change.uri.toString() === own,
        );
        // A hidden page reads the file when it is shown again.
        if (isChanged && panel.visible) {
          void read();
        }
      }),
    ];
    panel.onDidDispose(() => {
      reads.cancel();
      vscode.Disposable.from(...disposables).dispose();
    });
    webview.options = { enableScripts: true, localResourceRoots: [folder] };
    const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    const title = nameOf(addressOf(uri).path);
    const start: PdfStart = { texts: textsOf(title), worker: address("pdf-worker.js"), decoders: `${address("")}/` };
    webview.html = webviewHtml(webview, folder, {
      page: "pdf",
      title,
      start,
      sources: {
        // For the decoders of scanned pages.
        "script-src": "'wasm-unsafe-eval'",
        "worker-src": "blob:",
        "connect-src": webview.cspSource,
      },
    });
  }

  async #read(uri: vscode.Uri): Promise<PdfMessage> {
    try {
      // The editor passes on a plain array only: not a Buffer, and not a part of a larger one.
      return { type: "content", bytes: Uint8Array.from(await this.#parts.files.readFile(uri)) };
    } catch (error) {
      this.#parts.log.warn(`${uri.path}: ${errorMessage(error)}`);
      return { type: "failed", text: errorText(error) };
    }
  }
}

function textsOf(title: string): PdfTexts {
  return {
    title,
    loading: vscode.l10n.t("Loading…"),
    retry: vscode.l10n.t("Retry"),
    zoomIn: vscode.l10n.t("Zoom In"),
    zoomOut: vscode.l10n.t("Zoom Out"),
    fitWidth: vscode.l10n.t("Fit Width"),
    position: vscode.l10n.t("Page {0} of {1}", "{0}", "{1}"),
    page: vscode.l10n.t("Page {0}", "{0}"),
    invalid: vscode.l10n.t("The file isn't a valid PDF file."),
    locked: vscode.l10n.t("The file is protected with a password. Download it, and open it in another program."),
    tooManyPages: vscode.l10n.t("Only the first {0} pages are shown.", "{0}"),
  };
}

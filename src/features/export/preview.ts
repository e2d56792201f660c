import * as vscode from "vscode";
import { displayedName } from "../../api/displayed-text.ts";
import type { ActiveFile } from "../../ui/commands/active-file.ts";
import { escaped } from "../../ui/webview/webview-html.ts";
import { closeWithTenant } from "../../ui/webview/webview-panels.ts";

/** Larger pages make the editor slow. They can be exported and opened in a browser. */
export const maxPreviewBytes = 32 * 1024 * 1024;

/** The open previews, one for each notebook. */
export class NotebookPreviews {
  readonly #open = new Map<string, vscode.WebviewPanel>();

  /** Shows an exported page, which can neither run a script nor load anything. */
  show({ uri, tenantId, name }: ActiveFile, page: Uint8Array): void {
    const key = uri.toString();
    const panel = this.#open.get(key) ?? this.#create(key, tenantId, name);
    panel.webview.html = previewHtml(new TextDecoder().decode(page), name);
    panel.reveal();
  }

  #create(key: string, tenantId: string, name: string): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      "platformWorkbench.notebookPreview",
      vscode.l10n.t("Preview {0}", displayedName(name)),
      vscode.ViewColumn.Active,
      { enableScripts: false, localResourceRoots: [] },
    );
    panel.iconPath = new vscode.ThemeIcon("open-preview");
    this.#open.set(key, panel);
    closeWithTenant(panel, tenantId);
    panel.onDidDispose(() => this.#open.delete(key));
    return panel;
  }
}

/** The page inherits this policy, because it is in the attribute of a frame. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'";

/**
 * A document with the page in a sandboxed frame, which keeps the editor's styles out of it: it has colors of its own, on
 * a white background.
 */
export function previewHtml(page: string, name: string): string {
  const notice = vscode.l10n.t(
    "This is the saved version of {0}. Scripts don't run here, so formulas and interactive outputs are shown as text.",
    displayedName(name),
  );
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(name)}</title>
<style>
html, body { height: 100%; margin: 0; padding: 0; }
body { display: flex; flex-direction: column; overflow: hidden; }
p { margin: 0; padding: 6px 16px; color: var(--vscode-descriptionForeground); border-bottom: 1px solid var(--vscode-panel-border, transparent); }
iframe { flex: 1; width: 100%; border: 0; background: white; color-scheme: light; }
</style>
</head>
<body>
<p>${escaped(notice)}</p>
<iframe sandbox title="${escaped(name)}" srcdoc="${escaped(page)}"></iframe>
</body>
</html>`;
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import { displayedName } from "../../api/displayed-text.ts";
import { errorMessage } from "../../api/error-message.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { webviewFiles, webviewHtml } from "../../ui/webview/webview-html.ts";
import { closeWithTenant } from "../../ui/webview/webview-panels.ts";
import type { ExplorerServices } from "./explorer-services.ts";
import { explorerTexts } from "./explorer-texts.ts";
import { type OriginEvent, originOf } from "./frame-origin.ts";
import { FrameSession } from "./frame-session.ts";
import { type ExplorerStart, type FrameSubject, frameSubject } from "./messages.ts";
import { runSourceAction, sourceActionsFor } from "./source-actions.ts";

export const explorerViewType = "platformWorkbench.dataExplorer";

/** Milliseconds to wait after a cell, because others may follow. */
const refreshDelayMs = 300;

/** The tabs of the data explorer: panels for expressions, and custom editors for files. */
export class ExplorerPanels {
  readonly #services: ExplorerServices;
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(services: ExplorerServices) {
    this.#services = services;
  }

  /** Shows the value of an expression. Reuses an open panel. */
  show(subject: Extract<FrameSubject, { type: "expression" }>): void {
    const open = this.#open.get(keyOf(subject));
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      explorerViewType,
      displayedName(subject.expression),
      vscode.ViewColumn.Active,
    );
    this.fill(panel, subject);
  }

  /** Restores a panel that was open when the window was closed or reloaded, from the state that its page saved. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = z.safeParse(z.looseObject({ subject: frameSubject }), state);
    if (!kept.success) {
      // The window was closed before the page had started.
      panel.dispose();
      return;
    }
    this.fill(panel, kept.data.subject);
  }

  /** Shows a file in a custom editor. */
  fillEditor(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    const { tenantId, workspaceId, path } = addressOf(uri);
    this.fill(panel, { type: "file", tenantId, workspaceId, path });
  }

  fill(panel: vscode.WebviewPanel, subject: FrameSubject): void {
    const services = this.#services;
    const { webview } = panel;
    const files = webviewFiles(services.extensionUri);
    let isOutdated = false;
    let timer: NodeJS.Timeout | undefined;
    const refresh = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A hidden page is read again when it is shown.
        if (panel.visible) {
          session.refresh();
        } else {
          isOutdated = true;
        }
      }, refreshDelayMs);
    };
    const onEvent = (event: OriginEvent): void => {
      switch (event.type) {
        case "connection":
          void webview.postMessage({ type: "connection", isLost: event.isLost });
          return;
        case "lost":
          session.fail(
            vscode.l10n.t(
              "The kernel of {0} was restarted or shut down, and its data is gone. Run the cell that sets it.",
              origin.name,
            ),
          );
          return;
        case "changed":
        case "connected":
          refresh();
      }
    };
    const origin = originOf(subject, services, onEvent);
    const session = new FrameSession({
      origin,
      actions: sourceActionsFor(subject),
      runAction: (action) => {
        runSourceAction(action, subject).catch((error: unknown) => services.log.warn(errorMessage(error)));
      },
      post: (message) => void webview.postMessage(message),
      copy: (text) => vscode.env.clipboard.writeText(text),
      warn: (text) => services.log.warn(text),
    });
    const key = keyOf(subject);
    if (subject.type === "expression") {
      this.#open.set(key, panel);
      panel.iconPath = new vscode.ThemeIcon("table");
      closeWithTenant(panel, subject.tenantId);
    }
    const listeners = vscode.Disposable.from(
      origin,
      session,
      webview.onDidReceiveMessage((message: unknown) => {
        origin.retry();
        session.handle(message);
      }),
      panel.onDidChangeViewState(() => {
        if (panel.visible && isOutdated) {
          isOutdated = false;
          session.refresh();
        }
      }),
    );
    panel.onDidDispose(() => {
      clearTimeout(timer);
      listeners.dispose();
      if (this.#open.get(key) === panel) {
        this.#open.delete(key);
      }
    });
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    const start: ExplorerStart = { subject, locale: vscode.env.language, texts: explorerTexts(origin.name) };
    webview.html = webviewHtml(webview, files, { page: "data-explorer", title: origin.name, start });
  }
}

function keyOf(subject: FrameSubject): string {
  return subject.type === "expression" ? JSON.stringify([subject.notebook, subject.expression]) : "";
}

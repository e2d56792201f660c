import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Connections } from "../../../tenants/connections.ts";
import { detailsUri } from "../../../ui/details/details-address.ts";
import { versionName } from "../../../ui/format/labels.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { metricsRanges, type PageStart, type PanelMessage, type PanelSubject, usualChoices } from "./messages.ts";
import { readContent } from "./panel-content.ts";
import { definitionTexts, metricsTexts } from "./texts.ts";

export interface PanelParts {
  readonly connections: Connections;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

const ofWorkflow = { tenantId: z.string(), modelId: z.string(), name: z.string() };
const subjectShape: z.ZodMiniType<PanelSubject> = z.union([
  z.object({ kind: z.literal("workflowDefinition"), ...ofWorkflow, version: z.string() }),
  z.object({ kind: z.literal("workflowMetrics"), ...ofWorkflow }),
]);

/** What a page keeps over reloads; anything else that it keeps is its own. */
const keptState = z.looseObject({ subject: subjectShape });

const pageMessage = z.union([
  z.object({
    type: z.literal("read"),
    choices: z.optional(
      z.object({
        days: z.literal([...metricsRanges]),
        version: z.string(),
        by: z.enum(["status", "triggerType"]),
      }),
    ),
  }),
  z.object({ type: z.enum(["showJson", "showDetails"]) }),
]);

/** Panels with what the editor itself cannot show: diagrams and charts. One for each subject. */
export class Panels {
  readonly #parts: PanelParts;
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(parts: PanelParts) {
    this.#parts = parts;
  }

  /** Shows the panel of that subject, the open one where there is one. */
  show(subject: PanelSubject): void {
    const open = this.#open.get(keyOf(subject));
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      `platformWorkbench.${subject.kind}`,
      titleOf(subject),
      vscode.ViewColumn.Active,
      this.#options,
    );
    this.#fill(panel, subject);
  }

  /** Brings back a panel that was open when the window was closed or loaded again, with what its page has kept. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = z.safeParse(keptState, state);
    if (!kept.success) {
      // The window went before the page had begun.
      panel.dispose();
      return;
    }
    panel.webview.options = this.#options;
    this.#fill(panel, kept.data.subject);
  }

  get #options(): vscode.WebviewOptions & vscode.WebviewPanelOptions {
    return { enableScripts: true, localResourceRoots: [this.#files], enableFindWidget: true };
  }

  get #files(): vscode.Uri {
    return vscode.Uri.joinPath(this.#parts.extensionUri, "dist", "webviews");
  }

  #fill(panel: vscode.WebviewPanel, subject: PanelSubject): void {
    const { connections, log } = this.#parts;
    const { webview } = panel;
    const key = keyOf(subject);
    this.#open.set(key, panel);
    panel.iconPath = new vscode.ThemeIcon(subject.kind === "workflowDefinition" ? "type-hierarchy-sub" : "graph");
    let abort = new AbortController();
    const tell = (message: PanelMessage): void => void webview.postMessage(message);
    const read = async (choices = usualChoices): Promise<void> => {
      abort.abort();
      abort = new AbortController();
      const { signal } = abort;
      tell({ type: "loading" });
      try {
        const client = await connections.platform(subject.tenantId);
        const content = await readContent(client, subject, choices, signal);
        if (!signal.aborted) {
          tell({ type: "content", content });
        }
      } catch (error) {
        if (!signal.aborted) {
          const text = error instanceof Error ? error.message : String(error);
          log.warn(`${titleOf(subject)}: ${text}`);
          tell({ type: "failed", text });
        }
      }
    };
    const listener = webview.onDidReceiveMessage((received: unknown) => {
      const message = z.safeParse(pageMessage, received);
      if (!message.success) {
        return;
      }
      switch (message.data.type) {
        case "read":
          void read(message.data.choices);
          return;
        case "showJson":
          void vscode.window.showTextDocument(detailsUri(resourceOf(subject), "json"), { preview: true });
          return;
        case "showDetails":
          void vscode.commands.executeCommand("platformWorkbench.showDetails", resourceOf(subject));
      }
    });
    panel.onDidDispose(() => {
      abort.abort();
      listener.dispose();
      this.#open.delete(key);
    });
    webview.html = this.#html(webview, subject);
  }

  #html(webview: vscode.Webview, subject: PanelSubject): string {
    const nonce = randomBytes(16).toString("base64url");
    const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(this.#files, name)).toString();
    const page = subject.kind === "workflowDefinition" ? "definition" : "metrics";
    const texts =
      subject.kind === "workflowDefinition"
        ? definitionTexts(subject.name, subject.version)
        : metricsTexts(subject.name);
    const start: PageStart<typeof texts> = { subject, texts };
    const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
    return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titleOf(subject))}</title>
<link rel="stylesheet" nonce="${nonce}" href="${file(`${page}.css`)}">
</head>
<body data-start="${escaped(JSON.stringify(start))}">
<script nonce="${nonce}" src="${file(`${page}.js`)}"></script>
</body>
</html>`;
  }
}

function keyOf(subject: PanelSubject): string {
  const version = subject.kind === "workflowDefinition" ? subject.version : "";
  return JSON.stringify([subject.kind, subject.tenantId, subject.modelId, version]);
}

function titleOf(subject: PanelSubject): string {
  return subject.kind === "workflowDefinition"
    ? vscode.l10n.t("{0} v{1}", subject.name, subject.version)
    : vscode.l10n.t("{0} (metrics)", subject.name);
}

function resourceOf(subject: PanelSubject): PlatformResource {
  const { tenantId, modelId, name } = subject;
  return subject.kind === "workflowDefinition"
    ? {
        type: "workflowVersion",
        tenantId,
        id: subject.version,
        parentId: modelId,
        name: versionName(name, subject.version),
      }
    : { type: "workflow", tenantId, id: modelId, name };
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

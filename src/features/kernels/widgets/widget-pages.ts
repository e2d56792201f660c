import { LRUCache } from "lru-cache";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { errorMessage } from "../../../api/error-message.ts";
import type { WidgetSession } from "../../../api/kernels/widgets/widget-session.ts";
import { errorText } from "../../../tenants/error-text.ts";
import type { ExtensionLog } from "../../../tenants/extension-log.ts";
import { showError } from "../../../tenants/messages.ts";
import { scheme } from "../../../tenants/workspace-uri.ts";
import type { NotebookKernels } from "../notebook-kernels.ts";
import type { MessageToPage } from "./messages.ts";
import { readPageMessage } from "./page-messages.ts";
import { WidgetPage } from "./widget-page.ts";

/** The MIME type of an output that shows a widget. */
const widgetType = "application/vnd.jupyter.widget-view+json";

/** Maximum number of pages of a notebook. Each editor of the notebook has one, and a reloaded page has a new name. */
const maxPages = 20;
/** Maximum length of the text that an output shows instead of a widget, in characters. */
const maxTextLength = 20_000;

const widgetView = z.looseObject({ model_id: z.string() });

interface MessageEvent {
  readonly editor: vscode.NotebookEditor;
  readonly message: unknown;
}

/** The pages of this window that show widgets, by notebook. */
export class WidgetPages implements vscode.Disposable {
  readonly #kernels: NotebookKernels;
  readonly #messaging: vscode.NotebookRendererMessaging;
  readonly #log: Pick<ExtensionLog, "error">;
  readonly #pages = new Map<vscode.NotebookDocument, LRUCache<string, WidgetPage>>();
  readonly #listeners: vscode.Disposable;

  constructor(kernels: NotebookKernels, messaging: vscode.NotebookRendererMessaging, log: Pick<ExtensionLog, "error">) {
    this.#kernels = kernels;
    this.#messaging = messaging;
    this.#log = log;
    this.#listeners = vscode.Disposable.from(
      vscode.workspace.onDidCloseNotebookDocument((notebook) => this.#closed(notebook)),
      kernels.onEvent(({ kernel, event }) =>
        event.type === "widgets" ? this.#show(kernel.notebook, event.session) : undefined,
      ),
    );
  }

  /** Handles a message of a page. */
  async handle({ editor, message }: MessageEvent): Promise<void> {
    const read = readPageMessage(message);
    if (read === undefined) {
      return;
    }
    const { page: name, content } = read;
    const { notebook } = editor;
    switch (content.type) {
      case "ready":
        await this.#start(name, editor);
        return;
      case "send":
        this.#pages.get(notebook)?.get(name)?.send(content.id, content.commId, content.data, content.buffers);
        return;
      case "askText": {
        const { commId } = content;
        await this.#post(name, editor, { type: "text", commId, text: modelText(notebook, commId) });
      }
    }
  }

  dispose(): void {
    this.#listeners.dispose();
    for (const notebook of [...this.#pages.keys()]) {
      this.#closed(notebook);
    }
  }

  /** Shows the widgets in the notebook's pages. Removes them if it has no kernel, or only follows it. */
  #show(notebook: vscode.NotebookDocument, session: WidgetSession | undefined): void {
    for (const page of this.#pages.get(notebook)?.values() ?? []) {
      if (session === undefined) {
        page.detach();
        page.push({ type: "unavailable", text: this.#unavailableText(notebook) });
      } else {
        page.attach(session).catch((error: unknown) => this.#failed(error));
      }
    }
  }

  async #start(name: string, editor: vscode.NotebookEditor): Promise<void> {
    const { notebook } = editor;
    const pages = this.#pages.get(notebook) ?? newPages();
    this.#pages.set(notebook, pages);
    pages.delete(name);
    const page = new WidgetPage({
      post: (content) => this.#post(name, editor, content),
      onGone: () => pages.delete(name),
      onError: (error) => this.#failed(error),
      onRefused: (error) => void showError(refusedText(error)),
      endedText: notRunningText(),
    });
    pages.set(name, page);
    await this.#post(name, editor, { type: "started", texts: pageTexts() });
    if (!vscode.workspace.isTrusted) {
      page.push({ type: "unavailable", text: vscode.l10n.t("Widgets work only in trusted workspaces.") });
      return;
    }
    const kernel = notebook.uri.scheme === scheme ? this.#kernels.kernelOf(notebook) : this.#kernels.find(notebook);
    if (kernel === undefined) {
      page.push({ type: "unavailable", text: vscode.l10n.t("Widgets work only in notebooks from a workspace.") });
      return;
    }
    const session = await kernel.findWidgets();
    if (pages.get(name) !== page || page.session !== undefined) {
      return;
    }
    if (session === undefined) {
      page.push({ type: "unavailable", text: this.#unavailableText(notebook) });
    } else {
      await page.attach(session);
    }
  }

  #unavailableText(notebook: vscode.NotebookDocument): string {
    return this.#kernels.find(notebook)?.isFollowing === true
      ? vscode.l10n.t("This window is only following the kernel. To use its widgets, take the kernel over.")
      : notRunningText();
  }

  #post(page: string, editor: vscode.NotebookEditor, content: MessageToPage["content"]): Thenable<boolean> {
    const message: MessageToPage = { page, content };
    return this.#messaging.postMessage(message, editor);
  }

  #failed(error: unknown): void {
    this.#log.error(`kernels: ${errorMessage(error)}`);
  }

  #closed(notebook: vscode.NotebookDocument): void {
    this.#pages.get(notebook)?.clear();
    this.#pages.delete(notebook);
  }
}

/** No pages of a notebook yet. Pages that are removed, or that are too many, are disposed of. */
function newPages(): LRUCache<string, WidgetPage> {
  return new LRUCache({ max: maxPages, dispose: (page) => page.dispose() });
}

function pageTexts(): Extract<MessageToPage["content"], { readonly type: "started" }>["texts"] {
  return {
    unknownWidget: vscode.l10n.t(
      "Can't show the widget {0} of the package {1} here. To use it, open the notebook in the browser.",
    ),
    missing: vscode.l10n.t("The kernel no longer has this widget. Run the cell again to create it."),
  };
}

function notRunningText(): string {
  return vscode.l10n.t("The kernel of this widget isn't running. Run the cell again to use the widget.");
}

function refusedText(error: unknown): string {
  return vscode.l10n.t(
    "The widget's change wasn't sent to the kernel. {0} Upload large files to the workspace instead.",
    errorText(error),
  );
}

/** The plain text of the output that shows this widget. */
function modelText(notebook: vscode.NotebookDocument, commId: string): string {
  const decoder = new TextDecoder();
  for (const { items } of notebook.getCells().flatMap(({ outputs }) => outputs)) {
    const view = items.find(({ mime }) => mime === widgetType);
    const text = items.find(({ mime }) => mime === "text/plain");
    if (view !== undefined && text !== undefined && modelIdOf(decoder.decode(view.data)) === commId) {
      return decoder.decode(text.data).slice(0, maxTextLength).toWellFormed();
    }
  }
  return "";
}

function modelIdOf(json: string): string | undefined {
  try {
    const parsed = z.safeParse(widgetView, JSON.parse(json));
    return parsed.success ? parsed.data.model_id : undefined;
  } catch {
    return undefined;
  }
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import { displayedName } from "../../api/displayed-text.ts";
import { errorMessage } from "../../api/error-message.ts";
import { LatestRequest } from "../../api/latest-request.ts";
import { errorText } from "../../tenants/error-text.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { absoluteDate } from "../format/dates.ts";
import type { FrameTexts, PageStart, PageTexts, PanelMessage } from "./messages.ts";
import { webviewFiles, webviewHtml } from "./webview-html.ts";

/** The panels of one kind: their subject, their content, and the actions of their page. */
export interface PanelDefinition<Subject, Content, Choices = undefined> {
  /** The editor's id of this kind of panel. */
  readonly viewType: string;
  /** Name of the page's files in `dist/webviews`, without extension. */
  readonly page: string;
  /** A codicon's name. */
  readonly icon: string;
  /** Validates the subject that a page has saved. */
  readonly subject: z.ZodMiniType<Subject>;
  /** Validates the choices that a page sends with a read. */
  readonly choices: z.ZodMiniType<Choices>;
  /** The actions of a page by name, other than reading its content. */
  readonly actions: Readonly<Record<string, (subject: Subject) => void>>;
  /** Equal for two subjects that share a panel. */
  key(subject: Subject): string;
  /** The title of the tab. */
  title(subject: Subject): string;
  texts(subject: Subject): PageTexts;
  /** `choices` is undefined for a page that sends none. */
  read(subject: Subject, choices: Choices | undefined, signal: AbortSignal): Promise<Content>;
}

interface PanelFrameParts {
  readonly extensionUri: vscode.Uri;
  readonly log: Pick<ExtensionLog, "warn">;
}

/** The tenants of all open panels. */
const openPanels = new Map<vscode.WebviewPanel, string>();

/** Closes a panel together with the others of the tenant whose content it shows. */
export function closeWithTenant(panel: vscode.WebviewPanel, tenantId: string): void {
  openPanels.set(panel, tenantId);
  panel.onDidDispose(() => openPanels.delete(panel));
}

/** Closes the panels of all kinds that show content of a tenant. */
export function closePanelsOf(tenantId: string): void {
  for (const [panel, ofTenant] of openPanels) {
    if (ofTenant === tenantId) {
      panel.dispose();
    }
  }
}

/** Panels of one kind, one for each subject, for content that the editor itself can't show. */
export class WebviewPanels<Subject extends { readonly tenantId: string }, Content, Choices = undefined> {
  readonly #definition: PanelDefinition<Subject, Content, Choices>;
  readonly #parts: PanelFrameParts;
  readonly #open = new Map<string, vscode.WebviewPanel>();

  constructor(definition: PanelDefinition<Subject, Content, Choices>, parts: PanelFrameParts) {
    this.#definition = definition;
    this.#parts = parts;
  }

  get viewType(): string {
    return this.#definition.viewType;
  }

  /** Shows the panel of the subject. Reuses an open panel. */
  show(subject: Subject): void {
    const { viewType, key, title } = this.#definition;
    const open = this.#open.get(key(subject));
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      viewType,
      displayedName(title(subject)),
      vscode.ViewColumn.Active,
      this.#options,
    );
    this.#fill(panel, subject);
  }

  /** Restores a panel that was open when the window was closed or reloaded, from the state that its page saved. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = z.safeParse(z.looseObject({ subject: this.#definition.subject }), state);
    if (!kept.success) {
      // The window was closed before the page had started.
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
    return webviewFiles(this.#parts.extensionUri);
  }

  #fill(panel: vscode.WebviewPanel, subject: Subject): void {
    const { actions, choices, icon, ...definition } = this.#definition;
    const { webview } = panel;
    const key = definition.key(subject);
    const pageMessage = z.union([
      z.object({ type: z.literal("read"), choices: z.optional(choices) }),
      z.object({ type: z.literal("action"), action: z.string() }),
    ]);
    this.#open.set(key, panel);
    closeWithTenant(panel, subject.tenantId);
    panel.iconPath = new vscode.ThemeIcon(icon);
    const reads = new LatestRequest();
    const listener = webview.onDidReceiveMessage((received: unknown) => {
      const { data } = z.safeParse(pageMessage, received);
      if (data?.type === "read") {
        void this.#read(webview, subject, data.choices, reads.begin());
      } else if (data !== undefined && Object.hasOwn(actions, data.action)) {
        actions[data.action]?.(subject);
      }
    });
    panel.onDidDispose(() => {
      reads.cancel();
      listener.dispose();
      this.#open.delete(key);
    });
    webview.html = this.#html(webview, subject);
  }

  async #read(
    webview: vscode.Webview,
    subject: Subject,
    choices: Choices | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const post = (message: PanelMessage<Content>): void => void webview.postMessage(message);
    post({ type: "loading" });
    try {
      const content = await this.#definition.read(subject, choices, signal);
      if (!signal.aborted) {
        const readAt = absoluteDate(new Date().toISOString(), vscode.env.language) ?? "";
        post({ type: "content", content, readAt });
      }
    } catch (error) {
      if (!signal.aborted) {
        const words = errorMessage(error);
        this.#parts.log.warn(`${this.#definition.title(subject)}: ${words}`);
        post({ type: "failed", text: errorText(error) });
      }
    }
  }

  #html(webview: vscode.Webview, subject: Subject): string {
    const { page, title, texts } = this.#definition;
    const start: PageStart<Subject, PageTexts> = { subject, texts: { ...frameTexts(), ...texts(subject) } };
    return webviewHtml(webview, this.#files, { page, title: title(subject), start });
  }
}

function frameTexts(): FrameTexts {
  return {
    loading: vscode.l10n.t("Loading…"),
    retry: vscode.l10n.t("Retry"),
    readAt: vscode.l10n.t("Read {0}", "{0}"),
  };
}

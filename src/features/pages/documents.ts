import * as vscode from "vscode";
import type { WholeFilterView } from "../../api/catalogue/models/pages.ts";
import { getFilterView, updateAnalyzer } from "../../api/catalogue/operations/filter-views.ts";
import type { Connections } from "../../tenants/connections.ts";
import {
  type AgreedSave,
  AskedSaves,
  askToSend,
  changesToSend,
  nothingToSend,
} from "../../ui/documents/asked-saves.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";
import type { DocumentInEditor } from "../../ui/documents/document-in-editor.ts";
import { changedFields, type JsonObject, parseJsonObject } from "../../ui/documents/json-object.ts";
import type { DocumentSource } from "../../ui/documents/platform-documents.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { AnalyzerDocuments, isAnalyzer } from "./analyzer-document.ts";
import { PageSummaries } from "./summary.ts";

/** The document of a saved filter view, which can be edited. */
export function filterViewUri({ tenantId, id, parentId = "", name }: PlatformResource): vscode.Uri {
  const key = [parentId, id].map(encodeURIComponent).join("/");
  const title = vscode.l10n.t("{0} (filter view).json", name);
  return documentUri({ kind: "filter-view", tenantId, workspaceId: "", key, title });
}

interface PageDocumentsParts {
  readonly connections: Connections;
  /** Called when the filter view has changed on the platform. */
  readonly onSaved: (tenantId: string, pageId: string) => void;
}

/** Filter views and analyzer settings as documents that are sent when saved, and the summary of pages as a table. */
export class PageDocuments implements vscode.Disposable {
  readonly #parts: PageDocumentsParts;
  readonly #summaries: PageSummaries;
  readonly #saves = new AskedSaves();
  /** The last content read for each document, on which the user's changes are based. */
  readonly #bases = new Map<string, JsonObject>();
  readonly #listener: vscode.Disposable;
  readonly #analyzer: AnalyzerDocuments;

  constructor(parts: PageDocumentsParts) {
    this.#parts = parts;
    this.#summaries = new PageSummaries(parts.connections);
    this.#analyzer = new AnalyzerDocuments(parts);
    this.#listener = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#bases.delete(uri.toString()));
  }

  readonly filterView: Required<DocumentSource> = {
    read: async (address, uri) => {
      if (isAnalyzer(address)) {
        return this.#analyzer.read(address);
      }
      const value = await this.#fetch(address);
      this.#bases.set(uri.toString(), value);
      return `${JSON.stringify(value, undefined, 2)}\n`;
    },
    write: (address, text, uri) =>
      this.#saves.write(uri, address.title, text, (checked) => this.#ask(address, checked, uri)),
  };

  /** The summary as Markdown. Each column heading links to the same table, sorted by that column. */
  readonly summary: DocumentSource = { read: (address) => this.#summaries.read(address) };

  /** Asks, then sends the document and saves it. */
  send({ uri, address }: DocumentInEditor): Promise<void> {
    return this.#saves.send(uri, (text) => this.#ask(address, text, uri));
  }

  dispose(): void {
    vscode.Disposable.from(this.#saves, this.#listener).dispose();
  }

  async #fetch({ tenantId, key }: DocumentAddress): Promise<WholeFilterView> {
    const client = await this.#parts.connections.platform(tenantId);
    return client.call(getFilterView, { filterViewId: idsOf(key).id });
  }

  #ask(address: DocumentAddress, text: string, uri: vscode.Uri): Promise<AgreedSave> {
    return isAnalyzer(address) ? this.#analyzer.ask(address, text) : this.#askForView(address, text, uri);
  }

  /** Checks the text and asks whether to send it. Throws with the reason if it can't or must not be sent. */
  async #askForView(address: DocumentAddress, text: string, uri: vscode.Uri): Promise<AgreedSave> {
    const { title, tenantId, key } = address;
    const mine = parseJsonObject(text, vscode.l10n.t);
    if (!mine.valid) {
      throw new Error(vscode.l10n.t("{0} wasn't sent: {1}.", title, mine.reason));
    }
    const { id, pageId } = idsOf(key);
    if (String(mine.value.analyzerId) !== id) {
      throw new Error(vscode.l10n.t("{0} wasn't sent: analyzerId can't be changed. It must be {1}.", title, id));
    }
    const now: JsonObject = await this.#fetch(address);
    const changes = changedFields(now, mine.value);
    if (changes.length === 0) {
      return nothingToSend;
    }
    const base = this.#bases.get(uri.toString());
    const meanwhile = base === undefined ? [] : changedFields(base, now);
    const name = typeof now.name === "string" ? now.name : title;
    await askToSend({
      question: vscode.l10n.t("Send the changed filter view {0}?", name),
      ...changesToSend(changes, meanwhile),
      declined: vscode.l10n.t("{0} wasn't sent. Your changes stay in the editor.", title),
    });
    return {
      send: async () => {
        const client = await this.#parts.connections.platform(tenantId);
        await client.call(updateAnalyzer, { pageId, body: { ...mine.value } });
        this.#bases.set(uri.toString(), mine.value);
      },
      onSaved: () => this.#parts.onSaved(tenantId, pageId),
    };
  }
}

function idsOf(key: string): { readonly pageId: string; readonly id: string } {
  const [pageId = "", id = ""] = key.split("/").map(decodeURIComponent);
  return { pageId, id };
}

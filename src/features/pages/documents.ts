import * as vscode from "vscode";
import { getFilterView, updateAnalyzer } from "../../api/catalogue/operations/filter-views.ts";
import type { Connections } from "../../tenants/connections.ts";
import { AskedSaves } from "../../ui/documents/asked-saves.ts";
import { documentUri } from "../../ui/documents/document-address.ts";
import type { DocumentInEditor } from "../../ui/documents/document-in-editor.ts";
import { JsonObjectDocuments } from "../../ui/documents/json-object-documents.ts";
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
  readonly #summaries: PageSummaries;
  readonly #views: JsonObjectDocuments;
  readonly #analyzer: AnalyzerDocuments;
  readonly #analyzerSaves = new AskedSaves();

  constructor(parts: PageDocumentsParts) {
    this.#summaries = new PageSummaries(parts.connections);
    this.#analyzer = new AnalyzerDocuments(parts);
    this.#views = filterViewDocuments(parts);
  }

  readonly filterView: Required<DocumentSource> = {
    read: async (address, uri) =>
      isAnalyzer(address) ? this.#analyzer.read(address) : this.#views.source.read(address, uri),
    write: (address, text, uri) =>
      isAnalyzer(address)
        ? this.#analyzerSaves.write(uri, address.title, text, (checked) => this.#analyzer.ask(address, checked))
        : this.#views.source.write(address, text, uri),
  };

  /** The summary as Markdown. Each column heading links to the same table, sorted by that column. */
  readonly summary: DocumentSource = { read: (address) => this.#summaries.read(address) };

  /** Asks, then sends the document and saves it. */
  send(document: DocumentInEditor): Promise<void> {
    const { uri, address } = document;
    return isAnalyzer(address)
      ? this.#analyzerSaves.send(uri, (text) => this.#analyzer.ask(address, text))
      : this.#views.send(document);
  }

  dispose(): void {
    vscode.Disposable.from(this.#views, this.#analyzerSaves).dispose();
  }
}

function filterViewDocuments({ connections, onSaved }: PageDocumentsParts): JsonObjectDocuments {
  return new JsonObjectDocuments({
    fetch: async ({ tenantId, key }) =>
      (await connections.platform(tenantId)).call(getFilterView, { filterViewId: idsOf(key).id }),
    problem: ({ key }, mine) => {
      const { id } = idsOf(key);
      return String(mine.analyzerId) === id
        ? undefined
        : vscode.l10n.t("analyzerId can't be changed. It must be {0}", id);
    },
    question: ({ title }, now) => ({
      question: vscode.l10n.t("Send the changed filter view {0}?", typeof now.name === "string" ? now.name : title),
    }),
    replace: async ({ tenantId, key }, mine) =>
      (await connections.platform(tenantId)).call(updateAnalyzer, { pageId: idsOf(key).pageId, body: { ...mine } }),
    onSaved: ({ tenantId, key }) => onSaved(tenantId, idsOf(key).pageId),
  });
}

function idsOf(key: string): { readonly pageId: string; readonly id: string } {
  const [pageId = "", id = ""] = key.split("/").map(decodeURIComponent);
  return { pageId, id };
}

import * as vscode from "vscode";
import { type JsonSchema, schemaOf } from "../../api/catalogue/body-schema.ts";
import { wholeFilterView } from "../../api/catalogue/models/pages.ts";
import { updateAnalyzer } from "../../api/catalogue/operations/filter-views.ts";
import type { Connections } from "../../tenants/connections.ts";
import { type AgreedSave, askToSend } from "../../ui/documents/asked-saves.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";
import { changeLines } from "../../ui/documents/json-changes.ts";
import { changedFields, isArray, type JsonBody, parseJsonBody } from "../../ui/documents/json-object.ts";
import type { ChosenPage } from "./choice.ts";

/** Settings to start with, in the shape of a saved filter view. The API description doesn't define them (4.4). */
export const exampleSettings = {
  name: "North only",
  scope: "PAGE",
  isDefault: false,
  filters: [{ column: "Region", operand: "IN", values: ["North"], dataType: "string" }],
};

/** Completes the members of filter views, and of analyzer settings, which can also be an array. */
export function settingsSchema(): JsonSchema {
  const view = schemaOf(wholeFilterView);
  return { anyOf: [view, { type: "array", items: view }] };
}

interface AnalyzerDocumentParts {
  readonly connections: Pick<Connections, "platform">;
  /** Called when the page's filter views may have changed. */
  readonly onSaved: (tenantId: string, pageId: string) => void;
}

/** The document for analyzer settings of a page: an object, or an array of objects. */
export function analyzerUri({ tenantId, id, name }: Pick<ChosenPage, "tenantId" | "id" | "name">): vscode.Uri {
  const title = vscode.l10n.t("{0} (analyzer settings).json", name);
  return documentUri({ kind: "filter-view", tenantId, workspaceId: "", key: encodeURIComponent(id), title });
}

/** True for the address of a page's analyzer settings, which has no view. */
export function isAnalyzer({ key }: DocumentAddress): boolean {
  return !key.includes("/");
}

/**
 * Analyzer settings as documents that are sent when saved. The platform has no operation to read them, so a document
 * starts with the settings that this window sent last, or with an example.
 */
export class AnalyzerDocuments {
  readonly #parts: AnalyzerDocumentParts;
  readonly #sent = new Map<string, string>();

  constructor(parts: AnalyzerDocumentParts) {
    this.#parts = parts;
  }

  read(address: DocumentAddress): string {
    return this.#sent.get(documentKey(address)) ?? `${JSON.stringify(exampleSettings, undefined, 2)}\n`;
  }

  /** Checks the text and asks whether to send it. Throws with the reason if it can't or must not be sent. */
  async ask(address: DocumentAddress, text: string): Promise<AgreedSave> {
    const { tenantId, key, title } = address;
    const pageId = decodeURIComponent(key);
    const body = parseJsonBody(text, vscode.l10n.t);
    if (!body.valid) {
      throw new Error(vscode.l10n.t("{0} wasn't sent: {1}.", title, body.reason));
    }
    await askToSend({
      question: vscode.l10n.t("Send {0} to the platform?", title),
      detail: [vscode.l10n.t("The page's analyzer will get these settings:"), ...linesOf(body.value)],
      send: vscode.l10n.t("Send"),
      declined: vscode.l10n.t("{0} wasn't sent. Your changes stay in the editor.", title),
    });
    return {
      send: async () => {
        const client = await this.#parts.connections.platform(tenantId);
        await client.call(updateAnalyzer, { pageId, body: sendable(body.value) });
        this.#sent.set(documentKey(address), text);
      },
      onSaved: () => this.#parts.onSaved(tenantId, pageId),
    };
  }
}

function documentKey({ tenantId, key }: DocumentAddress): string {
  return `${tenantId}/${key}`;
}

/** The body in the format that the operation requires. */
export function sendable(body: JsonBody): Record<string, unknown> | unknown[] {
  return isArray(body) ? [...body] : { ...body };
}

/** The first fields, or the first entries of an array. */
function linesOf(body: JsonBody): readonly string[] {
  const fields = isArray(body) ? Object.fromEntries(body.map((entry, index) => [`[${index}]`, entry])) : body;
  const lines = changeLines(changedFields({}, fields), (count) => vscode.l10n.t("and {0} more", count));
  return lines.map((line) => line.replace(": – → ", ": "));
}

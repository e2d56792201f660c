import * as vscode from "vscode";
import type { Workspace } from "../../api/catalogue/models/workspaces.ts";
import { getWorkspace, updateWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import {
  type AgreedSave,
  AskedSaves,
  askToSend,
  changesToSend,
  nothingToSend,
} from "../../ui/documents/asked-saves.ts";
import { type DocumentAddress, documentAddressOf, documentUri } from "../../ui/documents/document-address.ts";
import type { DocumentInEditor } from "../../ui/documents/document-in-editor.ts";
import { type ConfigurationSave, configurationSave } from "../../ui/documents/json-changes.ts";
import { type JsonObject, parseJsonObject, unsafeNumber } from "../../ui/documents/json-object.ts";
import type { DocumentReload, DocumentSource } from "../../ui/documents/platform-documents.ts";
import { ConfigurationSchemas } from "./configuration-schemas.ts";

interface ConfigurationDocumentsParts {
  readonly connections: Connections;
  /** Called when the configuration was saved on the platform: the workspace's row may have changed. */
  readonly onSaved: (address: DocumentAddress, uri: vscode.Uri) => void;
  readonly documents: DocumentReload;
  readonly log: Pick<ExtensionLog, "debug">;
}

/** A workspace's configuration as a document: the complete object from the platform, which is sent back completely. */
export class ConfigurationDocuments implements vscode.Disposable {
  readonly #parts: ConfigurationDocumentsParts;
  /** The last content read for each document, on which the user's changes are based. */
  readonly #bases = new Map<string, JsonObject>();
  readonly #onPlatform = new Map<string, string>();
  readonly #saves = new AskedSaves();
  readonly #listener: vscode.Disposable;
  /** The JSON schemas of these documents. */
  readonly schemas: ConfigurationSchemas;

  constructor(parts: ConfigurationDocumentsParts) {
    this.#parts = parts;
    this.schemas = new ConfigurationSchemas(parts);
    this.#listener = vscode.Disposable.from(
      this.#saves,
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#bases.delete(uri.toString())),
    );
  }

  readonly configuration: Required<DocumentSource> = {
    read: (address, uri) => this.#read(address, uri),
    write: (address, text, uri) =>
      this.#saves.write(uri, address.title, text, (checked) => this.#ask(address, checked, uri)),
  };

  /** The other side of the comparison: the platform's configuration at the last save. */
  readonly onPlatform: DocumentSource = {
    read: async (address) => this.#onPlatform.get(ownerOf(address)) ?? jsonText(await this.#fetch(address)),
  };

  /** Asks, then sends the document and saves it. */
  send({ uri, address }: DocumentInEditor): Promise<void> {
    return this.#saves.send(uri, (text) => this.#ask(address, text, uri));
  }

  dispose(): void {
    this.#listener.dispose();
  }

  async #fetch({ tenantId, workspaceId }: DocumentAddress): Promise<Workspace> {
    const client = await this.#parts.connections.platform(tenantId);
    return client.call(getWorkspace, { workspaceId });
  }

  async #read(address: DocumentAddress, uri: vscode.Uri): Promise<string> {
    const value = await this.#fetch(address);
    this.#bases.set(uri.toString(), value);
    this.schemas.opened(address.tenantId, value);
    return jsonText(value);
  }

  /** Checks the text and asks whether to send it. Throws with the reason if it can't or must not be sent. */
  async #ask(address: DocumentAddress, text: string, uri: vscode.Uri): Promise<AgreedSave> {
    const mine = parseJsonObject(text, vscode.l10n.t);
    if (!mine.valid) {
      throw new Error(vscode.l10n.t("{0} wasn't sent: {1}.", address.title, mine.reason));
    }
    if (mine.value.id !== address.workspaceId) {
      throw new Error(
        vscode.l10n.t("{0} wasn't sent: the ID can't be changed. It must be {1}.", address.title, address.workspaceId),
      );
    }
    const now = await this.#fetch(address);
    const changedNumber = unsafeNumber(now);
    if (changedNumber !== undefined) {
      throw new Error(
        vscode.l10n.t(
          "{0} wasn't sent: the number at {1} is too large to be sent unchanged.",
          address.title,
          changedNumber,
        ),
      );
    }
    const save = configurationSave(this.#bases.get(uri.toString()), now, mine.value);
    if (save.changes.length === 0) {
      return nothingToSend;
    }
    await this.#confirm(address, now, save, uri);
    return {
      send: async () => {
        const client = await this.#parts.connections.platform(address.tenantId);
        await client.call(updateWorkspace, { workspaceId: address.workspaceId, body: { ...save.body } });
        this.#bases.set(uri.toString(), save.body);
        this.#onPlatform.delete(ownerOf(address));
      },
      onSaved: () => this.#parts.onSaved(address, uri),
    };
  }

  async #confirm(
    address: DocumentAddress,
    now: JsonObject,
    { changes, changedMeanwhile }: ConfigurationSave,
    uri: vscode.Uri,
  ): Promise<void> {
    const { tenantId, workspaceId } = address;
    const name = this.#parts.connections.nameOf(tenantId, workspaceId);
    const { host } = new URL(this.#parts.connections.tenant(tenantId).baseUrl);
    this.#onPlatform.set(ownerOf(address), jsonText(now));
    const left = onPlatformUri(address, name);
    this.#parts.documents.reload(left);
    const title = vscode.l10n.t("{0}: Platform Configuration ↔ Yours", name);
    await vscode.commands.executeCommand("vscode.diff", left, uri, title, { preview: true });

    await askToSend({
      question: vscode.l10n.t("Send the changed configuration of {0} to {1}?", name, host),
      ...changesToSend(changes, changedMeanwhile),
      declined: vscode.l10n.t("The configuration of {0} wasn't sent. Your changes stay in the editor.", name),
    });
  }
}

function onPlatformUri(address: DocumentAddress, name: string): vscode.Uri {
  const title = vscode.l10n.t("{0} (configuration on the platform).json", name);
  return documentUri({ ...address, kind: "configuration-on-platform", key: "", title });
}

/** Closes the comparisons of a configuration that was sent. */
export async function closeComparisons(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.filter(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff &&
      input.modified.toString() === uri.toString() &&
      documentAddressOf(input.original)?.kind === "configuration-on-platform",
  );
  const isOpenItself = tabs.some(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
  if (isOpenItself) {
    await vscode.window.tabGroups.close(shown.filter((tab) => !tab.isDirty));
  }
}

function ownerOf({ tenantId, workspaceId }: DocumentAddress): string {
  return `${tenantId}/${workspaceId}`;
}

function jsonText(value: JsonObject): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

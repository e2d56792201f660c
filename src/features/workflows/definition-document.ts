import * as vscode from "vscode";
import { updateVersionDefinition } from "../../api/catalogue/operations/workflow-changes.ts";
import { getVersionDefinition, getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { readDesign } from "../../api/families/workflow-definition.ts";
import { versionsOf } from "../../api/families/workflow-facts.ts";
import {
  type AgreedSave,
  AskedSaves,
  askToSend,
  changesToSend,
  nothingToSend,
} from "../../ui/documents/asked-saves.ts";
import { type DocumentAddress, documentUri } from "../../ui/documents/document-address.ts";
import { changedFields, type JsonObject, parseJsonObject } from "../../ui/documents/json-object.ts";
import type { DocumentSource } from "../../ui/documents/platform-documents.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import type { ChosenWorkflow } from "./choice.ts";

type ChosenVersion = ChosenWorkflow & { readonly version: string };

/** Opens the definition of a draft version as JSON. Throws if the version is released, because it can't be changed. */
export async function editDefinition(chosen: ChosenVersion): Promise<void> {
  const { client, tenantId, modelId, name, version } = chosen;
  const shown = versionName(name, version);
  const known = versionsOf(await client.call(getWorkflow, { modelId })).find((one) => one.version === version);
  if (known !== undefined && known.state !== "draft") {
    throw new Error(
      vscode.l10n.t(
        "{0} is released, so its definition can't be changed. Create a new version of the workflow.",
        shown,
      ),
    );
  }
  await vscode.window.showTextDocument(definitionUri({ tenantId, modelId, name, version }), { preview: false });
}

export function definitionUri({
  tenantId,
  modelId,
  name,
  version,
}: Pick<ChosenVersion, "tenantId" | "modelId" | "name" | "version">): vscode.Uri {
  const key = [modelId, version].map(encodeURIComponent).join("/");
  const title = vscode.l10n.t("{0} (definition).json", versionName(name, version));
  return documentUri({ kind: "workflow-definition", tenantId, workspaceId: "", key, title });
}

/** Definitions of draft versions as documents that are sent when saved. */
export class DefinitionDocuments implements vscode.Disposable {
  readonly #connections: Pick<ResourceChoiceParts["connections"], "platform">;
  readonly #saves = new AskedSaves();
  /** The last definition read for each document, on which the user's changes are based. */
  readonly #bases = new Map<string, JsonObject>();
  readonly #listener = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#bases.delete(uri.toString()));

  constructor(connections: Pick<ResourceChoiceParts["connections"], "platform">) {
    this.#connections = connections;
  }

  readonly source: Required<DocumentSource> = {
    read: async (address, uri) => {
      const definition = await this.#fetch(address);
      this.#bases.set(uri.toString(), definition);
      return `${JSON.stringify(definition, undefined, 2)}\n`;
    },
    write: (address, text, uri) =>
      this.#saves.write(uri, address.title, text, (checked) => this.#ask(address, checked, uri)),
  };

  dispose(): void {
    vscode.Disposable.from(this.#saves, this.#listener).dispose();
  }

  async #fetch({ tenantId, key }: DocumentAddress): Promise<JsonObject> {
    const client = await this.#connections.platform(tenantId);
    return client.call(getVersionDefinition, idsOf(key));
  }

  /** Checks the text and asks whether to send it. Throws with the reason if it can't or must not be sent. */
  async #ask(address: DocumentAddress, text: string, uri: vscode.Uri): Promise<AgreedSave> {
    const { title, tenantId, key } = address;
    const mine = parseJsonObject(text, vscode.l10n.t);
    if (!mine.valid) {
      throw new Error(vscode.l10n.t("{0} wasn't sent: {1}.", title, mine.reason));
    }
    const now = await this.#fetch(address);
    const changes = changedFields(now, mine.value);
    if (changes.length === 0) {
      return nothingToSend;
    }
    const base = this.#bases.get(uri.toString());
    const meanwhile = base === undefined ? [] : changedFields(base, now);
    const toSend = changesToSend(changes, meanwhile);
    await askToSend({
      question: vscode.l10n.t("Replace the definition {0}?", title),
      ...toSend,
      detail: [
        vscode.l10n.t("Steps now: {0}", stepsOf(now)),
        vscode.l10n.t("Steps afterward: {0}", stepsOf(mine.value)),
        ...toSend.detail,
      ],
      declined: vscode.l10n.t("{0} wasn't sent. Your changes stay in the editor.", title),
    });
    return {
      send: async () => {
        const client = await this.#connections.platform(tenantId);
        await client.call(updateVersionDefinition, { ...idsOf(key), body: { ...mine.value } });
        this.#bases.set(uri.toString(), mine.value);
      },
      onSaved: () => {},
    };
  }
}

function stepsOf(definition: JsonObject): number {
  const { designElements } = definition;
  return readDesign({ designElements: Array.isArray(designElements) ? designElements : [] }).steps.length;
}

function idsOf(key: string): { readonly modelId: string; readonly version: string } {
  const [modelId = "", version = ""] = key.split("/").map(decodeURIComponent);
  return { modelId, version };
}

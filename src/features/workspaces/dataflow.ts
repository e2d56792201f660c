import * as vscode from "vscode";
import { updateDataflow } from "../../api/catalogue/operations/notebooks.ts";
import { errorMessage } from "../../api/error-message.ts";
import { findNotebook } from "../../api/families/notebooks.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { showWarning, withoutLinks } from "../../tenants/messages.ts";
import { accountKeys } from "../../tenants/stored-account-state.ts";
import { type ActiveFile, activeFile } from "../../ui/commands/active-file.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { type DocumentAddress, documentAddressOf, documentUri } from "../../ui/documents/document-address.ts";
import { changeLines } from "../../ui/documents/json-changes.ts";
import { changedFields, parseJsonObject } from "../../ui/documents/json-object.ts";
import type { DocumentReload } from "../../ui/documents/platform-documents.ts";
import { enterText } from "../../ui/quick-input/show-input.ts";
import type { DataflowDocuments } from "./dataflow-documents.ts";
import type { WorkspacesCommandId } from "./declarations.ts";

interface DataflowCommandParts {
  readonly connections: Connections;
  readonly dataflows: DataflowDocuments;
  readonly documents: DocumentReload;
  readonly state: vscode.Memento;
  readonly log: ExtensionLog;
}

/**
 * Schedules notebooks: a JSON body as a document, which is sent when the user confirms, and the response as a document.
 */
export function dataflowCommands(parts: DataflowCommandParts) {
  return {
    "platformWorkbench.updateDataflow": async (run, argument) => {
      const file = activeFile(argument);
      run.setErrorContext({ tenantId: file.tenantId, workspaceId: file.workspaceId });
      const key = await findNotebookId(parts, file);
      const { tenantId, workspaceId } = file;
      const title = vscode.l10n.t("{0} (dataflow update).json", file.name);
      const uri = documentUri({ kind: "dataflow", tenantId, workspaceId, key, title });
      await vscode.window.showTextDocument(uri, { preview: false });
    },
    "platformWorkbench.sendDataflow": async (run, argument) => {
      const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
      const address = uri === undefined ? undefined : documentAddressOf(uri);
      if (uri === undefined || address?.kind !== "dataflow") {
        throw new Error(
          vscode.l10n.t("The active editor doesn't show a dataflow update. Run Platform: Update Dataflow… first."),
        );
      }
      run.setErrorContext({ tenantId: address.tenantId, workspaceId: address.workspaceId });
      await send(parts, address, await vscode.workspace.openTextDocument(uri));
    },
  } satisfies Partial<CommandHandlers<WorkspacesCommandId>>;
}

async function send(
  parts: DataflowCommandParts,
  address: DocumentAddress,
  document: vscode.TextDocument,
): Promise<void> {
  const { tenantId, workspaceId, key: notebookId } = address;
  const body = parseJsonObject(document.getText(), vscode.l10n.t);
  if (!body.valid) {
    throw new Error(vscode.l10n.t("{0} wasn't sent: {1}.", address.title, body.reason));
  }
  const client = await parts.connections.content(tenantId, workspaceId);
  const base = await parts.connections.contentServer(tenantId, workspaceId);
  const name = parts.connections.nameOf(tenantId, workspaceId);
  const lines = changeLines(changedFields({}, body.value), (count) => vscode.l10n.t("and {0} more", count));
  const confirm = vscode.l10n.t("Send");
  const chosen = await showWarning(
    vscode.l10n.t("Send this dataflow update to {0}?", base.host),
    {
      modal: true,
      detail: [
        vscode.l10n.t("Workspace: {0}", name),
        vscode.l10n.t("Notebook ID: {0}", notebookId),
        "",
        ...lines.map((line) => line.replace(": – → ", ": ")),
      ].join("\n"),
    },
    confirm,
  );
  if (chosen !== confirm) {
    throw new vscode.CancellationError();
  }
  const response = await client.call(updateDataflow, { workspaceId, notebookId, body: { ...body.value } });
  await document.save();
  parts.dataflows.prefilled(address, response);
  const title = address.title.replace(/\.json$/, "");
  const uri = documentUri({ ...address, kind: "dataflow-response", title: vscode.l10n.t("{0}, response.json", title) });
  parts.documents.reload(uri);
  await vscode.window.showTextDocument(uri, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

/** The platform's id of the notebook: looked up by its path, or entered by the user. */
async function findNotebookId({ connections, state, log }: DataflowCommandParts, file: ActiveFile): Promise<string> {
  const { tenantId, workspaceId, path } = file;
  try {
    const client = await connections.platform(tenantId);
    const found = await findNotebook(client, { workspaceId, path });
    if (found?.id !== undefined && found.id !== null) {
      return found.id;
    }
  } catch (error) {
    // A platform without this search still accepts the update, and the user may know the id.
    log.warn(`notebook search: ${errorMessage(error)}`);
  }
  const ids = state.get<Readonly<Record<string, string>>>(accountKeys.notebookIds, {});
  const entry = `${tenantId}/${workspaceId}/${path}`;
  const typed = await enterText({
    title: vscode.l10n.t("Notebook ID of {0}", file.name),
    prompt: withoutLinks(
      vscode.l10n.t("The platform doesn't report a notebook at {0}. Enter the notebook's ID.", path),
    ),
    value: ids[entry] ?? "",
    validateInput: (text) =>
      /^[^\s/]+$/.test(text.trim()) ? undefined : vscode.l10n.t("Enter an ID without spaces or slashes."),
  });
  await state.update(accountKeys.notebookIds, { ...ids, [entry]: typed.trim() });
  return typed.trim();
}

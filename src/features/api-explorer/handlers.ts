import * as vscode from "vscode";
import * as z from "zod/mini";
import { acceptsBody, firstBodyOf } from "../../api/catalogue/body-schema.ts";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import { catalogue } from "../../api/catalogue/operations/catalogue.ts";
import { curlCommand } from "../../api/client/curl.ts";
import { errorMessage } from "../../api/error-message.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { documentAddressOf } from "../../ui/documents/document-address.ts";
import type { DocumentReload } from "../../ui/documents/platform-documents.ts";
import { currentTenant } from "../../ui/quick-input/choose-resource.ts";
import { chooseWorkspace } from "../../ui/quick-input/workspace-choice.ts";
import type { ApiExplorerCommandId } from "./declarations.ts";
import {
  bodyUri,
  type OperationDocuments,
  type OperationPlace,
  parsedResponseUri,
  placeOf,
  responseUri,
} from "./operation-documents.ts";
import { askParameters, listedFor } from "./operation-form.ts";
import { pickOperation } from "./operation-pick.ts";
import { type OperationRequest, OperationRequests } from "./operation-requests.ts";
import { confirmSending, parsedResponseText, prepare, responseText, saveBytes, send } from "./sending.ts";

interface OperationCommandParts {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly operations: OperationDocuments;
  readonly documents: DocumentReload;
  readonly state: vscode.Memento;
  readonly log: ExtensionLog;
}

/** The argument of the command. Members with a value are not asked for. */
const wanted = z.looseObject({
  operationId: z.string(),
  tenantId: z.optional(z.string()),
  workspaceId: z.optional(z.string()),
  parameters: z._default(z.record(z.string(), z.string()), {}),
  isRaw: z._default(z.boolean(), false),
});

/** The editor must not have the front door's secrets, so its operations are available only on the command line. */
const offered: readonly AnyOperation[] = catalogue.filter(({ credential }) => credential !== "internal");

/**
 * Runs any operation of the catalog from the palette: asks for the parameters, and shows the body and the response as
 * documents.
 */
export function operationCommands(parts: OperationCommandParts): CommandHandlers<ApiExplorerCommandId> {
  const requests = new OperationRequests(parts.state);
  return {
    "platformWorkbench.runOperation": (run, argument) => runOperation(parts, requests, run, argument),
    "platformWorkbench.sendOperation": async (run, argument) => {
      const { request, document } = await requestAt(parts, requests, argument);
      await document.save();
      await sendRequest(parts, requests, run, request, document.getText());
    },
    "platformWorkbench.copyOperationAsCurl": async (_, argument) => {
      const { request } = await requestAt(parts, requests, argument);
      const operation = operationOf(request.operationId);
      const body = acceptsBody(operation) ? await bodyTextOf(parts, request) : undefined;
      const { prepared } = await prepare(parts.connections, operation, request, body);
      await vscode.env.clipboard.writeText(curlCommand(prepared, operation.credential));
      vscode.window.setStatusBarMessage(vscode.l10n.t("Copied {0} as curl", operation.id), 3000);
    },
  };
}

async function runOperation(
  parts: OperationCommandParts,
  requests: OperationRequests,
  run: CommandRun,
  argument: unknown,
): Promise<void> {
  const named = z.safeParse(wanted, argument);
  const tenantId = named.data?.tenantId ?? currentTenant(parts.registry).id;
  const tenant = parts.connections.tenant(tenantId);
  run.setErrorContext({ tenantId });
  if (named.success) {
    const { operationId, parameters, workspaceId, isRaw } = named.data;
    const operation = operationOf(operationId);
    return begin(parts, requests, run, { operation, tenantId, workspaceId, parameters, isRaw });
  }
  const title = vscode.l10n.t("Run API Operation · {0}", tenant.label);
  const past = requests.history.filter((one) => one.tenantId === tenantId);
  const choice = await pickOperation(offered, past, title, tenant.dialect);
  if (choice.type === "operation") {
    return begin(parts, requests, run, {
      operation: choice.operation,
      tenantId,
      workspaceId: undefined,
      parameters: {},
      isRaw: choice.isRaw,
    });
  }
  const { past: earlier, isChanged } = choice;
  await requests.begin(earlier);
  if (earlier.body !== undefined) {
    await parts.operations.setBody(earlier, earlier.body);
    parts.documents.reload(bodyUri(earlier));
  }
  const parameters = isChanged ? {} : earlier.parameters;
  const operation = operationOf(earlier.operationId);
  const { workspaceId } = earlier;
  // A repeated run shows the response as before. A changed run uses the switch of the list.
  const isRaw = isChanged ? choice.isRaw : earlier.isRaw;
  return begin(parts, requests, run, { operation, tenantId, workspaceId, parameters, isChanged, isRaw });
}

interface Beginning {
  readonly operation: AnyOperation;
  readonly tenantId: string;
  readonly workspaceId: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly isRaw: boolean;
  /** False for a repeated run, which doesn't ask for missing parameters. */
  readonly isChanged?: boolean;
}

async function begin(
  parts: OperationCommandParts,
  requests: OperationRequests,
  run: CommandRun,
  { operation, tenantId, workspaceId, parameters, isRaw, isChanged = true }: Beginning,
): Promise<void> {
  const place = await placeFor(parts, run, operation, tenantId, workspaceId);
  const given = isChanged
    ? await askParameters({
        operation,
        dialect: parts.connections.tenant(tenantId).dialect,
        given: parameters,
        last: (name) => requests.lastChoice(operation.id, name),
        listed: (name, responses) => listed(parts, operation, tenantId, name, responses),
      })
    : parameters;
  const request: OperationRequest = { ...place, parameters: given, isRaw };
  await requests.begin(request);
  if (!acceptsBody(operation)) {
    return sendRequest(parts, requests, run, request, undefined);
  }
  if (parts.operations.bodyOf(request) === undefined) {
    await parts.operations.setBody(request, `${JSON.stringify(firstBodyOf(operation), undefined, 2)}\n`);
  }
  await vscode.window.showTextDocument(bodyUri(request), { preview: false });
  void offerSending(operation, bodyUri(request));
}

async function offerSending(operation: AnyOperation, uri: vscode.Uri): Promise<void> {
  const sendLabel = vscode.l10n.t("Send");
  const chosen = await showInformation(vscode.l10n.t("Edit the body of {0}, then send it.", operation.id), sendLabel);
  if (chosen === sendLabel) {
    await vscode.commands.executeCommand("platformWorkbench.sendOperation", uri);
  }
}

async function sendRequest(
  parts: OperationCommandParts,
  requests: OperationRequests,
  run: CommandRun,
  request: OperationRequest,
  body: string | undefined,
): Promise<void> {
  run.setErrorContext(errorContextOf(request));
  const sending = await prepare(parts.connections, operationOf(request.operationId), request, body);
  await confirmSending(sending);
  const result = await send(sending);
  const status = result.unsuccessfulStatus ?? result.response?.status;
  await requests.remember({ ...request, when: new Date().toISOString(), status, body });
  if (result.response !== undefined) {
    const uri = request.isRaw ? responseUri(request) : parsedResponseUri(request);
    parts.operations.setResponse(
      request.tenantId,
      uri,
      request.isRaw ? responseText(sending, result) : parsedResponseText(sending, result),
    );
    parts.documents.reload(uri);
    await vscode.window.showTextDocument(uri, {
      preview: true,
      viewColumn: body === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside,
    });
  }
  if (result.error !== undefined) {
    throw result.error;
  }
  if (result.text !== undefined) {
    const { unsuccessfulStatus, text } = result;
    void showInformation(
      `${sending.operation.id}: ${unsuccessfulStatus === undefined ? text : `${text} (${unsuccessfulStatus})`}`,
    );
  }
  const isSuccess = status !== undefined && status >= 200 && status <= 299;
  if (sending.operation.responseFormat === "bytes" && result.response !== undefined && isSuccess) {
    await saveBytes(sending.operation, result.response);
  }
}

async function placeFor(
  parts: OperationCommandParts,
  run: CommandRun,
  operation: AnyOperation,
  tenantId: string,
  workspaceId: string | undefined,
): Promise<OperationPlace> {
  const operationId = operation.id;
  if (operation.credential !== "notebook") {
    return { tenantId, workspaceId: "", operationId };
  }
  const named = workspaceId === undefined || workspaceId === "" ? undefined : { tenantId, workspaceId };
  const title = vscode.l10n.t("Workspace of {0}", operationId);
  return { ...(await chooseWorkspace(parts, run, named, { title, states: ["running"] })), operationId };
}

async function listed(
  { connections, log }: OperationCommandParts,
  operation: AnyOperation,
  tenantId: string,
  name: string,
  responses: Readonly<Record<string, string>>,
): ReturnType<typeof listedFor> {
  try {
    return await listedFor(operation, name, await connections.platform(tenantId), responses);
  } catch (error) {
    // The user can still enter the id.
    log.warn(`${operation.id}: ${name} can't be listed: ${errorMessage(error)}`);
    return [];
  }
}

/** The operation whose document a command applies to, with its last parameters. */
async function requestAt(
  parts: OperationCommandParts,
  requests: OperationRequests,
  argument: unknown,
): Promise<{ readonly request: OperationRequest; readonly document: vscode.TextDocument }> {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const address = uri === undefined ? undefined : documentAddressOf(uri);
  if (uri === undefined || (address?.kind !== "operation-body" && address?.kind !== "operation-response")) {
    throw new Error(
      vscode.l10n.t("The active editor doesn't show an API operation. Run Platform: Run API Operation… first."),
    );
  }
  parts.connections.tenant(address.tenantId);
  const place = placeOf(address);
  const request = { ...place, parameters: requests.parametersOf(place), isRaw: requests.isRaw(place) };
  return { request, document: await vscode.workspace.openTextDocument(uri) };
}

async function bodyTextOf(parts: OperationCommandParts, request: OperationRequest): Promise<string> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === bodyUri(request).toString());
  return open?.getText() ?? parts.operations.bodyOf(request) ?? "{}";
}

function errorContextOf({ tenantId, workspaceId }: OperationRequest): { tenantId: string; workspaceId?: string } {
  return workspaceId === "" ? { tenantId } : { tenantId, workspaceId };
}

function operationOf(operationId: string): AnyOperation {
  const operation = offered.find(({ id }) => id === operationId);
  if (operation === undefined) {
    throw new Error(vscode.l10n.t("The operation {0} doesn't exist.", operationId));
  }
  return operation;
}

import * as vscode from "vscode";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import { shapeOf, valueFromText } from "../../api/catalogue/operation-parameters.ts";
import type { Client, RawResponse } from "../../api/client/client.ts";
import { readableResponse } from "../../api/client/readable-response.ts";
import type { PreparedRequest } from "../../api/client/request.ts";
import { errorMessage } from "../../api/error-message.ts";
import { runOperation } from "../../api/families/operation-outcome.ts";
import { masked } from "../../api/http/confidential.ts";
import type { CredentialKind } from "../../api/http/credentials.ts";
import { parseExact, parseJson } from "../../api/http/json.ts";
import type { Connections } from "../../tenants/connections.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { changeLines } from "../../ui/documents/json-changes.ts";
import { changedFields, unsafeNumber } from "../../ui/documents/json-object.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import type { OperationRequest } from "./operation-requests.ts";
import { summaryOf } from "./operation-summary.ts";

/** An operation with everything needed to send it. */
interface Sending {
  readonly operation: AnyOperation;
  readonly request: OperationRequest;
  readonly client: Client<CredentialKind>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly prepared: PreparedRequest;
  /** The tenant's label, and the workspace's name if there is one. */
  readonly where: string;
}

/** Maximum number of characters of a response's body in its document. */
const maxShownBytes = 1024 * 1024;

/** The result of a run; `error` if the platform refused it. */
interface Run {
  readonly response: RawResponse | undefined;
  readonly milliseconds: number;
  readonly error: unknown;
  /** The API description's text for the outcome, if it has one. */
  readonly text: string | undefined;
  /** The status of an unsuccessful result without a response (API description, 7). */
  readonly unsuccessfulStatus: number | undefined;
}

/**
 * Validates everything before a request is sent. Throws a PlatformError of kind `request`, or an error about the body.
 */
export async function prepare(
  connections: Connections,
  operation: AnyOperation,
  request: OperationRequest,
  body: string | undefined,
): Promise<Sending> {
  const { tenantId, workspaceId } = request;
  const values = Object.entries(request.parameters).map(([name, text]) => [
    name,
    valueFromText(shapeOf(operation, name), text),
  ]);
  const input = { ...Object.fromEntries(values), ...(body === undefined ? {} : { body: parsedBody(operation, body) }) };
  const client = await clientFor(connections, operation, request);
  const { label } = connections.tenant(tenantId);
  const where = workspaceId === "" ? label : `${label}, ${connections.nameOf(tenantId, workspaceId)}`;
  return { operation, request, client, input, where, prepared: client.prepare(operation, input as never) };
}

function parsedBody(operation: AnyOperation, text: string): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const words = errorMessage(error);
    throw new Error(vscode.l10n.t("The body of {0} isn't valid JSON: {1}.", operation.id, words));
  }
  const place = unsafeNumber(value);
  if (place !== undefined) {
    throw new Error(vscode.l10n.t("The number at {0} is too large to be sent unchanged.", place));
  }
  return value;
}

async function clientFor(
  connections: Connections,
  operation: AnyOperation,
  { tenantId, workspaceId }: OperationRequest,
): Promise<Client<CredentialKind>> {
  const client =
    operation.credential === "notebook"
      ? await connections.content(tenantId, workspaceId)
      : await connections.platform(tenantId);
  // The kind is known only at run time. The client checks it against the operation's kind before each request.
  return client as Client<CredentialKind>;
}

/** Confirms a change and names what it affects. Throws a CancellationError if canceled. */
export async function confirmSending({ operation, request, input, prepared, where }: Sending): Promise<void> {
  if (operation.effect === "read") {
    return;
  }
  const body = changeLines(changedFields({}, { body: input.body ?? {} }), (count) =>
    vscode.l10n.t("and {0} more", count),
  );
  const lines = [
    summaryOf(operation),
    `${prepared.method} ${prepared.url.href}`,
    ...(operation.effect === "destroy" ? [vscode.l10n.t("This removes or replaces existing data.")] : []),
    "",
    ...Object.entries(request.parameters).map(([name, text]) => `${name}: ${text}`),
    ...(input.body === undefined ? [] : body.map((line) => line.replace(": – → ", ": "))),
  ];
  await confirm({
    question: vscode.l10n.t("Run {0} on {1}?", operation.id, where),
    consequence: lines.join("\n").trim(),
    action: vscode.l10n.t("Run"),
  });
}

/** Sends the request. If it is slow, shows progress with a Cancel button. */
export async function send({ operation, request, client, input, where }: Sending): Promise<Run> {
  const started = performance.now();
  let response: RawResponse | undefined;
  const onResponse = (one: RawResponse): void => {
    response = one;
  };
  const sent = async (signal: AbortSignal): Promise<Pick<Run, "text" | "unsuccessfulStatus">> => {
    if (request.isRaw) {
      onResponse(await client.raw(operation, input as never, { signal }));
      return { text: undefined, unsuccessfulStatus: undefined };
    }
    const outcome = await runOperation(client, operation, input, { signal, onResponse });
    return { text: outcome.text, unsuccessfulStatus: outcome.successful ? undefined : outcome.status };
  };
  const ended = await withCancellableProgress(vscode.l10n.t("{0} on {1}", operation.id, where), (signal) =>
    sent(signal).then(
      (outcome) => ({ ...outcome, error: undefined }),
      (reason: unknown) => ({
        text: undefined,
        unsuccessfulStatus: undefined,
        error: reason ?? new Error(operation.id),
      }),
    ),
  );
  return { ...ended, response, milliseconds: Math.round(performance.now() - started) };
}

/** The response as a document: status, time, and size in a comment, then its JSON with confidential members masked. */
export function parsedResponseText({ operation, prepared }: Sending, { response, milliseconds }: Run): string {
  if (response === undefined) {
    return "// -\n";
  }
  const type = response.headers["content-type"] ?? "";
  const facts = [
    response.status,
    `${milliseconds} ms`,
    sizeText(response.body.byteLength, vscode.env.language),
    type,
  ].filter(Boolean);
  return [
    `// ${prepared.method} ${prepared.url.href}`,
    `// ${facts.join(" · ")} · ${new Date().toISOString()}`,
    bodyText(operation, response),
    "",
  ].join("\n");
}

function bodyText(operation: AnyOperation, response: RawResponse): string {
  const isSuccess = response.status >= 200 && response.status <= 299;
  if (operation.responseFormat === "bytes" && isSuccess) {
    return "null";
  }
  const text = new TextDecoder().decode(response.body);
  if (text.trim() === "") {
    return "null";
  }
  try {
    return JSON.stringify(masked(parseExact(text), operation.confidential ?? []), undefined, 2);
  } catch {
    return JSON.stringify(operation.confidential === undefined ? text : "[redacted]");
  }
}

/** The raw response as a document: its status, its headers, and its body, without secrets. */
export function responseText({ operation, client, prepared }: Sending, { response, milliseconds }: Run): string {
  if (response === undefined) {
    return "-\n";
  }
  const { status, headers, body } = readableResponse(client, operation, response, maxShownBytes);
  const size = sizeText(response.body.byteLength, vscode.env.language);
  const text = {
    empty: () => vscode.l10n.t("(no body)"),
    bytes: () => vscode.l10n.t("({0} of binary data)", size),
    text: () => (body.type === "text" ? body.text : ""),
  }[body.type]();
  const rest =
    body.type === "text" && body.isCut ? ["", vscode.l10n.t("(Truncated. The complete body has {0}.)", size)] : [];
  return [
    `${prepared.method} ${prepared.url.href}`,
    `HTTP ${status} · ${milliseconds} ms · ${size} · ${new Date().toISOString()}`,
    "",
    ...headers,
    "",
    text,
    ...rest,
    "",
  ].join("\n");
}

/** Lets the user save a binary response as a file. */
export async function saveBytes(operation: AnyOperation, response: RawResponse): Promise<void> {
  const ending = /zip/.test(response.headers["content-type"] ?? "") ? "zip" : "bin";
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Save Response of {0}", operation.id),
    defaultUri: vscode.Uri.file(`${operation.id}.${ending}`),
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, response.body);
  }
}

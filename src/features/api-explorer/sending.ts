import * as vscode from "vscode";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import type { Client, RawAnswer } from "../../api/client/client.ts";
import type { PreparedRequest } from "../../api/client/request.ts";
import { masked } from "../../api/http/confidential.ts";
import type { CredentialKind } from "../../api/http/credentials.ts";
import { parseExact } from "../../api/http/json.ts";
import { changeLines } from "../../ui/documents/json-changes.ts";
import { changedFields } from "../../ui/documents/json-object.ts";
import { sizeText } from "../../ui/format/sizes.ts";
import type { OperationRequest } from "./operation-requests.ts";

/** What an operation is sent with. */
export interface Sending {
  readonly operation: AnyOperation;
  readonly request: OperationRequest;
  readonly client: Client<CredentialKind>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly prepared: PreparedRequest;
  /** The tenant's label, and the workspace's name where there is one. */
  readonly where: string;
}

/** How a run ended; `error` where the platform refused. */
export interface Run {
  readonly answer: RawAnswer | undefined;
  readonly milliseconds: number;
  readonly error: unknown;
}

const unnoticed = 300;

/** Asks before something is changed, and names what it touches. Giving up throws a CancellationError. */
export async function confirmSending({ operation, request, input, prepared, where }: Sending): Promise<void> {
  if (operation.effect === "read") {
    return;
  }
  const body = changeLines(changedFields({}, { body: input.body ?? {} }), (count) =>
    vscode.l10n.t("and {0} more", count),
  );
  const lines = [
    operation.summary,
    `${prepared.method} ${prepared.url.href}`,
    ...(operation.effect === "destroy" ? [vscode.l10n.t("It removes or replaces what is there.")] : []),
    "",
    ...Object.entries(request.parameters).map(([name, text]) => `${name}: ${text}`),
    ...(input.body === undefined ? [] : body.map((line) => line.replace(": – → ", ": "))),
  ];
  const run = vscode.l10n.t("Run");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Run {0} on {1}?", operation.id, where),
    { modal: true, detail: lines.join("\n").trim() },
    run,
  );
  if (chosen !== run) {
    throw new vscode.CancellationError();
  }
}

/** Sends it, with progress that can be cancelled where it takes longer than a moment. */
export async function send({ operation, client, input, where }: Sending): Promise<Run> {
  const stop = new AbortController();
  const started = performance.now();
  let answer: RawAnswer | undefined;
  const onAnswered = (one: RawAnswer): void => {
    answer = one;
  };
  const sending = client.call(operation, input as never, { signal: stop.signal, onAnswered }).then(
    () => undefined,
    (error: unknown) => error ?? new Error(operation.id),
  );
  const isOver = await Promise.race([
    sending.then(() => true),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), unnoticed)),
  ]);
  if (!isOver) {
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        cancellable: true,
        title: vscode.l10n.t("{0} on {1}", operation.id, where),
      },
      async (_, token) => {
        token.onCancellationRequested(() => stop.abort());
        await sending;
      },
    );
  }
  return { error: await sending, answer, milliseconds: Math.round(performance.now() - started) };
}

/** The answer as a document: status, time and size in a comment, then its JSON, confidential members masked. */
export function answerText({ operation, prepared }: Sending, { answer, milliseconds }: Run): string {
  if (answer === undefined) {
    return "// -\n";
  }
  const type = answer.headers["content-type"] ?? "";
  const facts = [answer.status, `${milliseconds} ms`, sizeText(answer.body.byteLength, vscode.l10n.t), type].filter(
    Boolean,
  );
  return [
    `// ${prepared.method} ${prepared.url.href}`,
    `// ${facts.join(" · ")} · ${new Date().toISOString()}`,
    bodyText(operation, answer),
    "",
  ].join("\n");
}

function bodyText(operation: AnyOperation, answer: RawAnswer): string {
  const isSuccess = answer.status >= 200 && answer.status <= 299;
  if (operation.answerFormat === "bytes" && isSuccess) {
    return "null";
  }
  const text = new TextDecoder().decode(answer.body);
  if (text.trim() === "") {
    return "null";
  }
  try {
    return JSON.stringify(masked(parseExact(text), operation.confidential ?? []), undefined, 2);
  } catch {
    return JSON.stringify(operation.confidential === undefined ? text : "[redacted]");
  }
}

/** Lets the person keep an answer of bytes as a file. */
export async function saveBytes(operation: AnyOperation, answer: RawAnswer): Promise<void> {
  const ending = /zip/.test(answer.headers["content-type"] ?? "") ? "zip" : "bin";
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Save the Answer of {0}", operation.id),
    defaultUri: vscode.Uri.file(`${operation.id}.${ending}`),
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, answer.body);
  }
}

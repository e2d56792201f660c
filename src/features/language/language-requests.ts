import * as vscode from "vscode";
import { CompanionOperationError } from "../../api/companion/errors.ts";
import type { CompanionOperation, ParametersOf, ResultOf } from "../../api/companion/operation.ts";
import { displayedText } from "../../api/displayed-text.ts";
import { errorMessage } from "../../api/error-message.ts";
import { signalOf } from "../../ui/commands/cancellation.ts";
import { fenced } from "../../ui/details/markdown.ts";
import { isProvided } from "./availability.ts";
import type { LanguageServices } from "./language-services.ts";
import { type RemoteDocument, remoteDocumentOf } from "./remote-document.ts";

/** Milliseconds to wait for what was requested while typing, and for a search over the workspace. */
export const typedTimeoutMs = 20_000;
export const searchTimeoutMs = 60_000;

interface AskOptions {
  /** Whether it starts the companion. What the editor requests by itself doesn't. */
  readonly starts: boolean;
  readonly timeoutMs: number;
}

type RequestServices = Pick<LanguageServices, "companions" | "log"> & {
  readonly openKernels: Pick<LanguageServices["openKernels"], "find">;
};

/** Requests of the editor's providers. What fails has no result, and is logged. */
export class LanguageRequests {
  readonly #services: RequestServices;

  constructor(services: RequestServices) {
    this.#services = services;
  }

  /** The kernels of the open notebooks. */
  get openKernels(): RequestServices["openKernels"] {
    return this.#services.openKernels;
  }

  /** The document, if these features are provided for it. */
  documentOf(document: vscode.TextDocument): RemoteDocument | undefined {
    return isProvided(document) ? remoteDocumentOf(document) : undefined;
  }

  /** The result; undefined if the token is canceled, if there is no companion, or if the operation fails. */
  async ask<Operation extends CompanionOperation>(
    remote: Pick<RemoteDocument, "place" | "path">,
    operation: Operation,
    parameters: ParametersOf<Operation>,
    token: vscode.CancellationToken,
    options: AskOptions,
  ): Promise<ResultOf<Operation> | undefined> {
    try {
      return await this.request(remote, operation, parameters, token, options);
    } catch (error) {
      const isExpected = token.isCancellationRequested || isOfKind(error, "cancelled");
      if (!isExpected) {
        this.#services.log.debug(`${operation.name} of ${remote.path}: ${errorMessage(error)}`);
      }
      return undefined;
    }
  }

  /** Like `ask`, but rejects if the operation fails. */
  async request<Operation extends CompanionOperation>(
    remote: Pick<RemoteDocument, "place" | "path">,
    operation: Operation,
    parameters: ParametersOf<Operation>,
    token: vscode.CancellationToken,
    { starts, timeoutMs }: AskOptions,
  ): Promise<ResultOf<Operation> | undefined> {
    const { companions } = this.#services;
    const signal = signalOf(token);
    const companion = starts ? await companions.get(remote.place, signal) : companions.running(remote.place);
    return companion?.request(operation, parameters, { signal, timeoutMs });
  }
}

export function isOfKind(error: unknown, kind: string): boolean {
  return error instanceof CompanionOperationError && error.kind === kind;
}

/** Signatures and a docstring for a hover, as they are on the server. Docstrings are laid out in columns. */
export function descriptionText(
  signatures: readonly string[],
  documentation: string,
): vscode.MarkdownString | undefined {
  const blocks = [
    ...(signatures.length === 0 ? [] : [fenced(displayedText(signatures.join("\n")), "python")]),
    ...(documentation.trim() === "" ? [] : [fenced(displayedText(documentation.trimEnd()), "text")]),
  ];
  return blocks.length === 0 ? undefined : new vscode.MarkdownString(blocks.join("\n\n"));
}

import * as vscode from "vscode";
import { checkSource, prepareDocument } from "../../api/companion/operations/language.ts";
import { isFormattingProvided } from "./availability.ts";
import { type LanguageRequests, searchTimeoutMs } from "./language-requests.ts";
import type { LanguageServices } from "./language-services.ts";
import { documentParameter, editorRange, type RemoteDocument } from "./remote-document.ts";

/** Milliseconds without typing after which a document is checked. */
const pauseMs = 400;
/** Milliseconds for the work in the background after which it ends. */
const prepareTimeoutMs = 120_000;
/** Number of documents whose preparation is remembered. */
const maxPrepared = 200;

interface Check {
  readonly source: vscode.CancellationTokenSource;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The problems of open documents, which are checked after each change while the companion runs. Also prepares the names
 * of documents when the companion has started, or when they are opened.
 */
export class Problems {
  readonly #requests: LanguageRequests;
  readonly #companions: LanguageServices["companions"];
  readonly #collection = vscode.languages.createDiagnosticCollection("platform-workbench-python");
  /** By the document, which for a notebook is the notebook. */
  readonly #checks = new Map<string, Check>();
  readonly #prepared = new Set<string>();

  constructor(requests: LanguageRequests, companions: LanguageServices["companions"]) {
    this.#requests = requests;
    this.#companions = companions;
  }

  /** Checks a document after a pause, and prepares its names if it is new. Does nothing without a running companion. */
  update(document: vscode.TextDocument): void {
    const remote = this.#requests.documentOf(document);
    if (remote === undefined) {
      this.#collection.delete(document.uri);
      return;
    }
    if (remote.kind === "library" || this.#companions.running(remote.place) === undefined) {
      return;
    }
    const key = keyOf(remote);
    this.#stop(key);
    const check: Check = { source: new vscode.CancellationTokenSource(), timer: undefined };
    this.#checks.set(key, check);
    check.timer = setTimeout(() => void this.#check(document, key, check), pauseMs);
    this.#prepare(remote, key);
  }

  /** Removes the problems of a document that was closed. */
  close(document: vscode.TextDocument): void {
    this.#collection.delete(document.uri);
  }

  dispose(): void {
    for (const key of [...this.#checks.keys()]) {
      this.#stop(key);
    }
    this.#collection.dispose();
  }

  async #check(document: vscode.TextDocument, key: string, check: Check): Promise<void> {
    // Cells may have been added or moved since.
    const remote = document.isClosed ? undefined : this.#requests.documentOf(document);
    if (remote !== undefined) {
      const versions = remote.parts.map(({ version }) => version);
      const parameters = { document: documentParameter(remote), lints: isFormattingProvided(document) };
      const options = { starts: false, timeoutMs: searchTimeoutMs };
      const found = await this.#requests.ask(remote, checkSource, parameters, check.source.token, options);
      if (found !== undefined && this.#checks.get(key) === check) {
        remote.parts.forEach((part, cell) => {
          if (!part.isClosed && part.version === versions[cell]) {
            this.#collection.set(part.uri, found.problems.filter((one) => one.cell === cell).map(diagnosticOf));
          }
        });
      }
    }
    if (this.#checks.get(key) === check) {
      this.#stop(key);
    }
  }

  #prepare(remote: RemoteDocument, key: string): void {
    if (this.#prepared.has(key)) {
      return;
    }
    if (this.#prepared.size >= maxPrepared) {
      this.#prepared.clear();
    }
    this.#prepared.add(key);
    const source = new vscode.CancellationTokenSource();
    const options = { starts: false, timeoutMs: prepareTimeoutMs };
    void this.#requests
      .ask(remote, prepareDocument, { document: documentParameter(remote) }, source.token, options)
      .finally(() => source.dispose());
  }

  #stop(key: string): void {
    const check = this.#checks.get(key);
    if (check !== undefined) {
      this.#checks.delete(key);
      clearTimeout(check.timer);
      check.source.cancel();
      check.source.dispose();
    }
  }
}

function keyOf({ place, path }: RemoteDocument): string {
  return `${place.tenantId}/${place.workspaceId}/${path}`;
}

function diagnosticOf({
  range,
  message,
  code,
  severity,
  source,
}: {
  readonly range: Parameters<typeof editorRange>[0];
  readonly message: string;
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly source: string;
}): vscode.Diagnostic {
  const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
  const diagnostic = new vscode.Diagnostic(editorRange(range), message, severity === "error" ? error : warning);
  diagnostic.source = source;
  if (code !== "") {
    diagnostic.code = code;
  }
  return diagnostic;
}

import * as vscode from "vscode";
import { isContentPath } from "../../api/catalogue/content-path.ts";
import { CompanionOperationError } from "../../api/companion/errors.ts";
import type { ResultOf } from "../../api/companion/operation.ts";
import { renameName } from "../../api/companion/operations/language.ts";
import { displayedText } from "../../api/displayed-text.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showWarning } from "../../tenants/messages.ts";
import { type LanguageRequests, searchTimeoutMs } from "./language-requests.ts";
import {
  editorLocation,
  editorRange,
  positionParameters,
  type RemoteDocument,
  remoteDocumentOf,
} from "./remote-document.ts";

/** Maximum number of files that a rename changes. */
const maxFiles = 200;

/** The range and the name that would be renamed. Throws an Error with the reason if it can't be. */
export async function renamedPlace(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<{ readonly range: vscode.Range; readonly placeholder: string } | undefined> {
  const found = await renamed(requests, document, position, token, undefined);
  return found && { range: editorRange(found.place.range), placeholder: found.name };
}

/**
 * The changes of a rename. Those of other files wait for a confirmation in the editor's preview. Throws an Error with the
 * reason if a place has changed meanwhile.
 */
export async function renameEdit(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  newName: string,
  token: vscode.CancellationToken,
): Promise<vscode.WorkspaceEdit | undefined> {
  const remote = requests.documentOf(document);
  const found = await renamed(requests, document, position, token, newName);
  if (remote === undefined || found === undefined) {
    return undefined;
  }
  if (!found.isLocal) {
    checkUnsaved(remote, found.name);
  }
  const edit = new vscode.WorkspaceEdit();
  const opened = new Map(remote.parts.map((part) => [part.uri.toString(), part]));
  const own = new Set(opened.keys());
  for (const place of found.locations) {
    const location =
      place.kind === "workspace" && !isContentPath(place.path) ? undefined : editorLocation(remote, place);
    if (location === undefined || place.kind === "library") {
      throw new Error(vscode.l10n.t("{0} is used outside of the workspace.", found.name));
    }
    const { uri, range } = location;
    const key = uri.toString();
    if (!opened.has(key) && opened.size - own.size >= maxFiles) {
      throw new Error(vscode.l10n.t("{0} is used in too many files.", found.name));
    }
    const text = opened.get(key) ?? (await vscode.workspace.openTextDocument(uri));
    opened.set(key, text);
    if (token.isCancellationRequested) {
      return undefined;
    }
    // The server knows the saved text of other files.
    if (text.getText(range) !== found.name) {
      throw unsavedError(place.path || remote.path);
    }
    const label = vscode.l10n.t("Rename in other files");
    edit.replace(uri, range, newName, own.has(key) ? undefined : { needsConfirmation: true, label });
  }
  if (!found.isComplete) {
    void showWarning(vscode.l10n.t("{0} may be used in more files than could be searched. Search for it.", found.name));
  }
  const notebooks = found.notebooks.filter(isContentPath).map(displayedText);
  if (notebooks.length > 0) {
    void showWarning(vscode.l10n.t("Notebooks that use {0} aren't changed: {1}", found.name, notebooks.join(", ")));
  }
  return edit;
}

/** Throws an Error if a script that is open with unsaved changes has the name: the server knows only its saved text. */
function checkUnsaved({ place, parts }: RemoteDocument, name: string): void {
  for (const document of vscode.workspace.textDocuments) {
    const other = document.isDirty && !parts.includes(document) ? remoteDocumentOf(document) : undefined;
    if (
      other?.kind === "script" &&
      other.place.tenantId === place.tenantId &&
      other.place.workspaceId === place.workspaceId &&
      document
        .getText()
        .split(/[^\p{L}\p{N}_]+/u)
        .includes(name)
    ) {
      throw unsavedError(other.path);
    }
  }
}

function unsavedError(path: string): Error {
  return new Error(vscode.l10n.t("{0} has unsaved changes. Save it, then rename again.", path));
}

async function renamed(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
  newName: string | undefined,
): Promise<ResultOf<typeof renameName> | undefined> {
  const remote = requests.documentOf(document);
  if (remote === undefined) {
    return undefined;
  }
  const parameters = {
    ...positionParameters(remote, document, position),
    ...(newName === undefined ? {} : { newName }),
  };
  try {
    return await requests.request(remote, renameName, parameters, token, { starts: true, timeoutMs: searchTimeoutMs });
  } catch (error) {
    if (token.isCancellationRequested) {
      return undefined;
    }
    throw new Error(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  switch (error instanceof CompanionOperationError ? error.kind : undefined) {
    case "noName":
      return vscode.l10n.t("There is no name that can be renamed here.");
    case "library":
      return vscode.l10n.t("A name that a library defines can't be renamed.");
    case "module":
      return vscode.l10n.t("This is the name of a file. Rename the file instead.");
    case "invalidName":
      return vscode.l10n.t("The new name isn't a valid name in Python.");
    default:
      return errorText(error);
  }
}

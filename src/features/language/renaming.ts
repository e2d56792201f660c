import * as vscode from "vscode";
import { isContentPath } from "../../api/catalogue/content-path.ts";
import { CompanionOperationError } from "../../api/companion/errors.ts";
import type { ResultOf } from "../../api/companion/operation.ts";
import { renameName } from "../../api/companion/operations/language.ts";
import { displayedText } from "../../api/displayed-text.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showWarning } from "../../tenants/messages.ts";
import { previewFirst } from "../../ui/documents/previewed-edit.ts";
import { type LanguageRequests, searchTimeoutMs } from "./language-requests.ts";
import { editorLocation, editorRange, positionParameters, type RemoteDocument } from "./remote-document.ts";
import { unsavedScripts } from "./unsaved-scripts.ts";

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
 * The changes of a rename. The editor shows them in its preview first if they are also in other files. Throws an Error with
 * the reason if a place has changed meanwhile.
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
    checkLeft(remote, found.name);
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
    if (text.getText(range) !== found.name) {
      throw new Error(vscode.l10n.t("{0} has changed meanwhile. Rename again.", place.path || remote.path));
    }
    edit.replace(uri, range, newName);
  }
  if (opened.size > own.size) {
    previewFirst(edit, vscode.l10n.t("Rename in other files"));
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

/** Throws an Error if a script with unsaved changes that the server doesn't know has the name. */
function checkLeft(remote: RemoteDocument, name: string): void {
  for (const { path, document } of unsavedScripts(remote).left) {
    const words = document.getText().split(/[^\p{L}\p{N}_]+/u);
    if (words.includes(name)) {
      throw new Error(vscode.l10n.t("{0} has unsaved changes. Save it, then rename again.", path));
    }
  }
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
    unsaved: unsavedScripts(remote).texts,
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

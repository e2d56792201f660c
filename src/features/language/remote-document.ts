import * as vscode from "vscode";
import type { LanguageLocation, LanguageRange } from "../../api/companion/operations/language.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { libraryOf, libraryScheme, libraryUri } from "../../tenants/library-uri.ts";
import { addressOf, scheme, uriOf } from "../../tenants/workspace-uri.ts";
import { language } from "./language-services.ts";

/** A document of a workspace as the companion gets it. */
export interface RemoteDocument {
  readonly place: CompanionPlace;
  readonly kind: "script" | "notebook" | "library";
  /** Content path. For a library, the path on the server. */
  readonly path: string;
  /** The documents with its text: the code cells of a notebook, in order, or one. */
  readonly parts: readonly vscode.TextDocument[];
}

/** The notebook of a workspace that contains a cell; undefined for any other document. */
function notebookOf(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  return document.uri.scheme === "vscode-notebook-cell"
    ? vscode.workspace.notebookDocuments.find(
        (notebook) =>
          notebook.uri.scheme === scheme &&
          notebook.getCells().some(({ document: { uri } }) => isSame(uri, document.uri)),
      )
    : undefined;
}

function isSame(first: vscode.Uri, second: vscode.Uri): boolean {
  return first.toString() === second.toString();
}

/** A document in Python of a workspace, with all cells of its notebook; undefined for any other document. */
export function remoteDocumentOf(document: vscode.TextDocument): RemoteDocument | undefined {
  if (document.languageId !== language) {
    return undefined;
  }
  if (document.uri.scheme === libraryScheme) {
    const library = libraryOf(document.uri);
    return library && { ...library, kind: "library", parts: [document] };
  }
  if (document.uri.scheme === scheme) {
    return { ...placeAndPath(document.uri), kind: "script", parts: [document] };
  }
  const notebook = notebookOf(document);
  return notebook && { ...placeAndPath(notebook.uri), kind: "notebook", parts: codeCells(notebook) };
}

function placeAndPath(uri: vscode.Uri): Pick<RemoteDocument, "place" | "path"> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  return { place: { tenantId, workspaceId }, path };
}

function codeCells(notebook: vscode.NotebookDocument): readonly vscode.TextDocument[] {
  return notebook
    .getCells()
    .map(({ document }) => document)
    .filter(({ languageId }) => languageId === language);
}

/** The parameter of requests about a document. */
export function documentParameter({ kind, path, parts }: RemoteDocument): {
  readonly kind: RemoteDocument["kind"];
  readonly path: string;
  readonly cells: string[];
} {
  return { kind, path, cells: parts.map((part) => part.getText()) };
}

/** The parameters of requests about a position in one of the document's texts. */
export function positionParameters(
  remote: RemoteDocument,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): {
  readonly document: ReturnType<typeof documentParameter>;
  readonly position: { readonly cell: number; readonly line: number; readonly character: number };
} {
  const cell = remote.parts.findIndex(({ uri }) => isSame(uri, document.uri));
  return { document: documentParameter(remote), position: { cell: Math.max(0, cell), line, character } };
}

export function editorRange({ startLine, startCharacter, endLine, endCharacter }: LanguageRange): vscode.Range {
  return new vscode.Range(new vscode.Position(startLine, startCharacter), new vscode.Position(endLine, endCharacter));
}

/** Where the editor opens a location; undefined if it isn't in the document anymore. */
export function editorLocation(remote: RemoteDocument, found: LanguageLocation): vscode.Location | undefined {
  const { tenantId, workspaceId } = remote.place;
  const uri =
    found.kind === "document"
      ? remote.parts[found.cell]?.uri
      : found.kind === "workspace"
        ? uriOf(tenantId, workspaceId, found.path)
        : libraryUri(remote.place, found.path);
  return uri && new vscode.Location(uri, editorRange(found.range));
}

import * as vscode from "vscode";
import { isContentPath } from "../../api/catalogue/content-path.ts";
import {
  callSignatures,
  findDefinition,
  findReferences,
  hoverName,
  type LanguageLocation,
  listOutline,
  type OutlineSymbol,
  readLibrarySource,
} from "../../api/companion/operations/language.ts";
import { libraryOf } from "../../tenants/library-uri.ts";
import { descriptionText, type LanguageRequests, searchTimeoutMs, typedTimeoutMs } from "./language-requests.ts";
import {
  documentParameter,
  editorLocation,
  editorRange,
  positionParameters,
  type RemoteDocument,
} from "./remote-document.ts";
import { type UnsavedScripts, unsavedScripts } from "./unsaved-scripts.ts";

const asked = { starts: true, timeoutMs: typedTimeoutMs };
const searched = { starts: true, timeoutMs: searchTimeoutMs };

/** The signature and the documentation of the name at a position. */
export async function hoverAt(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const remote = requests.documentOf(document);
  const parameters = remote && positionParameters(remote, document, position);
  const found = remote && parameters && (await requests.ask(remote, hoverName, parameters, token, asked));
  const text = found && descriptionText(found.signatures, found.documentation);
  return text && new vscode.Hover(text);
}

/** The signatures of the call around a position. */
export async function signaturesAt(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.SignatureHelp | undefined> {
  const remote = requests.documentOf(document);
  const parameters = remote && positionParameters(remote, document, position);
  const found = remote && parameters && (await requests.ask(remote, callSignatures, parameters, token, asked));
  if (found === undefined || found.signatures.length === 0) {
    return undefined;
  }
  const help = new vscode.SignatureHelp();
  help.signatures = found.signatures.map((signature) => {
    const shown = new vscode.SignatureInformation(signature.label, descriptionText([], signature.documentation));
    shown.parameters = signature.parameters.map(({ start, end }) => new vscode.ParameterInformation([start, end]));
    // Without one, the editor highlights the parameter of the whole help.
    shown.activeParameter = signature.active ?? signature.parameters.length;
    return shown;
  });
  help.activeSignature = 0;
  help.activeParameter = help.signatures[0]?.activeParameter ?? 0;
  return help;
}

/** Where the name at a position is defined. */
export function definitionAt(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Location[] | undefined> {
  return locationsAt(requests, document, position, (remote, parameters) =>
    requests.ask(remote, findDefinition, parameters, token, asked),
  );
}

/** Where the name at a position is used in the workspace. */
export function referencesAt(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Location[] | undefined> {
  return locationsAt(requests, document, position, (remote, parameters) =>
    requests.ask(remote, findReferences, parameters, token, searched),
  );
}

async function locationsAt(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  find: (
    remote: RemoteDocument,
    parameters: ReturnType<typeof positionParameters> & { readonly unsaved: UnsavedScripts["texts"] },
  ) => Promise<{ readonly locations: readonly LanguageLocation[] } | undefined>,
): Promise<vscode.Location[] | undefined> {
  const remote = requests.documentOf(document);
  if (remote === undefined) {
    return undefined;
  }
  const unsaved = unsavedScripts(remote).texts;
  const found = await find(remote, { ...positionParameters(remote, document, position), unsaved });
  return found && editorLocations(remote, found.locations);
}

function editorLocations(remote: RemoteDocument, locations: readonly LanguageLocation[]): vscode.Location[] {
  return locations
    .filter(({ kind, path }) => kind !== "workspace" || isContentPath(path))
    .map((found) => editorLocation(remote, found))
    .filter((location) => location !== undefined);
}

/** The classes, functions, and variables of a document. The editor requests it by itself, so it starts no companion. */
export async function outlineOf(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentSymbol[] | undefined> {
  const remote = requests.documentOf(document);
  if (remote === undefined) {
    return undefined;
  }
  // A cell has its own outline, which the editor joins.
  const parameters = { document: documentParameter({ ...remote, parts: [document] }) };
  const found = await requests.ask(remote, listOutline, parameters, token, { ...searched, starts: false });
  return found && symbolTree(found.symbols);
}

/** A symbol whose parent doesn't come before it is at the top. */
export function symbolTree(symbols: readonly OutlineSymbol[]): vscode.DocumentSymbol[] {
  const all: vscode.DocumentSymbol[] = [];
  const top: vscode.DocumentSymbol[] = [];
  for (const symbol of symbols) {
    const selection = editorRange(symbol.selection);
    const whole = editorRange(symbol.range);
    // The editor refuses a symbol whose name is outside of it.
    const range = whole.contains(selection) ? whole : selection;
    const shown = new vscode.DocumentSymbol(symbol.name, "", kindOf(symbol), range, selection);
    const parent = symbol.parent === null ? undefined : all[symbol.parent];
    (parent?.children ?? top).push(shown);
    all.push(shown);
  }
  return top;
}

function kindOf({ type, isMember }: OutlineSymbol): vscode.SymbolKind {
  switch (type) {
    case "class":
      return vscode.SymbolKind.Class;
    case "function":
      return isMember ? vscode.SymbolKind.Method : vscode.SymbolKind.Function;
    case "statement":
      return isMember ? vscode.SymbolKind.Field : vscode.SymbolKind.Variable;
  }
}

/** The source of a library, by its address. */
export async function librarySource(
  requests: LanguageRequests,
  uri: vscode.Uri,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const library = libraryOf(uri);
  return library && (await requests.request(library, readLibrarySource, { path: library.path }, token, asked))?.text;
}

import * as vscode from "vscode";
import { completeNames, describeName } from "../../api/companion/operations/language.ts";
import { descriptionText, type LanguageRequests, typedTimeoutMs } from "./language-requests.ts";
import { liveMembers } from "./live-members.ts";
import { positionParameters, type RemoteDocument } from "./remote-document.ts";

/** What the description of an item needs: where it was completed. */
interface Completed {
  readonly remote: RemoteDocument;
  readonly parameters: ReturnType<typeof positionParameters>;
  readonly name: string;
}

const completed = new WeakMap<vscode.CompletionItem, Completed>();
const asked = { starts: true, timeoutMs: typedTimeoutMs };

/** Names, keys, and paths at a position. */
export async function completionItems(
  requests: LanguageRequests,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
  { triggerCharacter }: Pick<vscode.CompletionContext, "triggerCharacter">,
): Promise<vscode.CompletionList | undefined> {
  const isQuote = triggerCharacter === '"' || triggerCharacter === "'";
  const before = document.lineAt(position.line).text.slice(0, position.character);
  // A quote begins a key only after a bracket. Any other text isn't completed unless the user asks for it.
  if (isQuote && !/\[\s*[rbu]*["']$/i.test(before)) {
    return undefined;
  }
  const remote = requests.documentOf(document);
  if (remote === undefined) {
    return undefined;
  }
  const parameters = positionParameters(remote, document, position);
  const [result, live] = await Promise.all([
    requests.ask(remote, completeNames, parameters, token, asked),
    liveMembers(requests.openKernels, document, before, token),
  ]);
  // Keys of jedi end with a quote.
  const known = new Set(result?.items.map(({ name }) => name.replace(/["']$/, "")));
  const added = live.members.filter(({ name }) => !known.has(name));
  const liveItems = added.map(({ name, type }) => {
    const item = new vscode.CompletionItem(name, kindOf(type, name));
    item.range = new vscode.Range(new vscode.Position(position.line, position.character - live.replaced), position);
    item.sortText = sortText(name, type);
    return item;
  });
  if (result === undefined || (triggerCharacter === "/" && result.kind !== "paths")) {
    return liveItems.length === 0 ? undefined : new vscode.CompletionList(liveItems, true);
  }
  const start = new vscode.Position(position.line, Math.max(0, position.character - result.replaced));
  const items = result.items.map(({ name, type }) => {
    const item = new vscode.CompletionItem(name, kindOf(type, name));
    item.range = new vscode.Range(start, position);
    item.sortText = sortText(name, type);
    if (type === "folder") {
      item.command = { command: "editor.action.triggerSuggest", title: "" };
    } else if (type !== "file") {
      completed.set(item, { remote, parameters, name });
    }
    return item;
  });
  return new vscode.CompletionList([...items, ...liveItems], !result.isComplete);
}

/** Adds the signature and the documentation of an item, which the editor requests for the selected one. */
export async function describedItem(
  requests: LanguageRequests,
  item: vscode.CompletionItem,
  token: vscode.CancellationToken,
): Promise<vscode.CompletionItem> {
  const origin = completed.get(item);
  if (origin === undefined) {
    return item;
  }
  const { remote, parameters, name } = origin;
  const options = { starts: false, timeoutMs: typedTimeoutMs };
  const found = await requests.ask(remote, describeName, { ...parameters, name }, token, options);
  const documentation = found && descriptionText(found.signatures, found.documentation);
  if (documentation !== undefined) {
    item.documentation = documentation;
  }
  return item;
}

/** Parameters of the call come first, and names that are private to a library last. */
function sortText(name: string, type: string): string {
  const group = type === "param" ? 0 : name.startsWith("__") ? 3 : name.startsWith("_") ? 2 : 1;
  return `${group}${name}`;
}

function kindOf(type: string, name: string): vscode.CompletionItemKind {
  const { CompletionItemKind: kinds } = vscode;
  switch (type) {
    case "module":
    case "namespace":
      return kinds.Module;
    case "class":
      return kinds.Class;
    case "function":
      return kinds.Function;
    case "param":
      return kinds.Variable;
    case "property":
      return kinds.Property;
    case "keyword":
      return kinds.Keyword;
    case "file":
      return kinds.File;
    case "folder":
      return kinds.Folder;
    default:
      return /^[A-Z][A-Z0-9_]*$/.test(name) ? kinds.Constant : kinds.Variable;
  }
}

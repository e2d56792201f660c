import * as vscode from "vscode";
import { libraryScheme } from "../../tenants/library-uri.ts";
import { scheme } from "../../tenants/workspace-uri.ts";

/** What the extensions of a kind provide for documents that aren't files of this computer. */
interface OtherProvider {
  readonly ids: readonly string[];
  /** Whether it covers cells of notebooks from any place. */
  readonly cells: boolean;
  /** When it covers scripts of any scheme. */
  readonly scripts: "always" | "virtualWindow" | "never";
}

/** Extensions with language features for Python. The editor doesn't report which documents they cover. */
const languageServers: readonly OtherProvider[] = [
  // Cover all schemes in a window without a folder of this computer, and else files alone.
  { ids: ["ms-python.vscode-pylance", "ms-python.python"], cells: true, scripts: "virtualWindow" },
  { ids: ["ms-pyright.pyright", "detachhead.basedpyright", "anysphere.cursorpyright"], cells: true, scripts: "always" },
  { ids: ["meta.pyrefly", "astral-sh.ty"], cells: true, scripts: "never" },
];

const formatters: readonly OtherProvider[] = [
  { ids: ["charliermarsh.ruff"], cells: true, scripts: "never" },
  { ids: ["ms-python.black-formatter", "ms-python.autopep8"], cells: true, scripts: "virtualWindow" },
];

/** Whether the language features are provided for a document: by the setting, and by what else is installed. */
export function isProvided(document: vscode.TextDocument): boolean {
  return isFree(document, languageServers);
}

/** Whether formatting and linting are provided for a document. */
export function isFormattingProvided(document: vscode.TextDocument): boolean {
  return isFree(document, formatters);
}

function isFree(document: vscode.TextDocument, others: readonly OtherProvider[]): boolean {
  const choice = vscode.workspace.getConfiguration("platformWorkbench").get("languageFeatures", "auto");
  if (choice !== "auto") {
    return choice === "on";
  }
  return !others.some((other) => covers(other, document) && other.ids.some(isInstalled));
}

function covers({ cells, scripts }: OtherProvider, { uri }: vscode.TextDocument): boolean {
  if (uri.scheme === scheme) {
    return scripts === "always" || (scripts === "virtualWindow" && isVirtualWindow());
  }
  return uri.scheme !== libraryScheme && cells;
}

function isVirtualWindow(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length > 0 && folders.every(({ uri }) => uri.scheme !== "file");
}

/** Microsoft's extensions have no language server if this setting says so. */
const microsoft: readonly string[] = ["ms-python.vscode-pylance", "ms-python.python"];

function isInstalled(id: string): boolean {
  return (
    vscode.extensions.getExtension(id) !== undefined &&
    !(microsoft.includes(id) && vscode.workspace.getConfiguration("python").get("languageServer") === "None")
  );
}

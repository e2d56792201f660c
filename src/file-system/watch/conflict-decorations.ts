import * as vscode from "vscode";
import { scheme, siblingUri } from "../../tenants/workspace-uri.ts";
import type { OpenEditors } from "../session/open-documents.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";

/** The context key with the URIs of files that have unsaved changes and another version on the server. */
const contextKey = "platformWorkbench.changedOnServer";

/** The decorated files of a workspace. */
interface DecoratedFiles {
  readonly versions: Pick<EditorVersions, "conflicts" | "observeConflicts">;
  readonly editors: Pick<OpenEditors, "isDirty">;
}

/**
 * Decorates files with unsaved changes and another version on the server in tabs and the Explorer, and sets the context
 * key for menus.
 */
export class ConflictDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly #workspaces: { readonly uri: vscode.Uri; readonly files: DecoratedFiles }[] = [];
  readonly #registration: vscode.Disposable;
  #marked: ReadonlySet<string> = new Set();

  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor() {
    this.#registration = vscode.Disposable.from(
      vscode.window.registerFileDecorationProvider(this),
      vscode.workspace.onDidChangeTextDocument(() => this.#update()),
      vscode.workspace.onDidChangeNotebookDocument(() => this.#update()),
    );
  }

  /** Starts decorating the files of this workspace. */
  follow(uri: vscode.Uri, files: DecoratedFiles): void {
    this.#workspaces.push({ uri, files });
    files.versions.observeConflicts(() => this.#update());
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme || !this.#marked.has(uri.toString())) {
      return undefined;
    }
    const tooltip = vscode.l10n.t("Changed on the server since you opened it. Compare or merge before you save.");
    return new vscode.FileDecoration("!", tooltip, new vscode.ThemeColor("list.warningForeground"));
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #update(): void {
    const marked = new Set<string>();
    for (const { uri, files } of this.#workspaces) {
      for (const path of files.versions.conflicts().filter((conflict) => files.editors.isDirty(conflict))) {
        marked.add(siblingUri(uri, path).toString());
      }
    }
    const others = [...new Set([...marked, ...this.#marked])].filter(
      (one) => marked.has(one) !== this.#marked.has(one),
    );
    if (others.length === 0) {
      return;
    }
    this.#marked = marked;
    this.#changed.fire(others.map((one) => vscode.Uri.parse(one, true)));
    void vscode.commands.executeCommand("setContext", contextKey, [...marked]);
  }
}

import * as vscode from "vscode";
import { addressOf, scheme, uriOf } from "../../tenants/workspace-uri.ts";
import type { PlatformFileSystem } from "../provider/platform-file-system.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";

/** The context key with the addresses of the files that have both unsaved changes and another version on the server. */
const contextKey = "platformWorkbench.changedOnServer";

/** Marks open files with unsaved changes of which the server has another version: in the tab, in the Explorer, for menus. */
export class ChangedFileMarks implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #files: PlatformFileSystem;
  readonly #changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly #versions = new Map<string, EditorVersions>();
  readonly #registration: vscode.Disposable;
  #marked: ReadonlySet<string> = new Set();

  readonly onDidChangeFileDecorations = this.#changed.event;

  constructor(files: PlatformFileSystem) {
    this.#files = files;
    this.#registration = vscode.Disposable.from(
      vscode.window.registerFileDecorationProvider(this),
      vscode.workspace.onDidChangeTextDocument(() => this.#update()),
      vscode.workspace.onDidChangeNotebookDocument(() => this.#update()),
    );
  }

  follow(authority: string, versions: EditorVersions): void {
    this.#versions.set(authority, versions);
    versions.observeConflicts(() => this.#update());
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
    for (const [authority, versions] of this.#versions) {
      const { tenantId, workspaceId } = addressOf(vscode.Uri.from({ scheme, authority }));
      const { editors } = this.#files.workspace(tenantId, workspaceId).session;
      for (const path of versions.conflicts().filter((conflict) => editors.isDirty(conflict))) {
        marked.add(uriOf(tenantId, workspaceId, path).toString());
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

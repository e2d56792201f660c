import * as vscode from "vscode";
import { monotonicClock } from "../../api/clock.ts";
import { addressOf, scheme, uriOf } from "../../tenants/workspace-uri.ts";
import { ConflictDecorations } from "./conflict-decorations.ts";
import { type WatchedFiles, WorkspaceWatcher } from "./workspace-watcher.ts";

/** The file system whose workspaces are watched. */
interface WatchedFileSystem {
  workspace(tenantId: string, workspaceId: string): WatchedFiles;
}

/** Watches the visible workspaces while the window has the focus. Loaded by the first watch. */
export class Watching implements vscode.Disposable {
  readonly #files: WatchedFileSystem;
  readonly #workspaces = new Map<string, WorkspaceWatcher>();
  readonly #decorations = new ConflictDecorations();
  readonly #listeners: vscode.Disposable;

  constructor(files: WatchedFileSystem) {
    this.#files = files;
    const opened = ({ uri }: { readonly uri: vscode.Uri }): void => {
      if (uri.scheme === scheme) {
        this.#workspaces.get(uri.authority)?.update();
      }
    };
    this.#listeners = vscode.Disposable.from(
      this.#decorations,
      vscode.window.onDidChangeWindowState(({ focused }) => {
        for (const workspace of this.#workspaces.values()) {
          workspace.focusChanged(focused);
        }
      }),
      vscode.workspace.onDidOpenTextDocument(opened),
      vscode.workspace.onDidOpenNotebookDocument(opened),
      vscode.workspace.onDidCloseTextDocument(opened),
      vscode.workspace.onDidCloseNotebookDocument(opened),
    );
  }

  watch(uri: vscode.Uri, options: { readonly recursive: boolean; readonly excludes: readonly string[] }): () => void {
    const { path } = addressOf(uri);
    return this.#workspace(uri).watch({ path, recursive: options.recursive, excludes: options.excludes });
  }

  /** Records that a directory was opened. */
  seen(uri: vscode.Uri): void {
    this.#workspaces.get(uri.authority)?.seen(addressOf(uri).path);
  }

  dispose(): void {
    this.#listeners.dispose();
    for (const workspace of this.#workspaces.values()) {
      workspace.dispose();
    }
  }

  #workspace(uri: vscode.Uri): WorkspaceWatcher {
    const { authority } = uri;
    const known = this.#workspaces.get(authority);
    if (known !== undefined) {
      return known;
    }
    const { tenantId, workspaceId } = addressOf(uri);
    const files = this.#files.workspace(tenantId, workspaceId);
    this.#decorations.follow(uriOf(tenantId, workspaceId), files);
    const openPaths = (): readonly string[] =>
      [...vscode.workspace.notebookDocuments, ...vscode.workspace.textDocuments]
        .filter((document) => document.uri.scheme === scheme && document.uri.authority === authority)
        .map((document) => addressOf(document.uri).path);
    const workspace = new WorkspaceWatcher(files, openPaths, monotonicClock, vscode.window.state.focused);
    this.#workspaces.set(authority, workspace);
    return workspace;
  }
}

import * as vscode from "vscode";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { PlatformFileSystem } from "../provider/platform-file-system.ts";
import type { Clock } from "./ground.ts";
import { ChangedFileMarks } from "./marks.ts";
import { WatchedWorkspace } from "./workspace.ts";

const clock: Clock = {
  now: () => Date.now(),
  schedule: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Watches the workspaces that the editor shows, while its window has the focus. Loads with the first watch. */
export class Watching implements vscode.Disposable {
  readonly #files: PlatformFileSystem;
  readonly #workspaces = new Map<string, WatchedWorkspace>();
  readonly #marks: ChangedFileMarks;
  readonly #listeners: vscode.Disposable;

  constructor(files: PlatformFileSystem) {
    this.#files = files;
    this.#marks = new ChangedFileMarks(files);
    const opened = ({ uri }: { readonly uri: vscode.Uri }): void => {
      if (uri.scheme === scheme) {
        this.#workspaces.get(uri.authority)?.update();
      }
    };
    this.#listeners = vscode.Disposable.from(
      this.#marks,
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

  /** Somebody looked into a directory. */
  seen(uri: vscode.Uri): void {
    this.#workspaces.get(uri.authority)?.seen(addressOf(uri).path);
  }

  dispose(): void {
    this.#listeners.dispose();
    for (const workspace of this.#workspaces.values()) {
      workspace.dispose();
    }
  }

  #workspace(uri: vscode.Uri): WatchedWorkspace {
    const { authority } = uri;
    const known = this.#workspaces.get(authority);
    if (known !== undefined) {
      return known;
    }
    const { tenantId, workspaceId } = addressOf(uri);
    const { session, versions } = this.#files.workspace(tenantId, workspaceId);
    this.#marks.follow(authority, versions);
    const openPaths = (): readonly string[] =>
      [...vscode.workspace.notebookDocuments, ...vscode.workspace.textDocuments]
        .filter((document) => document.uri.scheme === scheme && document.uri.authority === authority)
        .map((document) => addressOf(document.uri).path);
    const workspace = new WatchedWorkspace(session, openPaths, clock, vscode.window.state.focused);
    this.#workspaces.set(authority, workspace);
    return workspace;
  }
}

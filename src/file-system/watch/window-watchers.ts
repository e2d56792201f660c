import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { monotonicClock } from "../../api/clock.ts";
import type { Companions } from "../../tenants/companions.ts";
import { keepsRunning, WindowActivity } from "../../tenants/window-activity.ts";
import { addressOf, scheme, siblingUri, uriOf } from "../../tenants/workspace-uri.ts";
import type { ConflictFiles } from "../merge/conflicts.ts";
import { ConflictDecorations } from "./conflict-decorations.ts";
import { reportLiveRoom, reportUndone } from "./live-room-messages.ts";
import { type WatchedFiles, WorkspaceWatcher } from "./workspace-watcher.ts";

/** The file system whose workspaces are watched. */
interface WatchedFileSystem extends ConflictFiles {
  workspace(tenantId: string, workspaceId: string): WatchedFiles & ReturnType<ConflictFiles["workspace"]>;
}

/** Milliseconds between two requests that keep a workspace running if the user wants that. */
const keepRunningIntervalMs = 4 * 60_000;

/** Watches the visible workspaces while the window has the focus and is used. Loaded by the first watch. */
export class WindowWatchers implements vscode.Disposable {
  readonly #files: WatchedFileSystem;
  readonly #companions: Companions | undefined;
  readonly #workspaces = new Map<string, WorkspaceWatcher>();
  readonly #reportLive = new Map<string, (path: string) => void>();
  readonly #decorations = new ConflictDecorations();
  readonly #activity = new WindowActivity();
  readonly #listeners: vscode.Disposable;

  constructor(files: WatchedFileSystem, companions: Companions | undefined) {
    this.#files = files;
    this.#companions = companions;
    const opened = ({ uri }: { readonly uri: vscode.Uri }): void => {
      if (uri.scheme === scheme) {
        this.#workspaces.get(uri.authority)?.update();
        this.#reportLive.get(uri.authority)?.(addressOf(uri).path);
      }
    };
    const keepRunning = setInterval(() => this.#keepRunning(), keepRunningIntervalMs).unref();
    this.#listeners = vscode.Disposable.from(
      this.#decorations,
      this.#activity,
      new vscode.Disposable(() => clearInterval(keepRunning)),
      this.#activity.onChange(() => this.#update()),
      companions?.onDidChange(({ tenantId, workspaceId }) =>
        this.#workspaces.get(uriOf(tenantId, workspaceId).authority)?.companionChanged(),
      ) ?? new vscode.Disposable(() => {}),
      vscode.window.onDidChangeWindowState(() => this.#update()),
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

  #isWatched(): boolean {
    return this.#activity.isPresent && vscode.window.state.focused;
  }

  #update(): void {
    for (const workspace of this.#workspaces.values()) {
      if (this.#activity.isPresent) {
        workspace.focusChanged(vscode.window.state.focused);
      } else {
        workspace.rest();
      }
    }
  }

  #keepRunning(): void {
    for (const workspace of keepsRunning() ? this.#workspaces.values() : []) {
      // Other requests report what is wrong.
      workspace.keepRunning().catch(() => {});
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
    const workspace = new WorkspaceWatcher(files, openPaths, monotonicClock, this.#isWatched(), () =>
      this.#companions?.running({ tenantId, workspaceId }),
    );
    this.#workspaces.set(authority, workspace);
    const reported = new Set<string>();
    const reportLive = (path: string): void => {
      if (workspace.rooms.isOpen(path) && openPaths().includes(path) && !reported.has(path)) {
        reported.add(path);
        void reportLiveRoom(nameOf(path));
      }
    };
    workspace.rooms.observe(reportLive);
    this.#reportLive.set(authority, reportLive);
    workspace.observeUndone((path) => void reportUndone(this.#files, siblingUri(uri, path)));
    return workspace;
  }
}

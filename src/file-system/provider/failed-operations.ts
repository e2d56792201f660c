import * as vscode from "vscode";
import { addressOf, uriOf } from "../../tenants/workspace-uri.ts";
import { accessProblem } from "./access-problem.ts";
import { documentAt, saveEditor } from "./editor-documents.ts";
import { ConflictFault, FileFault } from "./file-fault.ts";
import type { FailedOperation, PlatformFileSystem } from "./platform-file-system.ts";

/** Shows an error with its way out and resolves when it was answered or put away. */
export type Offer = (
  error: unknown,
  context: { readonly tenantId: string; readonly workspaceId: string },
) => Promise<void>;

/** How long a message that was put away stays away, in milliseconds, unless a save fails. */
const quietFor = 30_000;

/**
 * What failed for want of a token, a sign-in or a running workspace: one message per workspace and cause however many
 * operations it stopped, and afterwards each of them again. The editors keep their changes in the meantime.
 */
export class FailedOperations implements vscode.Disposable {
  readonly #files: PlatformFileSystem;
  readonly #offer: Offer;
  readonly #waiting = new Map<string, { readonly saves: Set<string>; readonly reads: Set<string> }>();
  readonly #asking = new Set<string>();
  readonly #answered = new Map<string, number>();
  readonly #listener: vscode.Disposable;

  constructor(files: PlatformFileSystem, offer: Offer) {
    this.#files = files;
    this.#offer = offer;
    this.#listener = files.onDidFail((failed) => this.#take(failed));
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** Repeats what failed in a workspace, now that it runs, or the token or the sign-in is new. */
  async recover(tenantId: string, workspaceId: string): Promise<void> {
    const { authority } = uriOf(tenantId, workspaceId);
    const waiting = this.#waiting.get(authority);
    this.#waiting.delete(authority);
    for (const key of this.#answered.keys()) {
      if (key.startsWith(authority)) {
        this.#answered.delete(key);
      }
    }
    const isShown = vscode.workspace.workspaceFolders?.some((folder) => folder.uri.authority === authority) ?? false;
    if (waiting === undefined && !isShown) {
      return;
    }
    this.#files.refresh(tenantId, workspaceId);
    for (const path of waiting?.saves ?? []) {
      await saveEditor(authority, path);
    }
    for (const path of waiting?.reads ?? []) {
      await reopen(uriOf(tenantId, workspaceId, path));
    }
    if (isShown) {
      await vscode.commands.executeCommand("workbench.files.action.refreshFilesExplorer");
    }
  }

  /** Repeats what failed in any workspace of a tenant. */
  async recoverTenant(tenantId: string): Promise<void> {
    for (const authority of [...this.#waiting.keys()].filter((key) => key.endsWith(`.${tenantId}`))) {
      await this.recover(tenantId, authority.slice(0, -tenantId.length - 1));
    }
  }

  #take({ uri, action, error }: FailedOperation): void {
    if (error instanceof ConflictFault) {
      void this.#once(`${uri.toString()} conflict`, true, async () =>
        (await import("../merge/conflicts.ts")).resolveConflict(this.#files, uri, error),
      );
      return;
    }
    const problem = accessProblem(error);
    // What the editor tells by itself needs no second message; an unreadable file it only calls unexpected.
    if (problem === undefined && (action === "save" || action === "change" || error instanceof FileFault)) {
      return;
    }
    const { tenantId, workspaceId, path } = addressOf(uri);
    if (problem !== undefined) {
      this.#remember(uri.authority, action, path);
    }
    const key = `${uri.authority} ${problem ?? "unavailable"}`;
    void this.#once(key, action === "save", () => this.#offer(error, { tenantId, workspaceId }));
  }

  #remember(authority: string, action: FailedOperation["action"], path: string): void {
    const waiting = this.#waiting.get(authority) ?? { saves: new Set<string>(), reads: new Set<string>() };
    this.#waiting.set(authority, waiting);
    if (action === "save") {
      waiting.saves.add(path);
    } else if (action === "read") {
      waiting.reads.add(path);
    }
  }

  async #once(key: string, isUrgent: boolean, ask: () => Promise<void>): Promise<void> {
    const isQuiet = Date.now() - (this.#answered.get(key) ?? 0) < quietFor;
    if (this.#asking.has(key) || (isQuiet && !isUrgent)) {
      return;
    }
    this.#asking.add(key);
    try {
      await ask();
    } finally {
      this.#asking.delete(key);
      this.#answered.set(key, Date.now());
    }
  }
}

/** Opens a file again whose tab shows an error instead of it; probes for settings files have no tab. */
async function reopen(uri: vscode.Uri): Promise<void> {
  const wanted = uri.toString();
  for (const group of vscode.window.tabGroups.all) {
    for (const { input, isActive } of group.tabs) {
      const isHere =
        (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) &&
        input.uri.toString() === wanted;
      if (isHere && documentAt(uri.authority, uri.path.slice(1)) === undefined) {
        const options = { viewColumn: group.viewColumn, preserveFocus: !isActive, preview: false };
        await vscode.commands.executeCommand("vscode.open", uri, options);
      }
    }
  }
}

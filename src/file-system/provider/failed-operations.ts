import * as vscode from "vscode";
import { addressOf, authorityOf, splitAuthority, uriOf } from "../../tenants/workspace-uri.ts";
import { ConflictError, FileError, missingAccess } from "../errors.ts";
import type { ConflictFiles } from "../merge/conflicts.ts";
import { documentAt, saveEditor, unsavedDocuments } from "../session/open-documents.ts";
import { blockedSave, type FailedOperation } from "./failed-operation.ts";

/** The file system whose operations are repeated. */
interface RecoverableFiles extends ConflictFiles {
  refresh(tenantId: string, workspaceId: string): void;
  refreshTenant(tenantId: string): void;
}

/** Shows an error with its remedies, and resolves when it was answered or dismissed. */
export type Offer = (
  error: unknown,
  context: { readonly tenantId: string; readonly workspaceId: string },
) => Promise<void>;

/** How long a dismissed message is not shown again, in milliseconds, unless a save fails. */
const quietFor = 30_000;

/**
 * What failed for want of a token, a sign-in or a running workspace: one message per workspace and cause however many
 * operations it stopped, and afterwards each of them again. The editors keep their changes in the meantime.
 */
export class FailedOperations {
  readonly #files: RecoverableFiles;
  readonly #offer: Offer;
  readonly #now: () => number;
  readonly #waiting = new Map<string, { readonly saves: Set<string>; readonly reads: Set<string> }>();
  readonly #asking = new Set<string>();
  /** Tenants that the person signed out of in this window: their folders fail without a message. */
  readonly #signedOut = new Set<string>();
  /** Workspaces whose failed saves are being repeated. */
  readonly #repeating = new Set<string>();
  /** When a message was answered or dismissed, by its key. */
  readonly #answered = new Map<string, { readonly authority: string; readonly at: number }>();

  constructor(files: RecoverableFiles, offer: Offer, now: () => number = Date.now) {
    this.#files = files;
    this.#offer = offer;
    this.#now = now;
  }

  /** The workspace runs: repeats what failed in it, and looks at its folder anew where the window shows it. */
  async started(tenantId: string, workspaceId: string): Promise<void> {
    const authority = authorityOf(tenantId, workspaceId);
    const isShown = vscode.workspace.workspaceFolders?.some((folder) => folder.uri.authority === authority) ?? false;
    if (isShown && !this.#waiting.has(authority)) {
      this.#files.refresh(tenantId, workspaceId);
    }
    await this.recover(tenantId, workspaceId);
  }

  /** Repeats what failed in a workspace, now that the token or the sign-in is new. */
  async recover(tenantId: string, workspaceId: string): Promise<void> {
    const authority = authorityOf(tenantId, workspaceId);
    const waiting = this.#waiting.get(authority);
    this.#waiting.delete(authority);
    for (const [key, answer] of this.#answered) {
      if (answer.authority === authority) {
        this.#answered.delete(key);
      }
    }
    this.#signedOut.delete(tenantId);
    if (waiting === undefined) {
      return;
    }
    if (waiting.saves.size > 0) {
      this.#repeating.add(authority);
    }
    try {
      this.#files.refresh(tenantId, workspaceId);
      for (const path of waiting.saves) {
        await saveEditor(authority, path);
      }
    } finally {
      this.#repeating.delete(authority);
    }
    for (const path of waiting.reads) {
      await reopen(uriOf(tenantId, workspaceId, path));
    }
  }

  /** Repeats what failed in any workspace of a tenant. */
  async recoverTenant(tenantId: string): Promise<void> {
    this.#signedOut.delete(tenantId);
    for (const authority of [...this.#waiting.keys()].map(splitAuthority)) {
      if (authority?.tenantId === tenantId) {
        await this.recover(tenantId, authority.workspaceId);
      }
    }
  }

  /** Forgets what was seen of a tenant's workspaces, so that nothing of it stays in the Explorer. */
  signedOut(tenantId: string): void {
    this.#signedOut.add(tenantId);
    this.#files.refreshTenant(tenantId);
  }

  /** Takes an operation that failed: remembers what can be repeated, and asks the person once. */
  add({ uri, action, error }: FailedOperation): void {
    if (error instanceof ConflictError) {
      void this.#once(uri.authority, `${uri.toString()} conflict`, true, async () =>
        (await import("../merge/conflicts.ts")).resolveConflict(this.#files, uri, error),
      );
      return;
    }
    const problem = missingAccess(error);
    // What the editor tells by itself needs no second message; an unreadable file it only calls unexpected.
    if (problem === undefined && (action === "save" || action === "change" || error instanceof FileError)) {
      return;
    }
    const { tenantId, workspaceId, path } = addressOf(uri);
    if (problem !== undefined) {
      this.#remember(uri.authority, action, path);
    }
    if (action === "look" && this.#signedOut.has(tenantId)) {
      return;
    }
    const isShownByEditor =
      blockedSave({ uri, action, error }) !== undefined ||
      (action === "look" && this.#isSaveBlocked(uri.authority, problem));
    if (isShownByEditor) {
      return;
    }
    void this.#once(uri.authority, `${uri.authority} ${problem ?? "unavailable"}`, action === "save", () =>
      this.#offer(error, { tenantId, workspaceId }),
    );
  }

  /** True while the editor's own message of a failed save shows the same cause, with the way out. */
  #isSaveBlocked(authority: string, problem: ReturnType<typeof missingAccess>): boolean {
    const { tenantId = "", workspaceId = "" } = splitAuthority(authority) ?? {};
    const saves = [...(this.#waiting.get(authority)?.saves ?? [])];
    return problem === "start"
      ? unsavedDocuments(tenantId, workspaceId).length > 0
      : (problem === "token" || problem === "signedOut") &&
          (this.#repeating.has(authority) || saves.some((path) => documentAt(authority, path)?.isDirty === true));
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

  async #once(authority: string, key: string, isUrgent: boolean, ask: () => Promise<void>): Promise<void> {
    const isQuiet = this.#now() - (this.#answered.get(key)?.at ?? 0) < quietFor;
    if (this.#asking.has(key) || (isQuiet && !isUrgent)) {
      return;
    }
    this.#asking.add(key);
    this.#answered.set(key, { authority, at: this.#now() });
    try {
      await ask();
    } finally {
      this.#asking.delete(key);
      // Where the answer led to a recovery, the next failure is a new one.
      if (this.#answered.has(key)) {
        this.#answered.set(key, { authority, at: this.#now() });
      }
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

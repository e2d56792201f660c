import * as vscode from "vscode";
import { backgroundClock, type Clock } from "../../api/clock.ts";
import { accessObstacle, lastingObstacle } from "../../tenants/access-obstacle.ts";
import type { AccessRemedy } from "../../tenants/access-remedy.ts";
import { addressOf, authorityOf, splitAuthority, uriOf } from "../../tenants/workspace-uri.ts";
import { FileError } from "../errors.ts";
import { documentAt, isUnsavedAt, saveEditor, unsavedDocuments } from "../session/editor-documents.ts";
import { blockedSave, type FailedOperation, isEditorSave, operationRemedy, saveRemedy } from "./failed-operation.ts";

/** The file system whose operations are retried. */
interface RecoverableFiles {
  isReachable(tenantId: string, workspaceId: string): Promise<boolean>;
  refresh(tenantId: string, workspaceId: string): void;
  deleteTenant(tenantId: string): void;
}

/** Shows an error with its remedies. Resolves when the user chooses an action or dismisses the message. */
export type Offer = (
  error: unknown,
  context: { readonly tenantId: string; readonly workspaceId: string },
) => Promise<void>;

/** Milliseconds for which a dismissed message is not shown again, unless a save fails. */
const quietMs = 30_000;

/** Milliseconds until the first check whether an unreachable server responds again, and between two later ones. */
const firstCheckMs = 2_000;
const maxCheckMs = 15_000;
/** Maximum milliseconds between two retries that fail although the server responds. */
const maxRetryMs = 300_000;

/**
 * Operations that failed because of a missing token, sign-in, or running workspace, or because the server couldn't be
 * reached. Shows one message per workspace and cause, and retries all operations after the cause is resolved. Meanwhile,
 * the editors keep their changes.
 */
export class FailedOperations implements vscode.Disposable {
  readonly #files: RecoverableFiles;
  readonly #offer: Offer;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, { readonly saves: Set<string>; readonly reads: Set<string> }>();
  readonly #asking = new Set<string>();
  /** Tenants that the user signed out of in this window. Their folders fail without a message. */
  readonly #signedOut = new Set<string>();
  /** Workspaces whose failed saves are being retried. */
  readonly #repeating = new Set<string>();
  /** Scheduled checks of unreachable workspaces: how to cancel them. */
  readonly #checks = new Map<string, () => void>();
  /** Milliseconds until the next check of workspaces that were unreachable. */
  readonly #delays = new Map<string, number>();
  /** When a message was last closed, by its key. */
  readonly #responded = new Map<string, { readonly authority: string; readonly at: number }>();

  constructor(files: RecoverableFiles, offer: Offer, clock: Clock = backgroundClock) {
    this.#files = files;
    this.#offer = offer;
    this.#clock = clock;
  }

  /** Retries failed operations after a workspace was started. If the window shows its folder, refreshes it. */
  async started(tenantId: string, workspaceId: string): Promise<void> {
    const authority = authorityOf(tenantId, workspaceId);
    const isShown = vscode.workspace.workspaceFolders?.some((folder) => folder.uri.authority === authority) ?? false;
    if (isShown && !this.#waiting.has(authority)) {
      this.#files.refresh(tenantId, workspaceId);
    }
    await this.recover(tenantId, workspaceId);
  }

  /** Retries failed operations of a workspace after the token or the sign-in changed. */
  async recover(tenantId: string, workspaceId: string): Promise<void> {
    const authority = authorityOf(tenantId, workspaceId);
    const waiting = this.#waiting.get(authority);
    this.#waiting.delete(authority);
    for (const [key, response] of this.#responded) {
      if (response.authority === authority) {
        this.#responded.delete(key);
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

  /** Retries failed operations in all workspaces of a tenant. */
  async recoverTenant(tenantId: string): Promise<void> {
    this.#signedOut.delete(tenantId);
    for (const authority of [...this.#waiting.keys()].map(splitAuthority)) {
      if (authority?.tenantId === tenantId) {
        await this.recover(tenantId, authority.workspaceId);
      }
    }
  }

  /** Clears the cached content of a tenant, so that the Explorer no longer shows it. */
  signedOut(tenantId: string): void {
    this.#signedOut.add(tenantId);
    this.#files.deleteTenant(tenantId);
  }

  /** Records a failed operation, and asks the user once. */
  add(operation: FailedOperation): void {
    const { uri, action, error } = operation;
    const { tenantId, workspaceId, path } = addressOf(uri);
    if (accessObstacle(error)?.type === "unreachable") {
      this.#remember(uri.authority, action, path);
      this.#checkLater(tenantId, workspaceId);
    }
    const obstacle = lastingObstacle(error);
    // The editor shows these errors itself. For an unreadable file, it reports only an unexpected error.
    const isSave = action === "save" || isEditorSave(operation);
    if (obstacle === undefined && (isSave || action === "change" || error instanceof FileError)) {
      return;
    }
    if (obstacle !== undefined) {
      this.#remember(uri.authority, action, path);
    }
    if (action === "look" && this.#signedOut.has(tenantId)) {
      return;
    }
    // A `stat` of an open file precedes a save or a reload, whose failure the editor shows.
    const isOfOpenFile = saveRemedy(operation) !== undefined && documentAt(uri.authority, path) !== undefined;
    const isShownByEditor =
      blockedSave(operation) !== undefined ||
      (action === "look" && (isOfOpenFile || this.#isSaveBlocked(uri.authority, saveRemedy(operation)?.type)));
    if (isShownByEditor) {
      return;
    }
    void this.#once(
      uri.authority,
      `${uri.authority} ${operationRemedy(operation)?.type ?? "unavailable"}`,
      action === "save",
      () => this.#offer(error, { tenantId, workspaceId }),
    );
  }

  /** True while the editor's message about a failed save shows the same cause, with a link to resolve it. */
  #isSaveBlocked(authority: string, remedy: AccessRemedy["type"] | undefined): boolean {
    const { tenantId = "", workspaceId = "" } = splitAuthority(authority) ?? {};
    const saves = [...(this.#waiting.get(authority)?.saves ?? [])];
    return remedy === "start"
      ? unsavedDocuments(tenantId, workspaceId).length > 0
      : remedy !== undefined && (this.#repeating.has(authority) || saves.some((path) => isUnsavedAt(authority, path)));
  }

  dispose(): void {
    for (const cancel of this.#checks.values()) {
      cancel();
    }
    this.#checks.clear();
  }

  /** Schedules a check whether the workspace's server responds again. */
  #checkLater(tenantId: string, workspaceId: string): void {
    const authority = authorityOf(tenantId, workspaceId);
    if (!this.#checks.has(authority)) {
      const delayMs = this.#delays.get(authority) ?? firstCheckMs;
      const cancel = this.#clock.schedule(delayMs, () => void this.#check(tenantId, workspaceId, delayMs));
      this.#checks.set(authority, cancel);
    }
  }

  /** Retries failed operations if the server responds; otherwise checks again. Each time, the next check is later. */
  async #check(tenantId: string, workspaceId: string, delayMs: number): Promise<void> {
    const authority = authorityOf(tenantId, workspaceId);
    const hasSaves = (this.#waiting.get(authority)?.saves.size ?? 0) > 0;
    if (!hasSaves && !vscode.window.state.focused) {
      // Nobody waits for what was only read. Unsaved changes are saved also while the user works elsewhere.
      this.#checks.delete(authority);
      this.#checkLater(tenantId, workspaceId);
      return;
    }
    const isReachable = await this.#files.isReachable(tenantId, workspaceId);
    // After a disposal, nothing is retried.
    if (!this.#checks.delete(authority)) {
      return;
    }
    this.#delays.set(authority, Math.min(delayMs * 2, isReachable ? maxRetryMs : maxCheckMs));
    if (!isReachable) {
      this.#checkLater(tenantId, workspaceId);
      return;
    }
    try {
      await this.recover(tenantId, workspaceId);
    } finally {
      if (!this.#waiting.has(authority)) {
        this.#delays.delete(authority);
      }
    }
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
    const isQuiet = this.#clock.now() - (this.#responded.get(key)?.at ?? 0) < quietMs;
    if (this.#asking.has(key) || (isQuiet && !isUrgent)) {
      return;
    }
    this.#asking.add(key);
    this.#responded.set(key, { authority, at: this.#clock.now() });
    try {
      await ask();
    } finally {
      this.#asking.delete(key);
      // After a recovery, the next failure is a new one.
      if (this.#responded.has(key)) {
        this.#responded.set(key, { authority, at: this.#clock.now() });
      }
    }
  }
}

/** Reopens a file whose tab shows an error. The editor's probes for settings files have no tab. */
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

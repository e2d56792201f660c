import * as vscode from "vscode";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import { getContent } from "../../api/catalogue/operations/content-reading.ts";
import type { Clock } from "../../api/clock.ts";
import { lazy } from "../../api/lazy.ts";
import { accessObstacle, isSignedOut } from "../../tenants/access-obstacle.ts";
import type { Companions } from "../../tenants/companions.ts";
import type { Connections } from "../../tenants/connections.ts";
import { withoutName } from "../../tenants/error-text.ts";
import { addressOf, authorityOf, siblingUri, splitAuthority, uriOf } from "../../tenants/workspace-uri.ts";
import { isAboutPath } from "../errors.ts";
import { saveQuestions } from "../merge/save-questions.ts";
import { type EntryKind, kindOf } from "../read/directory-reader.ts";
import type { FileStatus } from "../read/status-reader.ts";
import type { FolderTree } from "../read/tree-reader.ts";
import { hasTab } from "../session/editor-documents.ts";
import { OpenDocuments } from "../session/open-documents.ts";
import { workspaceAccess } from "../session/server-requests.ts";
import { WindowSession } from "../session/window-session.ts";
import type { FileChange } from "../session/workspace-events.ts";
import type { LongTransfers, TransferControl } from "../transfer/long-transfers.ts";
import { withLocalFile } from "../transfer/uploading.ts";
import type { ContentVersion } from "../versions/content-version.ts";
import type { CopyKind } from "../versions/editor-versions.ts";
import { EditorVersions } from "../versions/editor-versions.ts";
import type { WindowWatchers } from "../watch/window-watchers.ts";
import type { ChunkedSaves } from "../write/file-writer.ts";
import { type JournaledSave, SaveJournal } from "../write/save-journal.ts";
import type { FailedOperation } from "./failed-operation.ts";
import { assumedFolder, operationError } from "./operation-errors.ts";
import { DeletedFolders } from "./undone-deletions.ts";
import { WorkspaceFiles } from "./workspace-files.ts";

interface FileSystemOptions {
  /** A folder of this workspace's editor storage, for data that must survive a reload of the window. */
  readonly storage?: vscode.Uri | undefined;
  /** Called before a write replaces a version that the editor's copy is not based on. */
  readonly beforeReplacing?: (uri: vscode.Uri, server: ContentVersion) => Promise<void>;
  /** They report changes of files while they run. */
  readonly companions?: Companions | undefined;
  readonly chunkedSaves?: ChunkedSaves | undefined;
  /** Tests control the clock. */
  readonly clock?: Clock | undefined;
}

/**
 * The file system of the scheme `platform-contents`, over the content servers of workspaces. Registered first, so that
 * a reopened window finds its folder. Each operation waits for the parts that it needs.
 */
export class PlatformFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #connections: Connections;
  readonly #state: vscode.Memento;
  readonly #workspaces = new Map<string, WorkspaceFiles>();
  readonly #versions = new Map<string, EditorVersions>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #failed = new vscode.EventEmitter<FailedOperation>();
  readonly #session = new WindowSession();
  readonly #documents: OpenDocuments;
  readonly #options: FileSystemOptions;
  readonly #now: (() => number) | undefined;
  readonly #watching = lazy(async (): Promise<WindowWatchers> => {
    const { WindowWatchers } = await import("../watch/window-watchers.ts");
    return new WindowWatchers(this, this.#options.companions);
  });
  readonly #attachmentQuestions = lazy(async () => {
    const { AttachmentQuestions } = await import("./attachment-questions.ts");
    return new AttachmentQuestions();
  });
  readonly #deletedFolders = new DeletedFolders(this);
  /** True after the first watch, which loads the watcher. */
  #isWatching = false;

  readonly onDidChangeFile = this.#changed.event;
  /** Fires when an operation failed, except for missing files and folders. */
  readonly onDidFail = this.#failed.event;

  constructor(connections: Connections, state: vscode.Memento, options: FileSystemOptions = {}) {
    this.#connections = connections;
    this.#state = state;
    this.#options = options;
    const { clock } = options;
    this.#now = clock === undefined ? undefined : () => clock.now();
    this.#documents = new OpenDocuments((authority) => this.#versionsOf(authority), this.#session, options);
  }

  /** The bytes of the version that an editor's copy is based on; undefined if they are unknown. */
  async baseOf(uri: vscode.Uri, kind: CopyKind): Promise<Uint8Array | undefined> {
    const { path } = addressOf(uri);
    const versions = this.#versionsOf(uri.authority);
    const base = versions.base(path, kind);
    const known = versions.baseContent(path, kind);
    if (base === undefined || known !== undefined) {
      return known;
    }
    const stored = await this.#documents.storedBase(uri.authority, path, base);
    if (stored !== undefined) {
      versions.loaded(path, kind, base, stored);
    }
    return stored;
  }

  /** Resolves when what must survive a reload of the window is stored. */
  stored(): Promise<void> {
    return this.#documents.stored();
  }

  /** The files of one workspace. */
  workspace(tenantId: string, workspaceId: string): WorkspaceFiles {
    const authority = authorityOf(tenantId, workspaceId);
    const known = this.#workspaces.get(authority);
    if (known !== undefined) {
      return known;
    }
    const root = uriOf(tenantId, workspaceId);
    const access = workspaceAccess(this.#connections, tenantId, workspaceId, this.#now);
    const { beforeReplacing, chunkedSaves } = this.#options;
    const files: WorkspaceFiles = new WorkspaceFiles({
      access,
      versions: this.#versionsOf(authority),
      editors: this.#documents.editorsOf(authority),
      onChanged: (changes) => this.#changed.fire(eventsOf(root, changes)),
      hasNotebookEditor: (path) => hasTab(authority, path, "notebook"),
      onProblem: async (path, found) => {
        const { showNotebookProblem } = await import("../read/notebook-messages.ts");
        await showNotebookProblem(siblingUri(root, path), found);
      },
      beforeReplacing: async (path, server) => beforeReplacing?.(siblingUri(root, path), server),
      transfers: lazy(async (): Promise<LongTransfers> => {
        const { transfersOf } = await import("../transfer/transfer-progress.ts");
        return transfersOf(root, async (path, bytes) =>
          (await import("../transfer/downloading.ts")).chooseDownload(files, path, bytes),
        );
      }),
      journal: this.#journalOf(authority),
      companion: () => this.#options.companions?.running({ tenantId, workspaceId }),
      chunkedSaves,
      now: this.#now,
    });
    files.events.observe({ refreshed: () => access.reset() });
    this.#workspaces.set(authority, files);
    return files;
  }

  /**
   * Refreshes a workspace. An event for an unknown file makes the Explorer read its folders again, including those that
   * failed. The editor's own refresh command would show and focus the Explorer.
   */
  refresh(tenantId: string, workspaceId: string): void {
    this.workspace(tenantId, workspaceId).refresh();
    this.#changed.fire([
      { type: vscode.FileChangeType.Changed, uri: uriOf(tenantId, workspaceId) },
      { type: vscode.FileChangeType.Created, uri: uriOf(tenantId, workspaceId, ".refreshed") },
    ]);
  }

  /** True unless there is no response from the workspace's server. The failure isn't reported. */
  async isReachable(tenantId: string, workspaceId: string): Promise<boolean> {
    try {
      const { server } = this.workspace(tenantId, workspaceId);
      await server.request((client) => client.call(getContent, { path: "", content: 0 }));
      return true;
    } catch (error) {
      return accessObstacle(error)?.type !== "unreachable";
    }
  }

  /** Clears the cached content of all workspaces of a tenant, and refreshes them. */
  deleteTenant(tenantId: string): void {
    for (const [authority, files] of this.#workspaces) {
      const known = splitAuthority(authority);
      if (known?.tenantId === tenantId) {
        files.cache.clear();
        this.refresh(tenantId, known.workspaceId);
      }
    }
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.#run(
      uri,
      "look",
      async (files, path) => editorStatus(await files.statuses.status(path)),
      ({ statuses }, path) => {
        const status = statuses.lastSeen(path);
        return status === undefined ? undefined : editorStatus(status);
      },
      unknownFolder,
    );
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.#run(
      uri,
      "look",
      (files, path) => this.#entries(files, uri, path),
      (files, path) => files.directories.lastSeen(path)?.children.map((child) => [child.name, fileType(kindOf(child))]),
    );
  }

  /**
   * Like `readDirectory`, but rejects if the current content can't be read. Used, for example, to download a folder.
   */
  async listDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.#run(uri, "look", (files, path) => this.#entries(files, uri, path));
  }

  /** Reads a file, or a folder with everything in it. Rejects if the current content can't be read. */
  async listTree(uri: vscode.Uri, options: { readonly signal?: AbortSignal } = {}): Promise<FolderTree> {
    const { readTree } = await import("../read/tree-reader.ts");
    return this.#run(uri, "look", (files, path) => readTree(files, path, options));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#run(uri, "read", (files, path) => files.contents.read(path));
  }

  async writeFile(
    uri: vscode.Uri,
    content: Uint8Array,
    options: { readonly create: boolean; readonly overwrite: boolean },
  ): Promise<void> {
    try {
      await this.#run(uri, "save", async (files, path) => {
        await saveQuestions.get(uri.toString())?.();
        await this.#askAboutAttachments(uri, content);
        await files.write(path, content, options);
      });
    } catch (error) {
      // The Explorer creates an empty file. On failure, it shows the complete error, including the error name that is
      // meant for programs.
      throw error instanceof vscode.FileSystemError && content.byteLength === 0 ? withoutName(error) : error;
    }
  }

  /** Asks before the notebook editor's copy is saved without attachments. In a text, the user has removed them. */
  async #askAboutAttachments(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { path } = addressOf(uri);
    const saving = isNotebookPath(path) ? this.#documents.editorsOf(uri.authority).saving(path, content) : [];
    const base = saving.some(({ kind }) => kind === "notebook") ? await this.baseOf(uri, "notebook") : undefined;
    if (base !== undefined) {
      await (await this.#attachmentQuestions()).ask(uri, base, content);
    }
  }

  /**
   * Uploads a file of this computer, in parts if it is large. Replaces an existing one. If the user cancels, the file on
   * the server stays unchanged.
   */
  async upload(place: string, uri: vscode.Uri, control: TransferControl): Promise<void> {
    return this.#run(uri, "save", (files, path) =>
      withLocalFile(place, async (content) => files.write(path, content, { create: true, overwrite: true, control })),
    );
  }

  /**
   * Downloads a file to this computer, in parts if it is large. The target appears, or is replaced, when the download is
   * complete.
   */
  async download(uri: vscode.Uri, target: string, control: TransferControl): Promise<void> {
    const { download } = await import("../transfer/downloading.ts");
    return this.#run(uri, "read", (files, path) => download(files, path, target, control));
  }

  async createDirectory(uri: vscode.Uri): Promise<void> {
    return this.#run(uri, "change", (files, path) => files.createDirectory(path));
  }

  async delete(uri: vscode.Uri, options: { readonly recursive: boolean }): Promise<void> {
    return this.#run(uri, "change", async (files, path) => {
      if ((await (await files.moving()).delete(path, options)) === "folder") {
        this.#deletedFolders.add(uri);
      }
    });
  }

  async rename(from: vscode.Uri, to: vscode.Uri, options: { readonly overwrite: boolean }): Promise<void> {
    this.#refuseOtherWorkspace(from, to);
    return this.#run(from, "change", async (files, path) =>
      (await files.moving()).rename(path, addressOf(to).path, options),
    );
  }

  async copy(from: vscode.Uri, to: vscode.Uri, options: { readonly overwrite: boolean }): Promise<void> {
    if (from.authority === to.authority) {
      return this.#run(from, "change", async (files, path) =>
        (await files.moving()).copy(path, addressOf(to).path, options),
      );
    }
    return this.#run(from, "change", async () =>
      (await import("./cross-workspace-copy.ts")).copyToOtherWorkspace(this, from, to, options),
    );
  }

  /** Watches for changes on the server. The editor calls this for every path that it probes, so it makes no request. */
  watch(
    uri: vscode.Uri,
    options: { readonly recursive: boolean; readonly excludes: readonly string[] },
  ): vscode.Disposable {
    this.#isWatching = true;
    const end = this.#watching().then((watching) => watching.watch(uri, options));
    return new vscode.Disposable(() => void end.then((stop) => stop()));
  }

  dispose(): void {
    if (this.#isWatching) {
      void this.#watching().then((watching) => watching.dispose());
    }
    this.#deletedFolders.dispose();
    this.#documents.dispose();
    this.#session.end();
    this.#changed.dispose();
    this.#failed.dispose();
  }

  async #entries(files: WorkspaceFiles, uri: vscode.Uri, path: string): Promise<[string, vscode.FileType][]> {
    const entries = await files.directories.entries(path);
    if (this.#isWatching) {
      void this.#watching().then((watching) => watching.seen(uri));
    }
    return entries.map(({ name, type }) => [name, fileType(type)]);
  }

  #refuseOtherWorkspace(from: vscode.Uri, to: vscode.Uri): void {
    if (from.authority !== to.authority) {
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t("Can't move {0} to another workspace. Copy it there, then delete it here.", from.path),
      );
    }
  }

  /**
   * Runs an operation. If the workspace is unreachable, the result falls back to `asLastSeen`, and the failure is still
   * reported. Otherwise the editor would show a failed folder as empty, and an outage would clear the Explorer. A folder
   * without cached content falls back to `assumed`; see `assumedFolder`.
   */
  async #run<T>(
    uri: vscode.Uri,
    action: FailedOperation["action"],
    work: (files: WorkspaceFiles, path: string) => Promise<T>,
    asLastSeen?: (files: WorkspaceFiles, path: string) => T | undefined,
    assumed?: T,
  ): Promise<T> {
    try {
      const { tenantId, workspaceId, path } = addressOf(uri);
      return await work(this.workspace(tenantId, workspaceId), path);
    } catch (error) {
      const failed = { uri, action, error };
      const editorError = operationError(failed, this.#connections);
      const isHidden = isAboutPath(error) || isSignedOut(error);
      const files = this.#workspaces.get(uri.authority);
      const lastSeen = files === undefined || isHidden ? undefined : asLastSeen?.(files, addressOf(uri).path);
      const assumption = lastSeen === undefined && assumed !== undefined ? assumedFolder(failed) : undefined;
      if (editorError.code !== "FileNotFound" && assumption !== "silent") {
        this.#failed.fire(failed);
      }
      if (assumption !== undefined && assumed !== undefined) {
        return assumed;
      }
      if (lastSeen === undefined) {
        throw editorError;
      }
      return lastSeen;
    }
  }

  #journalOf(authority: string): SaveJournal {
    const { storage } = this.#options;
    const { [authority]: earlier = [], ...others } = this.#state.get<EarlierSaves>(earlierJournal, {});
    if (earlier.length > 0) {
      void this.#state.update(earlierJournal, others);
    }
    return storage === undefined
      ? new SaveJournal()
      : new SaveJournal({ directory: storage.fsPath, authority, session: this.#session, earlier });
  }

  #versionsOf(authority: string): EditorVersions {
    const known = this.#versions.get(authority);
    if (known !== undefined) {
      return known;
    }
    const versions = new EditorVersions(this.#now, (path) => this.#documents.editorsOf(authority).isOpen(path));
    this.#versions.set(authority, versions);
    this.#documents.restore(authority, versions);
    return versions;
  }
}

/** Where earlier versions of the extension stored unfinished saves, by authority. */
const earlierJournal = "unfinishedSaves";

type EarlierSaves = Readonly<Record<string, readonly JournaledSave[]>>;

/** A folder that is only known to exist. */
const unknownFolder: vscode.FileStat = { type: vscode.FileType.Directory, mtime: 0, ctime: 0, size: 0 };

function fileType(type: EntryKind): vscode.FileType {
  return type === "directory" ? vscode.FileType.Directory : vscode.FileType.File;
}

function editorStatus(status: FileStatus): vscode.FileStat {
  return {
    type: fileType(status.type),
    mtime: status.modified,
    ctime: status.created,
    size: status.size,
    ...(status.isReadonly ? { permissions: vscode.FilePermission.Readonly } : {}),
  };
}

const eventTypes: Readonly<Record<FileChange["type"], vscode.FileChangeType>> = {
  created: vscode.FileChangeType.Created,
  changed: vscode.FileChangeType.Changed,
  deleted: vscode.FileChangeType.Deleted,
};

function eventsOf(root: vscode.Uri, changes: readonly FileChange[]): vscode.FileChangeEvent[] {
  return changes.map((change) => ({ type: eventTypes[change.type], uri: siblingUri(root, change.path) }));
}

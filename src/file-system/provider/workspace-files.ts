import type { ContentClient } from "../../api/client/client.ts";
import type { Companion } from "../../api/companion/companion.ts";
import type { ByteSource } from "../../api/content-server/byte-source.ts";
import type { FolderLinks } from "../../api/content-server/folder-walk.ts";
import { lazy } from "../../api/lazy.ts";
import { ContentReader } from "../read/content-reader.ts";
import { DirectoryReader, MetadataReader } from "../read/directory-reader.ts";
import { type FoundProblem, NotebookModels } from "../read/notebook-models.ts";
import { StatusReader } from "../read/status-reader.ts";
import { ExplorerRevalidation } from "../session/explorer-revalidation.ts";
import { ListingCache } from "../session/listing-cache.ts";
import { NegativeCache } from "../session/negative-cache.ts";
import type { OpenEditors } from "../session/open-documents.ts";
import { PathLocks } from "../session/path-locks.ts";
import { type ContentAccess, ServerRequests } from "../session/server-requests.ts";
import { chunkedSaveBytes } from "../session/size-limits.ts";
import { type FileChange, WorkspaceEvents } from "../session/workspace-events.ts";
import type { LongTransfers } from "../transfer/long-transfers.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import { RecentSaves } from "../versions/recent-saves.ts";
import type { FileMover } from "../write/file-mover.ts";
import type { BeforeReplacing, ChunkedSaves, FileWriter, WriteOptions } from "../write/file-writer.ts";
import type { SaveJournal } from "../write/save-journal.ts";
import { UnconfirmedSaves } from "../write/unconfirmed-saves.ts";

interface WorkspaceFilesOptions {
  readonly access: ContentAccess;
  readonly versions: EditorVersions;
  readonly editors: OpenEditors;
  /** Called with every change, to notify the editor. */
  readonly onChanged: (changes: readonly FileChange[]) => void;
  /** Whether a notebook editor shows a path. */
  readonly hasNotebookEditor?: (path: string) => boolean;
  /** Called when an editor reads a notebook with a problem. */
  readonly onProblem?: (path: string, found: FoundProblem) => void;
  readonly beforeReplacing: BeforeReplacing;
  /** Loaded by the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
  readonly journal: SaveJournal;
  /** The running companion of the workspace, which sees links. */
  readonly companion?: (() => Companion | undefined) | undefined;
  readonly chunkedSaves?: ChunkedSaves | undefined;
  readonly now?: (() => number) | undefined;
}

/** The files of one workspace: the parts that read, write, and move them, and their shared state. */
export class WorkspaceFiles {
  readonly locks = new PathLocks();
  /** Milliseconds on a monotonic clock, for the age of cache entries. */
  readonly now: () => number;
  readonly cache: ListingCache;
  readonly events = new WorkspaceEvents();
  readonly revalidation: ExplorerRevalidation;
  readonly negativeCache: NegativeCache;
  readonly versions: EditorVersions;
  readonly editors: OpenEditors;
  readonly beforeReplacing: BeforeReplacing;
  /** Loaded by the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
  readonly journal: SaveJournal;
  readonly unconfirmed = new UnconfirmedSaves();
  readonly chunkedSaves: ChunkedSaves;
  readonly server: ServerRequests;
  readonly recentSaves: RecentSaves;
  readonly models: NotebookModels;
  readonly onProblem: (path: string, found: FoundProblem) => void;
  readonly metadata: MetadataReader;
  readonly directories: DirectoryReader;
  readonly contents: ContentReader;
  readonly statuses: StatusReader;
  /** Saves and creates files. Loaded on first use. */
  readonly #writer = lazy(async (): Promise<FileWriter> => {
    const { FileWriter } = await import("../write/file-writer.ts");
    return new FileWriter(this);
  });
  readonly #companion: () => Companion | undefined;
  /** Deletes, renames, and copies files. Loaded on first use. */
  readonly moving = lazy(async (): Promise<FileMover> => {
    const { FileMover } = await import("../write/file-mover.ts");
    return new FileMover(this);
  });

  constructor(options: WorkspaceFilesOptions) {
    this.now = options.now ?? (() => performance.now());
    this.cache = new ListingCache(this.now);
    this.recentSaves = new RecentSaves(this.now);
    this.revalidation = new ExplorerRevalidation(this.now);
    this.negativeCache = new NegativeCache(this.cache, this.revalidation);
    this.versions = options.versions;
    this.editors = options.editors;
    this.beforeReplacing = options.beforeReplacing;
    this.transfers = options.transfers;
    this.journal = options.journal;
    this.#companion = options.companion ?? (() => undefined);
    this.chunkedSaves = options.chunkedSaves ?? { above: chunkedSaveBytes };
    this.server = new ServerRequests(options.access, {
      endInterruptedSaves: (client) => this.#endInterruptedSaves(client),
      onResponse: () => this.events.serverResponded(),
    });
    this.events.observe({ changed: (changes) => this.revalidation.filesChanged(changes) });
    this.events.observe({ changed: options.onChanged });
    this.onProblem = options.onProblem ?? (() => {});
    this.models = new NotebookModels(this.cache, options.hasNotebookEditor);
    this.metadata = new MetadataReader(this);
    this.directories = new DirectoryReader(this);
    this.contents = new ContentReader(this);
    this.statuses = new StatusReader(this);
  }

  /**
   * Invalidates the caches after an explicit refresh, a start, or a new token. Otherwise a refresh during an outage would
   * clear the Explorer.
   */
  refresh(): void {
    this.cache.invalidate("");
    this.journal.retry();
    this.events.refreshed();
  }

  /** Writes the complete content of a file, as {@link FileWriter.write} describes. */
  async write(path: string, content: Uint8Array | ByteSource, options: WriteOptions): Promise<void> {
    await (await this.#writer()).write(path, content, options);
  }

  /** Creates a folder. */
  async createDirectory(path: string): Promise<void> {
    await (await this.#writer()).createDirectory(path);
  }

  /** The links in a folder, from the workspace's companion; undefined if it isn't running, or can't find out. */
  readonly linksIn = async (folder: string): Promise<FolderLinks | undefined> => {
    const companion = this.#companion();
    return companion && (await import("../read/known-links.ts")).linksOf(companion, folder);
  };

  #endInterruptedSaves(client: ContentClient): Promise<void> | undefined {
    const saves = this.journal.drainInterrupted();
    return saves.length === 0
      ? undefined
      : import("../write/big-file-writer.ts")
          .then(({ endInterruptedSaves }) => endInterruptedSaves(this, client, saves))
          .catch((error: unknown) => {
            this.journal.retry();
            throw error;
          });
  }
}

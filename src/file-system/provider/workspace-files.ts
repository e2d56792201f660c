import * as vscode from "vscode";

import { AccessError } from "../../tenants/access-error.ts";
import type { Connections } from "../../tenants/connections.ts";
import { siblingUri, uriOf } from "../../tenants/workspace-uri.ts";
import { FileReading } from "../read/file-reading.ts";
import { ListingCache } from "../session/listing-cache.ts";
import {
  type ContentAccess,
  type FileChange,
  type OpenEditors,
  WorkspaceSession,
} from "../session/workspace-session.ts";
import type { LongTransfers } from "../transfer/long-transfers.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import type { FileMoving } from "../write/file-moving.ts";
import { FileWriting } from "../write/file-writing.ts";
import { type Memory, UnfinishedSaves } from "../write/unfinished-saves.ts";

/** How long the answer "it does not run" or "there is no token" serves everybody who asks, in milliseconds. */
const problemServesFor = 5_000;

/** One workspace's files: what reads, writes and moves them, over one session. */
export class WorkspaceFiles {
  readonly reading: FileReading;
  readonly writing: FileWriting;
  readonly versions: EditorVersions;
  readonly session: WorkspaceSession;
  readonly #cache = new ListingCache();
  #moving: Promise<FileMoving> | undefined;
  #problem: { readonly error: AccessError; readonly at: number } | undefined;

  constructor(
    connections: Connections,
    tenantId: string,
    workspaceId: string,
    editors: OpenEditors,
    versions: EditorVersions,
    fire: (events: vscode.FileChangeEvent[]) => void,
    memory?: Memory,
    beforeReplacing?: WorkspaceSession["beforeReplacing"],
  ) {
    const root = uriOf(tenantId, workspaceId);
    this.versions = versions;
    this.session = new WorkspaceSession({
      access: this.#accessTo(connections, tenantId, workspaceId),
      cache: this.#cache,
      versions,
      editors,
      emit: (changes) => fire(eventsOf(root, changes)),
      transfers: shownTransfers(root, this),
      unfinished: new UnfinishedSaves(memory, root.authority),
      ...(beforeReplacing === undefined ? {} : { beforeReplacing }),
    });
    this.reading = new FileReading(this.session);
    this.writing = new FileWriting(this.session, this.reading);
  }

  /** What deletes, renames and copies; it loads with the first of them. */
  moving(): Promise<FileMoving> {
    this.#moving ??= import("../write/file-moving.ts").then(
      (module) => new module.FileMoving(this.session, this.reading),
    );
    return this.#moving;
  }

  /** Forgets everything that was learned of the server: an explicit refresh, a start, a new token. */
  refresh(): void {
    this.#problem = undefined;
    this.session.refreshed();
  }

  /** The editor looks for dozens of files at once: one answer about a workspace that cannot be reached serves them all. */
  #accessTo(connections: Connections, tenantId: string, workspaceId: string): ContentAccess {
    return {
      connect: async () => {
        if (this.#problem !== undefined && Date.now() - this.#problem.at < problemServesFor) {
          throw this.#problem.error;
        }
        try {
          return await connections.content(tenantId, workspaceId);
        } catch (error) {
          if (error instanceof AccessError) {
            this.#problem = { error, at: Date.now() };
          }
          throw error;
        }
      },
      relocate: async () => {
        const before = await connections.contentServer(tenantId, workspaceId);
        await connections.forget(tenantId, workspaceId);
        const after = await connections.contentServer(tenantId, workspaceId);
        return before.href !== after.href;
      },
    };
  }
}

/** How long transfers show; what that takes loads with the first one. */
function shownTransfers(root: vscode.Uri, files: WorkspaceFiles): LongTransfers {
  const load = async (): Promise<LongTransfers> => {
    const { transfersOf } = await import("../transfer/transfer-progress.ts");
    return transfersOf(root, async (path, bytes) =>
      (await import("../transfer/downloading.ts")).chooseDownload(files, path, bytes),
    );
  };
  let loading: Promise<LongTransfers> | undefined;
  const shown = (): Promise<LongTransfers> => {
    loading ??= load();
    return loading;
  };
  return {
    run: async (transfer, work) => (await shown()).run(transfer, work),
    admit: async (path, bytes) => (await shown()).admit(path, bytes),
    tellKept: (path, upload) => void shown().then((transfers) => transfers.tellKept(path, upload)),
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

import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lazy } from "../../api/lazy.ts";
import { ContentStore } from "./content-server/content-store.ts";
import { kindAt } from "./content-server/paths.ts";
import { sampleWorkspaces } from "./seed/workspaces.ts";
import type { InstanceState, StateFile, WorkspaceState } from "./state.ts";

/** The status of a workspace. */
export type WorkspaceStatus = "stopped" | "bootstrapping" | "running" | "crashed";

/** The first 8 characters of a workspace id, as used in its content server's path. */
export function shortIdOf(id: string): string {
  return id.slice(0, 8);
}

/** The workspaces of a tenant: their status and the location of their files. */
export class Workspaces {
  readonly #file: StateFile;
  readonly #dataDirectory: string;
  readonly #bootMilliseconds: number;
  readonly #deleteNonEmptyDirectories: boolean;
  readonly #onEnded: (id: string) => Promise<void>;
  readonly #prepare: (id: string) => Promise<void>;
  readonly #openStore: (id: string) => Promise<ContentStore>;

  /** `dataDirectory` is a real path. */
  constructor(
    file: StateFile,
    options: {
      readonly dataDirectory: string;
      readonly bootMilliseconds: number;
      readonly deleteNonEmptyDirectories: boolean;
      /** The data of new files ends at this time. */
      readonly now: Date;
      /** Called when an instance has ended. */
      readonly onEnded: (id: string) => Promise<void>;
    },
  ) {
    this.#file = file;
    this.#dataDirectory = options.dataDirectory;
    this.#bootMilliseconds = options.bootMilliseconds;
    this.#deleteNonEmptyDirectories = options.deleteNonEmptyDirectories;
    this.#onEnded = options.onEnded;
    this.#prepare = lazyByKey((id) => this.#makeFiles(id, options.now));
    this.#openStore = lazyByKey((id) => this.#makeStore(id));
  }

  get all(): readonly WorkspaceState[] {
    return this.#file.state.workspaces;
  }

  find(id: string): WorkspaceState | undefined {
    return this.all.find((workspace) => workspace.id === id);
  }

  findByShortId(shortId: string): WorkspaceState | undefined {
    return this.all.find((workspace) => shortIdOf(workspace.id) === shortId);
  }

  /** The current status of a workspace. */
  statusOf(workspace: WorkspaceState): WorkspaceStatus {
    const { instance } = workspace;
    if (instance === null) {
      return "stopped";
    }
    if (instance.crashed) {
      return "crashed";
    }
    return Date.now() - Date.parse(instance.started) < this.#bootMilliseconds ? "bootstrapping" : "running";
  }

  get #temporaryDirectory(): string {
    return join(this.#dataDirectory, "temporary");
  }

  /** The folder of a workspace's files. */
  contentRoot(id: string): string {
    return join(this.#dataDirectory, "workspaces", id);
  }

  /** The files of a workspace, created on first use. */
  async storeOf(id: string): Promise<ContentStore> {
    return await this.#openStore(id);
  }

  /** Creates the files of a workspace, once. */
  async prepare(id: string): Promise<void> {
    await this.#prepare(id);
  }

  /** Starts an instance; `running` skips the boot time. */
  async start(id: string, options: { readonly running?: boolean } = {}): Promise<InstanceState> {
    await this.prepare(id);
    const before = options.running === true ? this.#bootMilliseconds : 0;
    const instance = {
      id: randomUUID(),
      started: new Date(Date.now() - before).toISOString(),
      crashed: false,
    };
    await this.#file.changeWorkspace(id, { instance });
    return instance;
  }

  async stop(id: string): Promise<void> {
    await this.#file.changeWorkspace(id, { instance: null });
    await this.#onEnded(id);
  }

  /** Ends a running workspace's server while the hub still has it registered. */
  async crash(id: string): Promise<void> {
    const instance = this.find(id)?.instance;
    if (instance !== undefined && instance !== null) {
      await this.#file.changeWorkspace(id, { instance: { ...instance, crashed: true } });
      await this.#onEnded(id);
    }
  }

  async #makeStore(id: string): Promise<ContentStore> {
    await this.prepare(id);
    return new ContentStore({
      root: await realpath(this.contentRoot(id)),
      temporaryDirectory: this.#temporaryDirectory,
      deleteNonEmptyDirectories: this.#deleteNonEmptyDirectories,
    });
  }

  /** An existing folder is complete, because it is created elsewhere and moved here atomically. */
  async #makeFiles(id: string, now: Date): Promise<void> {
    if (kindAt(this.contentRoot(id)) === "directory") {
      return;
    }
    const temporary = join(this.#temporaryDirectory, randomUUID());
    await mkdir(temporary, { recursive: true });
    await sampleWorkspaces.find((workspace) => workspace.id === id)?.makeFiles(temporary, now);
    await mkdir(dirname(this.contentRoot(id)), { recursive: true });
    await rename(temporary, this.contentRoot(id));
  }
}

/** `lazy` for each key. */
function lazyByKey<Value>(load: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const loads = new Map<string, () => Promise<Value>>();
  return (key) => {
    const known = loads.get(key) ?? lazy(() => load(key));
    loads.set(key, known);
    return known();
  };
}

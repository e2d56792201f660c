import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import type { AppState } from "./seed/app-studio.ts";
import type { DesignState } from "./seed/designs.ts";
import type { PageMembershipsState } from "./seed/page-memberships.ts";
import type { PagesState } from "./seed/pages.ts";
import type { SandboxState } from "./seed/sandbox.ts";
import type { WorkflowsState } from "./seed/workflows.ts";

/** An instance of a workspace. Times are ISO 8601. Whether it is still booting is derived from its start time. */
export interface InstanceState {
  readonly id: string;
  readonly started: string;
  readonly crashed: boolean;
}

/** The stored data of a workspace. */
export interface WorkspaceState {
  readonly id: string;
  /** The object that the platform serves, without instances and without fields that depend on the dialect. */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly instance: InstanceState | null;
  /** False until the user has signed in to notebooks in a browser. */
  readonly handshakeDone: boolean;
}

/** The stored data of a tenant, except the files of its workspaces. */
export interface TenantState {
  readonly version: 1;
  readonly workspaces: readonly WorkspaceState[];
  /** Scheduling payloads by notebook id. */
  readonly dataflows: Readonly<Record<string, unknown>>;
  readonly designs: readonly DesignState[];
  readonly apps: readonly AppState[];
  readonly sandbox: SandboxState;
  readonly pages: PagesState;
  readonly pageMemberships: PageMembershipsState;
  readonly workflows: WorkflowsState;
}

/** The state of a tenant in one JSON file, which is written atomically on every change. */
export class StateFile {
  readonly #path: string;
  #state: TenantState;
  /** One write at a time. */
  readonly #limit = pLimit(1);

  private constructor(path: string, state: TenantState) {
    this.#path = path;
    this.#state = state;
  }

  /**
   * Reads the state in a folder, or starts with the initial state. Parts that an earlier version did not store start
   * with their initial state.
   */
  static async open(directory: string, initial: TenantState): Promise<StateFile> {
    await mkdir(directory, { recursive: true });
    const path = join(directory, "state.json");
    const file = new StateFile(path, { ...initial, ...(await readState(path)) });
    await file.#write();
    return file;
  }

  get state(): TenantState {
    return this.#state;
  }

  /** Changes the state immediately, and resolves when it is on disk. */
  async change(change: (state: TenantState) => TenantState): Promise<void> {
    this.#state = change(this.#state);
    await this.#write();
  }

  /** Changes one workspace. */
  async changeWorkspace(id: string, change: Partial<Omit<WorkspaceState, "id">>): Promise<void> {
    await this.change((state) => ({
      ...state,
      workspaces: state.workspaces.map((workspace) => (workspace.id === id ? { ...workspace, ...change } : workspace)),
    }));
  }

  /** Resolves when all previous changes are on disk. */
  async settled(): Promise<void> {
    await this.#limit(async () => {});
  }

  #write(): Promise<void> {
    return this.#limit(async () => {
      const temporary = `${this.#path}.next`;
      await writeFile(temporary, `${JSON.stringify(this.#state, undefined, 2)}\n`);
      await rename(temporary, this.#path);
    });
  }
}

async function readState(path: string): Promise<TenantState | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return undefined;
  }
  const found: unknown = JSON.parse(text);
  if (typeof found === "object" && found !== null && "version" in found && found.version === 1) {
    return found as TenantState;
  }
  throw new Error(
    `The sample tenant can't read ${path}: it was written by another version. Delete it or choose another folder.`,
  );
}

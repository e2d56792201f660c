import * as vscode from "vscode";
import * as z from "zod/mini";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { errorMessage } from "../../api/error-message.ts";
import { KernelServer } from "../../api/kernels/kernel-server.ts";
import { LatestRequest } from "../../api/latest-request.ts";
import { type KnownRecords, listRuns, readRecord } from "../../api/runs/run-list.ts";
import { notebookOfRun } from "../../api/runs/run-names.ts";
import { type RunRecord, runState } from "../../api/runs/run-record.ts";
import { accessObstacle } from "../../tenants/access-obstacle.ts";
import { errorText } from "../../tenants/error-text.ts";
import { addressOf, scheme, siblingUri, uriOf } from "../../tenants/workspace-uri.ts";
import type { StableRow } from "../../ui/tree/elements.ts";
import { StableRows } from "../../ui/tree/stable-rows.ts";
import { JobRow } from "./job-rows.ts";
import { showEnd } from "./run-messages.ts";
import { type RunRow, rowOf } from "./run-rows.ts";
import { ownRunsKey, type RunServices } from "./run-services.ts";
import { ServerJobs } from "./server-jobs.ts";

/** Milliseconds between two looks at runs that have not ended, in a window that is used and in another one. */
const usedPauseMs = 2_000;
const unusedPauseMs = 15_000;

const ownRun = z.object({ tenantId: z.string(), workspaceId: z.string(), path: z.string() });
/** A run that this window has started. */
export type OwnRun = z.output<typeof ownRun>;

/** A row of the view, which is its own item. */
export type RunElement = StableRow<vscode.TreeItem>;

interface Listed {
  readonly rows: readonly (RunRow | JobRow)[];
  /** Why some rows are missing. */
  readonly problem?: unknown;
}

interface RunViewParts {
  readonly isVisible: () => boolean;
  /** Draws elements again; the whole view for undefined. */
  readonly redraw: (elements: RunElement[] | undefined) => void;
}

/** The runs that this window shows, and those that it has started, until they end: also after it was reloaded. */
export class RunWindow implements vscode.Disposable {
  readonly #services: RunServices;
  readonly #view: RunViewParts;
  readonly #rows = new StableRows<vscode.TreeItem>(({ id }) => id ?? "problem");
  /** True if the rows were read because of a change that the view is about to draw. */
  #isRead = false;
  readonly #known = new Map<string, KnownRecords>();
  readonly #jobs: ServerJobs;
  /** The last reason why jobs couldn't be listed. */
  #jobsProblem = "";
  readonly #disposables: readonly vscode.Disposable[];
  #own: readonly OwnRun[];
  /** True if the view shows a run that has not ended. */
  #isRunning = false;
  readonly #readings = new LatestRequest();
  #timer: NodeJS.Timeout | undefined;
  /** Runs whose kernel is idle although their record has no end, seen once. */
  readonly #idle = new Set<string>();

  constructor(services: RunServices, view: RunViewParts) {
    this.#services = services;
    this.#view = view;
    this.#jobs = new ServerJobs(services.connections);
    this.#own = z.safeParse(z.array(ownRun), services.windowState.get(ownRunsKey)).data ?? [];
    this.#disposables = [
      vscode.window.onDidChangeActiveNotebookEditor(() => this.#redraw()),
      vscode.window.onDidChangeWindowState(() => this.#schedule()),
      services.secrets.onDidSignOut((tenantId) => {
        for (const key of this.#known.keys()) {
          if (key.startsWith(`${tenantId}/`)) {
            this.#known.delete(key);
          }
        }
        this.#jobs.askAgain(tenantId);
        this.#setOwn(this.#own.filter((run) => run.tenantId !== tenantId));
        void this.#redraw();
      }),
    ];
    this.#schedule();
  }

  /** The notebook whose runs are shown: that of the active editor, or the one that the run in it executed. */
  get notebook(): vscode.Uri | undefined {
    const uri = vscode.window.activeNotebookEditor?.notebook.uri;
    if (uri?.scheme !== scheme) {
      return undefined;
    }
    const executed = notebookOfRun(nameOf(uri.path));
    return executed === undefined ? uri : vscode.Uri.joinPath(uri, "..", executed);
  }

  /** The elements of the view: the runs and jobs of the active notebook, newest first, or the reason why there are none. */
  async elements(): Promise<RunElement[]> {
    if (!this.#isRead) {
      await this.#read();
    }
    this.#isRead = false;
    return this.#rows.elements;
  }

  /** The runs and jobs of a notebook, newest first. Without the jobs if they can't be read. */
  async rowsOf(notebook: vscode.Uri): Promise<readonly (RunRow | JobRow)[]> {
    return (await this.#list(notebook)).rows;
  }

  /** Never rejects. */
  async #listed(notebook: vscode.Uri | undefined): Promise<Listed> {
    try {
      return notebook === undefined ? { rows: [] } : await this.#list(notebook);
    } catch (problem) {
      this.#services.log.warn(`runs: ${errorMessage(problem)}`);
      return { rows: [], problem };
    }
  }

  async #list(notebook: vscode.Uri): Promise<Listed> {
    const [runs, jobs] = await Promise.all([
      this.#runsOf(notebook),
      this.#jobs.rowsOf(notebook).then(
        (rows) => ({ rows }),
        (problem: unknown) => ({ rows: [], problem }),
      ),
    ]);
    const text = "problem" in jobs ? errorMessage(jobs.problem) : "";
    if (text !== "" && text !== this.#jobsProblem) {
      this.#services.log.warn(`jobs: ${text}`);
    }
    this.#jobsProblem = text;
    return { ...jobs, rows: newestFirst(runs, jobs.rows) };
  }

  async #runsOf(notebook: vscode.Uri): Promise<readonly RunRow[]> {
    const { tenantId, workspaceId, path } = addressOf(notebook);
    const key = `${tenantId}/${workspaceId}`;
    const known: KnownRecords = this.#known.get(key) ?? new Map();
    // Not after the user may have signed out.
    this.#known.set(key, known);
    const client = await this.#services.connections.content(tenantId, workspaceId);
    return (await listRuns(client, path, known)).map((run) => rowOf(run, siblingUri(notebook, run.path)));
  }

  /** Shows a run that this window has started, and says when it has ended. */
  add(run: OwnRun): void {
    this.#setOwn([...this.#own, run]);
    void this.#redraw();
    this.#schedule();
  }

  /** Reads the runs again, and asks servers without Jupyter Scheduler whether they have it now. */
  refresh(): void {
    this.#jobs.askAgain();
    void this.#redraw();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /** Draws what has changed. Reads nothing while nobody sees the view: it requests its rows when it is shown. */
  async #redraw(): Promise<void> {
    if (!this.#view.isVisible()) {
      this.#isRead = false;
      this.#view.redraw(undefined);
      return;
    }
    const changed = await this.#read();
    if (changed?.length !== 0) {
      this.#isRead = changed === undefined;
      this.#view.redraw(changed);
    }
  }

  /** Reads the rows. Returns the elements to draw again; undefined for all. */
  async #read(): Promise<RunElement[] | undefined> {
    const signal = this.#readings.begin();
    const { rows, problem } = await this.#listed(this.notebook);
    if (signal.aborted) {
      // The rows may be those of another notebook by now.
      return [];
    }
    this.#isRunning = rows.some((row) => (row instanceof JobRow ? row.job.state : row.run.state) === "running");
    this.#schedule();
    return this.#rows.replace([...rows, ...(problem === undefined ? [] : [problemRow(problem)])]);
  }

  #setOwn(own: readonly OwnRun[]): void {
    this.#own = own;
    void this.#services.windowState.update(ownRunsKey, own.length === 0 ? undefined : own);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const isUsed = vscode.window.state.focused && vscode.window.state.active;
    if (this.#own.length > 0 || (this.#isRunning && isUsed)) {
      this.#timer = setTimeout(() => void this.#look(), isUsed ? usedPauseMs : unusedPauseMs);
    }
  }

  async #look(): Promise<void> {
    for (const run of this.#own) {
      try {
        await this.#lookAt(run);
      } catch (error) {
        this.#services.log.warn(`run ${run.path}: ${errorMessage(error)}`);
        if (accessObstacle(error)?.type === "stopped") {
          this.#end(run, undefined);
        }
      }
    }
    if (this.#isRunning) {
      await this.#redraw();
    }
    this.#schedule();
  }

  /** Finds out whether a run has ended. Its kernel is idle then, and of no further use. */
  async #lookAt(run: OwnRun): Promise<void> {
    const client = (): ReturnType<RunServices["connections"]["content"]> =>
      this.#services.connections.content(run.tenantId, run.workspaceId);
    const server = new KernelServer(client);
    const session = (await server.sessionsIfAny()).find(({ path }) => path === run.path);
    if (session?.kernel !== undefined && session.kernel.executionState !== "idle") {
      this.#idle.delete(run.path);
      return;
    }
    const record = await readRecord(await client(), run.path);
    // The kernel may not have begun yet.
    if (session !== undefined && record?.status === "running" && !this.#idle.has(run.path)) {
      this.#idle.add(run.path);
      return;
    }
    if (session !== undefined) {
      await server.endSession(session.id);
    }
    this.#end(run, record);
  }

  #end(run: OwnRun, record: RunRecord | undefined): void {
    this.#idle.delete(run.path);
    if (!this.#own.includes(run)) {
      // Another look was quicker, or the user has signed out.
      return;
    }
    this.#setOwn(this.#own.filter((one) => one !== run));
    void this.#redraw();
    this.#services.files.refresh(run.tenantId, run.workspaceId);
    const state = record === undefined ? "lost" : runState(record, false);
    void showEnd(uriOf(run.tenantId, run.workspaceId, run.path), state, record);
  }
}

/** Merges both lists, which are in their own order. */
function newestFirst(runs: readonly RunRow[], jobs: readonly JobRow[]): readonly (RunRow | JobRow)[] {
  const merged: (RunRow | JobRow)[] = [];
  const waiting = [...jobs];
  for (const run of runs) {
    const time = Date.parse(run.run.record?.started ?? run.run.changed ?? "");
    while (Date.parse(waiting[0]?.job.time ?? "") > time) {
      merged.push(...waiting.splice(0, 1));
    }
    merged.push(run);
  }
  return [...merged, ...waiting];
}

function problemRow(problem: unknown): vscode.TreeItem {
  const row = new vscode.TreeItem(errorText(problem));
  row.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  row.tooltip = errorText(problem);
  return row;
}

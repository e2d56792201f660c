import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { parentOf } from "../../api/catalogue/content-path.ts";
import { DebugSession } from "../../api/debugging/debug-session.ts";
import { phrase } from "../../api/phrase.ts";
import type { OpenKernel } from "../../tenants/open-kernels.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { activeFile } from "../../ui/commands/active-file.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { type DebuggingServices, debugType } from "./debugging-services.ts";
import type { DebuggingCommandId } from "./declarations.ts";
import { InlineAdapter } from "./inline-adapter.ts";
import { fileConfiguration, programOf, resolvedConfiguration } from "./launch-configuration.ts";
import { NotebookSources } from "./notebook-sources.ts";
import { ScriptSessions } from "./script-sessions.ts";
import { showEnd } from "./session-end.ts";

/** Maximum number of launches whose sessions the editor can start again. */
const maxLaunches = 100;

/** What is debugged. */
interface Launch {
  readonly kernel: OpenKernel;
  readonly cells: readonly vscode.NotebookCell[];
  /** True to stop at each line of the only cell. */
  readonly isByLine: boolean;
}

interface ActiveSession {
  readonly session: DebugSession;
  readonly sources: NotebookSources;
  readonly launch: Launch;
  /** The cells that have not ended. */
  readonly running: Set<vscode.NotebookCell>;
}

/** Starts debug sessions of the editor, and follows what happens to their kernels. */
export class KernelDebugging implements vscode.Disposable {
  readonly #services: DebuggingServices;
  readonly #launches = new Map<string, Launch>();
  readonly #active = new Set<ActiveSession>();
  /** The notebooks whose sessions are being started. */
  readonly #starting = new Set<vscode.NotebookDocument>();
  readonly #scripts: ScriptSessions;
  readonly #disposables: readonly vscode.Disposable[];

  constructor(services: DebuggingServices) {
    this.#services = services;
    this.#scripts = new ScriptSessions(services);
    this.#disposables = [
      this.#scripts,
      vscode.debug.registerDebugAdapterDescriptorFactory(debugType, {
        createDebugAdapterDescriptor: async ({ configuration }) => {
          const program = programOf(configuration);
          if (program !== undefined) {
            return new vscode.DebugAdapterInlineImplementation(
              await this.#scripts.start(program.uri, program.parameters),
            );
          }
          const launch = this.#launches.get(String(configuration.launch));
          if (launch === undefined) {
            throw new Error(vscode.l10n.t("Choose Debug Cell in the notebook to start this debugger."));
          }
          return new vscode.DebugAdapterInlineImplementation(await this.#adapter(launch));
        },
      }),
      vscode.debug.onDidTerminateDebugSession(({ type }) => (type === debugType ? setDebugging(false) : undefined)),
      services.openKernels.onEvent(({ kernel, event }) => {
        for (const active of this.#active) {
          if (active.launch.kernel.notebook === kernel.notebook) {
            this.#follow(active, event.type === "cellEnded" ? event.cell : undefined);
          }
        }
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#updateBreakpoints([document.uri])),
      vscode.debug.onDidChangeBreakpoints(({ changed }) =>
        this.#updateBreakpoints(
          changed.flatMap((one) => (one instanceof vscode.SourceBreakpoint ? [one.location.uri] : [])),
        ),
      ),
    ];
  }

  commands(): CommandHandlers<DebuggingCommandId> {
    return {
      "platformWorkbench.debugCell": (_run, argument) => {
        const cell = cellOf(argument);
        return this.#start(cell.notebook, [cell], false);
      },
      "platformWorkbench.runByLine": (_run, argument) => {
        const cell = cellOf(argument);
        return this.#start(cell.notebook, [cell], true);
      },
      "platformWorkbench.runNextLine": () => vscode.commands.executeCommand("workbench.action.debug.stepOver"),
      "platformWorkbench.debugPythonFile": async (run, argument) => {
        const { uri, tenantId, workspaceId } = activeFile(argument);
        run.setErrorContext({ tenantId, workspaceId });
        // Fails here, where the user gets a remedy, if the workspace isn't running.
        await this.#services.connections.content(tenantId, workspaceId);
        const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
        await document?.save();
        await setDebugging(true);
        await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), fileConfiguration(uri));
      },
      "platformWorkbench.debugNotebook": () => {
        const notebook = activeNotebook();
        const isCode = ({ kind, document }: vscode.NotebookCell): boolean =>
          kind === vscode.NotebookCellKind.Code && document.getText().trim() !== "";
        return this.#start(notebook, notebook.getCells().filter(isCode), false);
      },
    };
  }

  dispose(): void {
    for (const { session } of this.#active) {
      session.end({ type: "detached" });
    }
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  /** Completes what F5 or launch.json starts. Undefined if a command starts it instead. */
  resolve(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration | undefined {
    return configuration.launch === undefined ? resolvedConfiguration(folder, configuration) : configuration;
  }

  async #start(
    notebook: vscode.NotebookDocument,
    cells: readonly vscode.NotebookCell[],
    isByLine: boolean,
  ): Promise<void> {
    if (this.#starting.has(notebook) || [...this.#active].some(({ launch }) => launch.kernel.notebook === notebook)) {
      throw new Error(vscode.l10n.t("The notebook is being debugged. Stop the debugger, then try again."));
    }
    this.#starting.add(notebook);
    try {
      await this.#startAlone(notebook, cells, isByLine);
    } finally {
      this.#starting.delete(notebook);
    }
  }

  async #startAlone(
    notebook: vscode.NotebookDocument,
    cells: readonly vscode.NotebookCell[],
    isByLine: boolean,
  ): Promise<void> {
    const kernel = this.#services.openKernels.find(notebook);
    if (kernel === undefined) {
      throw new Error(vscode.l10n.t("Select a kernel of a workspace for the notebook, then try again."));
    }
    if (kernel.language !== "python") {
      throw new Error(vscode.l10n.t("Only Python kernels can be debugged."));
    }
    await kernel.connect();
    if (kernel.isFollowing) {
      throw new Error(vscode.l10n.t("Another window runs this notebook's kernel. Debug it there."));
    }
    const id = randomUUID();
    this.#launches.set(id, { kernel, cells, isByLine });
    for (const old of [...this.#launches.keys()].slice(0, -maxLaunches)) {
      this.#launches.delete(old);
    }
    const [first] = cells;
    const name =
      cells.length === 1 && first !== undefined
        ? vscode.l10n.t("Cell {0}", first.index + 1)
        : vscode.l10n.t("All Cells");
    await setDebugging(true);
    await vscode.debug.startDebugging(
      undefined,
      { type: debugType, request: "launch", name, launch: id, internalConsoleOptions: "neverOpen" },
      { suppressSaveBeforeStart: true },
    );
  }

  async #adapter(launch: Launch): Promise<InlineAdapter> {
    const { kernel, cells, isByLine } = launch;
    const { notebook, place, path } = kernel;
    const connection = await kernel.connect();
    const sources = new NotebookSources(notebook, place);
    let active: ActiveSession | undefined;
    const release = (): void => {
      if (active !== undefined) {
        this.#active.delete(active);
        this.#markByLine();
      }
    };
    return new InlineAdapter((onOutput) => {
      const session = new DebugSession({
        connection,
        sources,
        path: notebook.uri.scheme === scheme ? path : "",
        folder: parentOf(path),
        justMyCode: vscode.workspace.getConfiguration("platformWorkbench").get("debug.justMyCode", true),
        lineByLine: isByLine ? cells[0]?.document.uri.toString() : undefined,
        ownsKernel: false,
        onOutput,
        onConfigured: () => void runCells(notebook, cells),
        onEnd: (end) => {
          release();
          showEnd(end);
        },
      });
      active = { session, sources, launch, running: new Set(cells) };
      this.#active.add(active);
      this.#markByLine();
      return session;
    }, release);
  }

  /** Handles an event of the kernel that a session debugs. */
  #follow({ session, sources, launch, running }: ActiveSession, ended: vscode.NotebookCell | undefined): void {
    const { kernel } = launch;
    sources.remember();
    if (ended !== undefined && running.delete(ended) && running.size === 0) {
      session.end({ type: "finished" });
    } else if (kernel.isFollowing) {
      session.end({
        type: "lost",
        reason: phrase`The debugger has stopped because another window uses the kernel now.`,
        isReachable: true,
      });
    } else if (kernel.connection === undefined) {
      session.end({ type: "lost", reason: phrase`The debugger has stopped because the kernel was disconnected.` });
    }
  }

  /** Lets the menus of cells that are run by line offer the next line. */
  #markByLine(): void {
    const cells = [...this.#active].flatMap(({ launch }) => (launch.isByLine ? launch.cells : []));
    const uris = cells.map(({ document }) => document.uri.toString());
    void vscode.commands.executeCommand("setContext", "platformWorkbench.cellsByLine", uris);
  }

  /** Sets the breakpoints of cells again whose text has changed: the kernel has another file for it. */
  #updateBreakpoints(uris: readonly vscode.Uri[]): void {
    for (const { session, launch } of this.#active) {
      for (const uri of new Set(uris.map(String))) {
        const isCell = launch.kernel.notebook.getCells().some(({ document }) => document.uri.toString() === uri);
        const breakpoints = isCell ? breakpointsOf(uri) : [];
        if (breakpoints.length > 0) {
          void session.setBreakpoints(uri, breakpoints);
        }
      }
    }
  }
}

function breakpointsOf(uri: string): readonly Readonly<Record<string, unknown>>[] {
  return vscode.debug.breakpoints.flatMap((one) =>
    one instanceof vscode.SourceBreakpoint && one.enabled && one.location.uri.toString() === uri
      ? [
          {
            line: one.location.range.start.line + 1,
            ...(one.condition === undefined ? {} : { condition: one.condition }),
            ...(one.hitCondition === undefined ? {} : { hitCondition: one.hitCondition }),
            ...(one.logMessage === undefined ? {} : { logMessage: one.logMessage }),
          },
        ]
      : [],
  );
}

async function runCells(notebook: vscode.NotebookDocument, cells: readonly vscode.NotebookCell[]): Promise<void> {
  const ranges = cells.map(({ index }) => ({ start: index, end: index + 1 }));
  await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: notebook.uri });
}

/**
 * Enables the debugger in the editor also while another editor is active. Otherwise, only one that it can debug enables
 * it, so that F5 doesn't offer it for other files.
 */
async function setDebugging(isDebugging: boolean): Promise<void> {
  await vscode.commands.executeCommand("setContext", "platformWorkbench.debugging", isDebugging);
}

function activeNotebook(): vscode.NotebookDocument {
  const editor = vscode.window.activeNotebookEditor;
  if (editor === undefined) {
    throw new Error(vscode.l10n.t("Open a notebook, then try again."));
  }
  return editor.notebook;
}

/** The cell that a menu was opened for, or the selected one. */
function cellOf(argument: unknown): vscode.NotebookCell {
  const index = vscode.window.activeNotebookEditor?.selection.start ?? 0;
  const notebook = activeNotebook();
  const named = notebook.getCells().find((cell) => cell === argument);
  const cell = named ?? notebook.cellAt(index);
  if (cell.kind !== vscode.NotebookCellKind.Code) {
    throw new Error(vscode.l10n.t("Select a code cell, then try again."));
  }
  return cell;
}

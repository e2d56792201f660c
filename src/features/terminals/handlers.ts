import * as vscode from "vscode";
import * as z from "zod/mini";
import { displayedName } from "../../api/displayed-text.ts";
import type { RunningTerminal } from "../../api/terminals/terminal-server.ts";
import type { TerminalCommand } from "../../tenants/terminal-commands.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import type { ErrorContext } from "../../ui/commands/error-context.ts";
import { relativeDate } from "../../ui/format/dates.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { type WorkspaceReference, workspaceInView } from "../../ui/quick-input/workspace-choice.ts";
import type { TerminalsCommandId } from "./declarations.ts";
import type { TerminalServices } from "./terminal-services.ts";
import type { WorkspaceTerminalOptions } from "./workspace-terminal.ts";
import type { WorkspaceTerminals } from "./workspace-terminals.ts";

/** The row of a running terminal. */
const terminalShape = z.looseObject({ terminalName: z.string().check(z.minLength(1)) });

/** The terminal commands of rows, the Explorer, and the palette. */
export function terminalCommands(
  terminals: WorkspaceTerminals,
  services: TerminalServices,
): CommandHandlers<TerminalsCommandId> {
  const open = async (run: CommandRun, argument: unknown): Promise<void> =>
    terminals.show(await startTerminal(terminals, services, run, argument));
  return {
    "platformWorkbench.openTerminal": open,
    "platformWorkbench.openTerminalInFolder": open,
    "platformWorkbench.attachTerminal": async (run, argument) => {
      const title = vscode.l10n.t("Attach to Running Terminal");
      const { name, ...workspace } = await pickTerminal(terminals, services, run, argument, title);
      terminals.show({ address: { ...workspace, name }, folder: "", isNew: false, wasFullScreen: false });
    },
    "platformWorkbench.endTerminal": async (run, argument) => {
      const title = vscode.l10n.t("End Running Terminal");
      const { name, ...workspace } = await pickTerminal(terminals, services, run, argument, title);
      const { tenantId, workspaceId } = workspace;
      await confirm({
        question: vscode.l10n.t("End terminal {0} of {1}?", name, services.connections.nameOf(tenantId, workspaceId)),
        consequence: vscode.l10n.t("The programs that run in it end."),
        action: vscode.l10n.t("End Terminal"),
      });
      await terminals.serverOf(tenantId, workspaceId).end(name);
      terminals.closeEnded({ tenantId, workspaceId, name });
    },
  };
}

/** A new terminal for the editor's list of profiles. Undefined if the user cancels. Shows errors itself. */
export async function terminalProfile(
  terminals: WorkspaceTerminals,
  services: TerminalServices,
): Promise<vscode.TerminalProfile | undefined> {
  let context: ErrorContext = {};
  try {
    const run: CommandRun = {
      setErrorContext(named) {
        context = { ...context, ...named };
      },
    };
    const options = await startTerminal(terminals, services, run, undefined);
    return new vscode.TerminalProfile(terminals.optionsFor(options));
  } catch (error) {
    if (!(error instanceof vscode.CancellationError)) {
      await services.showError(error, context);
    }
    return undefined;
  }
}

/** Types a command into a new terminal, and shows it. Resolves with false if the server has no terminals. */
export async function runInTerminal(
  terminals: WorkspaceTerminals,
  { tenantId, workspaceId, folder, line }: TerminalCommand,
): Promise<boolean> {
  const started = await terminals.serverOf(tenantId, workspaceId).start(folder);
  if (started !== undefined) {
    const address = { tenantId, workspaceId, name: started.name };
    terminals.show({ address, folder, isNew: true, wasFullScreen: false, firstLine: line });
  }
  return started !== undefined;
}

/** Starts a terminal in the folder of a menu, or of the file in the active editor, or in the workspace's root. */
async function startTerminal(
  terminals: WorkspaceTerminals,
  services: TerminalServices,
  run: CommandRun,
  argument: unknown,
): Promise<WorkspaceTerminalOptions> {
  const title = vscode.l10n.t("Open Terminal in Workspace");
  const { tenantId, workspaceId } = await workspaceInView(services, run, argument, title);
  const folder = argument instanceof vscode.Uri && argument.scheme === scheme ? addressOf(argument).path : "";
  const started = await terminals.serverOf(tenantId, workspaceId).start(folder);
  if (started === undefined) {
    throw withoutTerminals(services, { tenantId, workspaceId });
  }
  return { address: { tenantId, workspaceId, name: started.name }, folder, isNew: true, wasFullScreen: false };
}

/** The terminal of a row, or one of the workspace's running terminals that the user chooses. Throws if there are none. */
async function pickTerminal(
  terminals: WorkspaceTerminals,
  services: TerminalServices,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<WorkspaceReference & { readonly name: string }> {
  const workspace = await workspaceInView(services, run, argument, title);
  const { tenantId, workspaceId } = workspace;
  const named = z.safeParse(terminalShape, argument);
  if (named.success) {
    return { ...workspace, name: named.data.terminalName };
  }
  const running = await terminals.serverOf(tenantId, workspaceId).list();
  if (running === undefined) {
    throw withoutTerminals(services, workspace);
  }
  if (running.length === 0) {
    const name = services.connections.nameOf(tenantId, workspaceId);
    throw new Error(vscode.l10n.t("No terminals are running in {0}.", name));
  }
  const { name } = await pickItem(
    running.map((terminal) => itemOf(terminal)),
    { title },
  );
  return { ...workspace, name };
}

function itemOf({ name, lastActivity }: RunningTerminal): vscode.QuickPickItem & { readonly name: string } {
  const used = relativeDate(lastActivity, vscode.env.language);
  return {
    label: vscode.l10n.t("Terminal {0}", displayedName(name)),
    description: used === undefined ? "" : vscode.l10n.t("last used {0}", used),
    iconPath: new vscode.ThemeIcon("terminal"),
    name,
  };
}

function withoutTerminals({ connections }: TerminalServices, { tenantId, workspaceId }: WorkspaceReference): Error {
  const name = connections.nameOf(tenantId, workspaceId);
  return new Error(
    vscode.l10n.t("The content server of {0} has no terminals. Use Run Selection in Kernel instead.", name),
  );
}

import * as vscode from "vscode";
import { causeOf } from "../../api/http/errors.ts";
import type { CommandId } from "../../composition/declarations.ts";
import type { Connections } from "../../tenants/connections.ts";
import { openAddress } from "../../tenants/open-address.ts";
import { rowOf } from "../tree/elements.ts";
import { describeFailure, type ErrorContext, namedEntitiesOf, type Remedy, remedyFor } from "./remedies.ts";

/**
 * One run of a command. A handler names what it is about as soon as it knows, so that a failure can offer a way out and
 * name things; what was named before stays named.
 */
export interface CommandRun {
  setErrorContext(context: ErrorContext): void;
}

/** `argument` is the row, file or reference that it was called for; `selection` are all selected rows, where several are. */
export type CommandHandler = (run: CommandRun, argument: unknown, selection: readonly unknown[]) => unknown;
export type CommandHandlers = Readonly<Record<CommandId, CommandHandler>>;

export interface RunnerParts {
  readonly connections: Connections;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Registers every declared command, each with one log line and at most one error message. The handlers are loaded with
 * the first command that is run.
 */
export function registerCommands(
  ids: readonly string[],
  load: () => Promise<CommandHandlers>,
  parts: RunnerParts,
): vscode.Disposable {
  let loading: Promise<CommandHandlers> | undefined;
  const handlerOf = async (id: string): Promise<CommandHandler> => {
    loading ??= load();
    // The manifest is generated from the declarations, and each of those has a handler.
    return (await loading)[id as CommandId];
  };
  return vscode.Disposable.from(
    ...ids.map((id) =>
      vscode.commands.registerCommand(id, (argument: unknown, selection: unknown) => {
        const rows = Array.isArray(selection) ? selection.map(rowOf) : [];
        return runCommand(id, handlerOf(id), rowOf(argument), rows, parts);
      }),
    ),
  );
}

async function runCommand(
  id: string,
  handler: Promise<CommandHandler>,
  argument: unknown,
  selection: readonly unknown[],
  parts: RunnerParts,
): Promise<unknown> {
  let context: ErrorContext = { entities: namedEntitiesOf(argument) };
  parts.log.info(`command ${id}`);
  try {
    const run: CommandRun = {
      setErrorContext(named) {
        context = { ...named, entities: [...(context.entities ?? []), ...(named.entities ?? [])] };
      },
    };
    return await (await handler)(run, argument, selection);
  } catch (error) {
    if (error instanceof vscode.CancellationError || causeOf(error)?.type === "cancelled") {
      return undefined;
    }
    parts.log.error(`command ${id}: ${error instanceof Error ? error.message : String(error)}`);
    void showFailure(error, context, parts);
    return undefined;
  }
}

/** Shows a failure once, with its way out and the log as buttons, and does what is chosen. */
export async function showFailure(error: unknown, context: ErrorContext, parts: RunnerParts): Promise<void> {
  const remedy = remedyFor(error, context);
  const { tenantId, workspaceId } = context;
  const name =
    tenantId === undefined || workspaceId === undefined ? undefined : parts.connections.nameOf(tenantId, workspaceId);
  const showLog = vscode.l10n.t("Show Log");
  const label = remedy === undefined ? undefined : labelOf(remedy, error);
  const labels = label === undefined ? [showLog] : [label, showLog];
  const chosen = await vscode.window.showErrorMessage(describeFailure(error, context, name), ...labels);
  if (chosen === showLog) {
    parts.log.show();
  } else if (remedy !== undefined && chosen === label) {
    await apply(remedy, parts);
  }
}

function labelOf(remedy: Remedy, error: unknown): string {
  switch (remedy.type) {
    case "addTenant":
      return vscode.l10n.t("Add Tenant");
    case "signIn":
      return vscode.l10n.t("Sign In");
    case "enterToken":
      return causeOf(error)?.type === "tokenRefused"
        ? vscode.l10n.t("Enter New Token")
        : vscode.l10n.t("Enter Notebook Token");
    case "start":
      return vscode.l10n.t("Start Workspace");
    case "openInBrowser":
      return vscode.l10n.t("Open in Browser");
  }
}

async function apply(remedy: Remedy, { connections }: RunnerParts): Promise<void> {
  switch (remedy.type) {
    case "addTenant":
      return execute("platformWorkbench.addTenant");
    case "signIn":
      return execute("platformWorkbench.signIn", { tenantId: remedy.tenantId });
    case "enterToken":
      return execute("platformWorkbench.setNotebookToken", remedy);
    case "start":
      return execute("platformWorkbench.startWorkspace", remedy);
    case "openInBrowser":
      return openThenStart(remedy, connections);
  }
}

async function openThenStart(
  { address, tenantId, workspaceId }: Remedy & { readonly type: "openInBrowser" },
  connections: Connections,
): Promise<void> {
  const wasOpened = await openAddress(connections.tenant(tenantId), address);
  if (!wasOpened || workspaceId === undefined) {
    return;
  }
  const start = vscode.l10n.t("Start Workspace");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      "Start {0} again as soon as the page in the browser shows it.",
      connections.nameOf(tenantId, workspaceId),
    ),
    start,
  );
  if (chosen === start) {
    await execute("platformWorkbench.startWorkspace", { tenantId, workspaceId });
  }
}

async function execute(id: CommandId, argument?: unknown): Promise<void> {
  await vscode.commands.executeCommand(id, argument);
}

import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { causeOf } from "../../api/http/errors.ts";
import { lazy } from "../../api/lazy.ts";
import { rowOf } from "../tree/elements.ts";
import { type ErrorContext, namedEntitiesOf } from "./error-context.ts";
import type { FailureParts } from "./failure.ts";
import { isRowLost } from "./lost-row.ts";

/**
 * A run of a command. A handler adds the affected items as soon as it knows them, so that an error message can name
 * them and offer a remedy. Earlier items are kept.
 */
export interface CommandRun {
  setErrorContext(context: ErrorContext): void;
}

/**
 * `argument` is the row, file, or reference that the command was called for; `selection` has all selected rows if there
 * are several.
 */
export type CommandHandler = (run: CommandRun, argument: unknown, selection: readonly unknown[]) => unknown;
export type CommandHandlers<CommandId extends string> = Readonly<Record<CommandId, CommandHandler>>;
/** The handler of a command that is useful even if the editor no longer knows the row that it was chosen for. */
interface HandlerWithoutRow {
  readonly withoutRow: CommandHandler;
}
/** Handlers of all kinds. */
export type ContributedHandlers<CommandId extends string> = Readonly<
  Record<CommandId, CommandHandler | HandlerWithoutRow>
>;

export interface CommandParts extends FailureParts {
  /** The extension's package.json. */
  readonly manifest: unknown;
}

/**
 * Registers commands, each with one log line and at most one error message. The handlers are loaded when the first
 * command runs.
 */
export function registerCommands(
  ids: readonly string[],
  loadHandlers: () => Promise<ContributedHandlers<string>>,
  parts: CommandParts,
): vscode.Disposable {
  const load = lazy(async () => {
    const started = performance.now();
    const handlers = await loadHandlers();
    parts.log.debug(`loaded the handlers of ${ids.length} commands in ${Math.round(performance.now() - started)} ms`);
    return handlers;
  });
  const handlerOf = async (id: string, values: readonly unknown[]): Promise<CommandHandler> => {
    const handler = (await load())[id];
    if (handler === undefined) {
      throw new Error(`the command ${id} has no handler`);
    }
    if (typeof handler !== "function") {
      return handler.withoutRow;
    }
    if (isRowLost(id, values, parts.manifest)) {
      throw new Error(
        vscode.l10n.t("The view was updated before the command could read its row. Choose the command again."),
      );
    }
    return handler;
  };
  return vscode.Disposable.from(
    ...ids.map((id) =>
      vscode.commands.registerCommand(id, (...values: readonly unknown[]) => {
        const [argument, selection] = values;
        const rows = Array.isArray(selection) ? selection.map(rowOf) : [];
        return runCommand(id, handlerOf(id, values), rowOf(argument), rows, parts);
      }),
    ),
  );
}

async function runCommand(
  id: string,
  handler: Promise<CommandHandler>,
  argument: unknown,
  selection: readonly unknown[],
  parts: FailureParts,
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
    parts.log.error(`command ${id}: ${errorMessage(error)}`);
    const { showFailure } = await import("./failure.ts");
    void showFailure(error, context, parts);
    return undefined;
  }
}

import type { SaveRemedies } from "../file-system/provider/blocked-saves.ts";
import type { Connections } from "../tenants/connections.ts";
import type { ExtensionLog } from "../tenants/extension-log.ts";
import type { ErrorContext } from "../ui/commands/error-context.ts";
import type { RemedyCommands } from "../ui/commands/failure.ts";
import type { CommandId } from "./features.ts";

/** The commands that resolve failures. */
export const remedies: RemedyCommands & SaveRemedies = {
  addTenant: "platformWorkbench.addTenant",
  signIn: "platformWorkbench.signIn",
  enterToken: "platformWorkbench.setNotebookToken",
  start: "platformWorkbench.startWorkspace",
  merge: "platformWorkbench.mergeWithServer",
  compare: "platformWorkbench.compareWithServer",
  overwrite: "platformWorkbench.overwriteServerVersion",
} satisfies Readonly<Record<string, CommandId>>;

/** Shows failures with their remedies. */
export function errorReporter(
  connections: Connections,
  log: ExtensionLog,
): (error: unknown, context: ErrorContext) => Promise<void> {
  return async (error, context) => {
    const { showFailure } = await import("../ui/commands/failure.ts");
    await showFailure(error, context, { connections, log, remedies });
  };
}

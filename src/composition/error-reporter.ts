import type { Connections } from "../tenants/connections.ts";
import type { ExtensionLog } from "../tenants/extension-log.ts";
import type { ErrorContext } from "../ui/commands/error-context.ts";

/** Shows failures with their remedies. */
export function errorReporter(
  connections: Connections,
  log: ExtensionLog,
): (error: unknown, context: ErrorContext) => Promise<void> {
  return async (error, context) => {
    const { showFailure } = await import("../ui/commands/failure.ts");
    await showFailure(error, context, { connections, log });
  };
}

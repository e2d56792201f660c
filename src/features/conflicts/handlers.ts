import { compareWithServer, mergeWithServer } from "../../file-system/merge/conflicts.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { activeFile } from "../../ui/commands/active-file.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import type { ConflictsCommandId } from "./declarations.ts";

/** The active file beside the server's version of it, and both merged. */
export function conflictCommands({
  files,
}: {
  readonly files: PlatformFileSystem;
}): CommandHandlers<ConflictsCommandId> {
  return {
    "platformWorkbench.compareWithServer": async (run, argument) => {
      const { uri, tenantId, workspaceId } = activeFile(argument);
      run.setErrorContext({ tenantId, workspaceId });
      await compareWithServer(uri);
    },
    "platformWorkbench.mergeWithServer": async (run, argument) => {
      const { uri, tenantId, workspaceId } = activeFile(argument);
      run.setErrorContext({ tenantId, workspaceId });
      await mergeWithServer(files, uri);
    },
  };
}

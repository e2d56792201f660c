import * as vscode from "vscode";
import * as z from "zod/mini";
import {
  compareWithServer,
  createAgain,
  mergeWithServer,
  newerVersionOf,
  overwriteServer,
} from "../../file-system/merge/conflicts.ts";
import { mergedDocument, saveMerged } from "../../file-system/merge/unresolved-conflicts.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { type ActiveFile, activeFile } from "../../ui/commands/active-file.ts";
import { activeUris } from "../../ui/commands/active-uris.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { fullDate } from "../../ui/details/full-date.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { acceptChange } from "./accepted-changes.ts";
import type { ConflictsCommandId } from "./declarations.ts";

/** The argument of a link in the editor's message of a failed save. */
const linked = z.looseObject({ file: z.string() });

/** Commands that compare the server's version of a file with the editor's, merge it, and overwrite it. */
export function conflictCommands({
  files,
}: {
  readonly files: PlatformFileSystem;
}): CommandHandlers<ConflictsCommandId> {
  return {
    "platformWorkbench.compareWithServer": (run, argument) => compareWithServer(fileOf(run, argument).uri),
    "platformWorkbench.mergeWithServer": async (run, argument) => {
      await closeFailedSave(argument);
      await mergeWithServer(files, fileOf(run, argument).uri);
    },
    "platformWorkbench.overwriteServerVersion": (run, argument) => overwrite(files, fileOf(run, argument)),
    "platformWorkbench.acceptChange": (_, argument) => acceptChange(argument),
    "platformWorkbench.saveMerged": async () => {
      const document = mergedDocument(activeUris());
      await (document === undefined
        ? vscode.commands.executeCommand("workbench.action.files.save")
        : saveMerged(document));
    },
  };
}

/** Closes the editor's message of a failed save, whose link was clicked. Otherwise, it stays until the user closes it. */
async function closeFailedSave(argument: unknown): Promise<void> {
  if (z.safeParse(linked, argument).success) {
    await vscode.commands.executeCommand("notification.clear");
  }
}

function fileOf(run: CommandRun, argument: unknown): ActiveFile {
  const link = z.safeParse(linked, argument);
  const file = activeFile(link.success ? vscode.Uri.parse(link.data.file, true) : argument);
  run.setErrorContext({ tenantId: file.tenantId, workspaceId: file.workspaceId });
  return file;
}

async function overwrite(files: PlatformFileSystem, { uri, name, path }: ActiveFile): Promise<void> {
  const server = await newerVersionOf(files, uri);
  if (server === "missing") {
    await createAgain(files, uri);
    return;
  }
  if (server === undefined) {
    throw new Error(vscode.l10n.t("The server doesn't have another version of {0}. Save it as usual.", name));
  }
  const time = fullDate(server.lastModified) ?? server.lastModified;
  const size = sizeText(server.size, vscode.env.language);
  await confirm({
    question: vscode.l10n.t("Overwrite the server's version of {0} with yours?", name),
    touched: [time === "" ? `${path}, ${size}` : vscode.l10n.t("{0}, {1}, changed {2}", path, size, time)],
    consequence: vscode.l10n.t("The server's version is kept. To restore it, run Platform: List Checkpoints…"),
    action: vscode.l10n.t("Overwrite"),
  });
  await overwriteServer(files, uri, server);
}

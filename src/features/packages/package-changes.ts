import * as vscode from "vscode";
import type { PackageEnvironment } from "../../api/companion/operations/packages.ts";
import { shellCommand } from "../../api/shell-words.ts";
import type { CompanionPlace } from "../../tenants/companions.ts";
import { showWarning } from "../../tenants/messages.ts";
import type { PackageServices } from "./package-services.ts";

/** Maximum number of characters of a command, which a terminal takes as one line. */
const maxLineLength = 4000;

/** A command that changes an environment. */
export interface PackageChange {
  readonly place: CompanionPlace;
  readonly environment: PackageEnvironment;
  readonly words: readonly string[];
  /** The folder of the terminal, as a path in the workspace. Default: its root. */
  readonly folder?: string;
}

/** Runs the command in a terminal of the workspace. Without terminals, offers to copy it. */
export async function changePackages(
  { connections, terminalCommands }: Pick<PackageServices, "connections" | "terminalCommands">,
  { place, environment, words, folder = "" }: PackageChange,
): Promise<void> {
  const line = shellCommand(words);
  if (line.length > maxLineLength) {
    throw new Error(vscode.l10n.t("The command is too long for a terminal. Install fewer packages at once."));
  }
  // The shell of a Windows server quotes in another way.
  if (!environment.isWindows && (await terminalCommands.run({ ...place, folder, line }))) {
    return;
  }
  const copy = vscode.l10n.t("Copy Command");
  const name = connections.nameOf(place.tenantId, place.workspaceId);
  const text = environment.isWindows
    ? vscode.l10n.t("{0} runs on Windows. Copy the command, and run it in a terminal there.", name)
    : vscode.l10n.t(
        "The content server of {0} has no terminals. Copy the command, and run it in a cell, after an exclamation mark.",
        name,
      );
  if ((await showWarning(text, copy)) === copy) {
    await vscode.env.clipboard.writeText(line);
  }
}

/** The error for an environment that nothing can change. */
export function withoutTool({ prefix }: PackageEnvironment): Error {
  return new Error(vscode.l10n.t("The environment {0} has no pip, and uv isn't installed on the server.", prefix));
}

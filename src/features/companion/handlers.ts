import * as vscode from "vscode";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { workspaceInView } from "../../ui/quick-input/workspace-choice.ts";
import type { CompanionServices } from "./companion-services.ts";
import type { CompanionCommandId } from "./declarations.ts";
import type { WorkspaceCompanions } from "./workspace-companions.ts";

/** The commands of companions. */
export function companionCommands(
  companions: WorkspaceCompanions,
  services: CompanionServices,
): CommandHandlers<CompanionCommandId> {
  const { connections } = services;
  return {
    "platformWorkbench.restartCompanion": async (run, argument) => {
      const place = await workspaceInView(services, run, argument, vscode.l10n.t("Restart Companion of Workspace"));
      await companions.restart(place);
      const name = connections.nameOf(place.tenantId, place.workspaceId);
      void showInformation(vscode.l10n.t("The companion of {0} is running.", name));
    },
    "platformWorkbench.endCompanion": async (run, argument) => {
      const place = await workspaceInView(services, run, argument, vscode.l10n.t("End Companion of Workspace"));
      await companions.end(place);
    },
  };
}

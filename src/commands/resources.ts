import * as vscode from "vscode";
import * as z from "zod/mini";
import { detailsUri } from "../documents/details/details-address.ts";
import { type PlatformResource, resource } from "../documents/resource.ts";
import { resourceLink } from "../documents/resource-link.ts";
import { resourcePage } from "../documents/resource-pages.ts";
import type { Connections } from "../tenants/connections.ts";
import type { CommandHandlers, CommandRun } from "./command-runner.ts";

type ResourceCommandId = `platformWorkbench.${
  | "showDetails"
  | "showJson"
  | "openInBrowser"
  | "copyId"
  | "copyName"
  | "copyLink"}`;

const ofResource = z.looseObject({ resource });

/** The resource that a row carries, or that a caller names itself. */
export function resourceOf(argument: unknown): PlatformResource {
  const carried = z.safeParse(ofResource, argument);
  return carried.success ? carried.data.resource : z.parse(resource, argument);
}

/** What every row that is about a resource offers. */
export function resourceCommands(parts: {
  readonly connections: Connections;
}): Pick<CommandHandlers, ResourceCommandId> {
  const { connections } = parts;
  const take = (run: CommandRun, argument: unknown): PlatformResource => {
    const taken = resourceOf(argument);
    run.concerns({ tenantId: taken.tenantId });
    return taken;
  };
  return {
    "platformWorkbench.showDetails": async (run, argument) => {
      const uri = detailsUri(take(run, argument), "details");
      await vscode.commands.executeCommand("markdown.showPreview", uri);
    },
    "platformWorkbench.showJson": async (run, argument) => {
      await vscode.window.showTextDocument(detailsUri(take(run, argument), "json"), { preview: true });
    },
    "platformWorkbench.openInBrowser": async (run, argument) => {
      const taken = take(run, argument);
      const page = resourcePage(connections.tenant(taken.tenantId), taken);
      if (page === undefined) {
        throw new Error(vscode.l10n.t("{0} has no page of its own in the browser.", taken.name));
      }
      await vscode.env.openExternal(vscode.Uri.parse(page, true));
    },
    "platformWorkbench.copyId": (run, argument) => vscode.env.clipboard.writeText(take(run, argument).id),
    "platformWorkbench.copyName": (run, argument) => vscode.env.clipboard.writeText(take(run, argument).name),
    "platformWorkbench.copyLink": (run, argument) =>
      vscode.env.clipboard.writeText(resourceLink(take(run, argument), vscode.env.uriScheme)),
  };
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Tenant } from "../../tenants/tenant.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { detailsUri } from "../../ui/details/details-address.ts";
import { type PlatformResource, resource } from "../../ui/resources/resource.ts";
import type { NavigationCommandId } from "./declarations.ts";
import { type AnythingChoiceParts, chooseAnything } from "./go-to-anything.ts";
import { linkTo, pageOf } from "./resource-addresses.ts";

type ResourceAction = (resource: PlatformResource) => Thenable<unknown>;

const ofResource = z.looseObject({ resource });

/** The resource of a row, or the resource that a caller passes directly. */
function resourceOf(argument: unknown): PlatformResource {
  const carried = z.safeParse(ofResource, argument);
  return carried.success ? carried.data.resource : z.parse(resource, argument);
}

/** The commands of all rows with a resource. In the palette, they ask for the resource. */
export function resourceCommands(parts: AnythingChoiceParts) {
  const ofRow =
    (act: ResourceAction) =>
    (run: CommandRun, argument: unknown): Thenable<unknown> => {
      const taken = resourceOf(argument);
      run.setErrorContext({ tenantId: taken.tenantId });
      return act(taken);
    };
  const ofChoice = (act: ResourceAction, title: (tenant: string) => string) => async (run: CommandRun) =>
    act(await chooseAnything(parts, run, title));
  const tenantOf = ({ tenantId }: PlatformResource): Tenant => parts.connections.tenant(tenantId);
  const openInBrowser: ResourceAction = (resource) =>
    vscode.env.openExternal(vscode.Uri.parse(pageOf(tenantOf(resource), resource), true));
  const copyLink: ResourceAction = async (resource) =>
    vscode.env.clipboard.writeText(await linkTo(tenantOf(resource), resource));
  return {
    "platformWorkbench.showDetails": ofRow(showDetails),
    "platformWorkbench.showDetailsOf": ofChoice(showDetails, (tenant) =>
      vscode.l10n.t("Show Details of Anything on {0}", tenant),
    ),
    "platformWorkbench.showJson": ofRow(showJson),
    "platformWorkbench.showJsonOf": ofChoice(showJson, (tenant) =>
      vscode.l10n.t("Show Raw JSON of Anything on {0}", tenant),
    ),
    "platformWorkbench.openInBrowser": ofRow(openInBrowser),
    "platformWorkbench.openInBrowserOf": ofChoice(openInBrowser, (tenant) =>
      vscode.l10n.t("Open Anything on {0} in the Browser", tenant),
    ),
    "platformWorkbench.copyId": ofRow(copyId),
    "platformWorkbench.copyIdOf": ofChoice(copyId, (tenant) => vscode.l10n.t("Copy the ID of Anything on {0}", tenant)),
    "platformWorkbench.copyName": ofRow(({ name }) => vscode.env.clipboard.writeText(name)),
    "platformWorkbench.copyLink": ofRow(copyLink),
    "platformWorkbench.copyWebAddress": ofRow((resource) =>
      vscode.env.clipboard.writeText(pageOf(tenantOf(resource), resource)),
    ),
    "platformWorkbench.copyLinkOf": ofChoice(copyLink, (tenant) =>
      vscode.l10n.t("Copy a Link to Anything on {0}", tenant),
    ),
  } satisfies Partial<CommandHandlers<NavigationCommandId>>;
}

const showDetails: ResourceAction = (resource) =>
  vscode.commands.executeCommand("markdown.showPreview", detailsUri(resource, "details"));

const showJson: ResourceAction = (resource) =>
  vscode.window.showTextDocument(detailsUri(resource, "json"), { preview: true });

const copyId: ResourceAction = ({ id }) => vscode.env.clipboard.writeText(id);

import * as vscode from "vscode";
import * as z from "zod/mini";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { detailsUri } from "../../ui/details/details-address.ts";
import { type PlatformResource, resource } from "../../ui/resources/resource.ts";
import { resourceLink } from "../../ui/resources/resource-link.ts";
import { resourcePage } from "../../ui/resources/resource-pages.ts";
import type { NavigationCommandId } from "./declarations.ts";
import { type AnythingChoiceParts, chooseAnything } from "./go-to-anything.ts";

type ResourceAction = (resource: PlatformResource) => Thenable<unknown>;

const ofResource = z.looseObject({ resource });

/** The resource that a row carries, or that a caller names itself. */
function resourceOf(argument: unknown): PlatformResource {
  const carried = z.safeParse(ofResource, argument);
  return carried.success ? carried.data.resource : z.parse(resource, argument);
}

/** What every row that is about a resource offers; without a row, the palette's commands ask what they are about. */
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
  const openInBrowser: ResourceAction = (resource) =>
    vscode.env.openExternal(vscode.Uri.parse(pageOf(parts, resource), true));
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
    "platformWorkbench.copyIdOf": ofChoice(copyId, (tenant) => vscode.l10n.t("Copy the Id of Anything on {0}", tenant)),
    "platformWorkbench.copyName": ofRow(({ name }) => vscode.env.clipboard.writeText(name)),
    "platformWorkbench.copyLink": ofRow(copyLink),
    "platformWorkbench.copyWebAddress": ofRow((resource) => vscode.env.clipboard.writeText(pageOf(parts, resource))),
    "platformWorkbench.copyLinkOf": ofChoice(copyLink, (tenant) =>
      vscode.l10n.t("Copy a Link to Anything on {0}", tenant),
    ),
  } satisfies Partial<CommandHandlers<NavigationCommandId>>;
}

/** The https address of a resource in the tenant's web application, which anybody with access can open. */
function pageOf({ connections }: AnythingChoiceParts, resource: PlatformResource): string {
  const page = resourcePage(connections.tenant(resource.tenantId), resource);
  if (page === undefined) {
    throw new Error(vscode.l10n.t("{0} has no web page.", resource.name));
  }
  return page;
}

const showDetails: ResourceAction = (resource) =>
  vscode.commands.executeCommand("markdown.showPreview", detailsUri(resource, "details"));

const showJson: ResourceAction = (resource) =>
  vscode.window.showTextDocument(detailsUri(resource, "json"), { preview: true });

const copyId: ResourceAction = ({ id }) => vscode.env.clipboard.writeText(id);

const copyLink: ResourceAction = (resource) =>
  vscode.env.clipboard.writeText(resourceLink(resource, vscode.env.uriScheme));

import * as vscode from "vscode";
import { shareApps } from "../../api/catalogue/operations/app-studio.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { allApps, readAppAccess } from "../../api/families/app-studio.ts";
import { type Principal, usersAndGroups } from "../../api/families/people.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { orOnWebPage } from "../../ui/commands/web-page-offer.ts";
import {
  currentTenant,
  namedResource,
  type ResourceChoiceParts,
  resourceItem,
} from "../../ui/quick-input/choose-resource.ts";
import { namesOf, pickPeople } from "../../ui/quick-input/people-picker.ts";
import { pickBySearch } from "../../ui/quick-input/search-pick.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";
import { treeCommands } from "../../ui/tree/tree-commands.ts";
import type { AppStudioCommandId } from "./declarations.ts";
import { accessKey } from "./rows.ts";

type AppStudioParts = ResourceChoiceParts & { readonly trees: TreesOf<"apps"> };

/** The commands of the App Studio view. */
export function appStudioCommands(parts: AppStudioParts): CommandHandlers<AppStudioCommandId> {
  return {
    ...treeCommands("Apps", parts.trees.apps),
    "platformWorkbench.shareApp": (run, argument) => shareChosenApp(parts, run, argument),
  };
}

/** Asks for people, and gives them access to an app. */
async function shareChosenApp(parts: AppStudioParts, run: CommandRun, argument: unknown): Promise<void> {
  const app = await chooseApp(parts, run, argument, vscode.l10n.t("Share App Studio App"));
  const client = await parts.connections.platform(app.tenantId);
  const people = await pickPeople({
    title: vscode.l10n.t("Share {0}", app.name),
    placeholder: vscode.l10n.t("Choose users and groups to share with"),
    withAccess: (await readAppAccess(client, app.id)).map((one) => ({ ...one, access: vscode.l10n.t("has access") })),
    list: (signal) => usersAndGroups(client, { signal }),
  });
  await shareApp(parts, client, app, people);
}

/** Gives people access to an app, after a confirmation. */
export async function shareApp(
  parts: AppStudioParts,
  client: PlatformClient,
  app: PlatformResource,
  people: readonly Principal[],
): Promise<void> {
  await confirm({
    question: vscode.l10n.t("Share {0} with {1}?", app.name, namesOf(people)),
    consequence: vscode.l10n.t("They can see the app with its views and cards. No email is sent."),
    action: vscode.l10n.t("Share"),
  });
  const shared = await orOnWebPage(parts.connections, client, app, {
    operations: [shareApps],
    work: () =>
      client.call(shareApps, {
        sendEmail: false,
        body: {
          dataAppIds: [app.id],
          recipients: people.map(({ type, id }) => ({
            type: type === "GROUP" ? ("group" as const) : ("user" as const),
            id,
          })),
        },
      }),
  });
  if (!shared.isOnWebPage) {
    await parts.trees.apps.refreshLists(app.tenantId, accessKey(app.id));
    void showInformation(vscode.l10n.t("Shared with {0}: {1}.", namesOf(people), app.name));
  }
}

/** The app of a row or a caller, or the one that the user picks. Throws a CancellationError if canceled. */
async function chooseApp(
  { registry, connections }: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<PlatformResource> {
  const named = namedResource(argument);
  if (named?.type === "studioApp") {
    run.setErrorContext({ tenantId: named.tenantId, entities: [named] });
    return named;
  }
  const tenant = currentTenant(registry);
  run.setErrorContext({ tenantId: tenant.id });
  const client = await connections.platform(tenant.id);
  const chosen = await pickBySearch({
    title: `${title} · ${tenant.label}`,
    placeholder: vscode.l10n.t("Search App Studio apps by name"),
    nothingFits: vscode.l10n.t("No matching App Studio apps"),
    search: (text, signal) => appItems(client, tenant.id, text, signal),
  });
  run.setErrorContext({ tenantId: tenant.id, entities: [chosen] });
  return chosen;
}

async function* appItems(client: PlatformClient, tenantId: string, text: string, signal: AbortSignal) {
  for await (const apps of allApps(client, text, { signal })) {
    yield apps.flatMap(({ dataAppId, title }) => {
      const id = dataAppId?.toString();
      return id === undefined ? [] : [resourceItem({ type: "studioApp", tenantId, id, name: title ?? id })];
    });
  }
}

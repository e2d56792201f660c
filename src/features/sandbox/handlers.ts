import * as vscode from "vscode";
import type { AuthorizedInstance } from "../../api/catalogue/models/sandbox.ts";
import {
  getSandboxSettings,
  updateAlias,
  updateRepositoryAccess,
  updateRepositoryPermissions,
} from "../../api/catalogue/operations/sandbox.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { allGroups, allUsers } from "../../api/families/people.ts";
import {
  authorizedInstances,
  commitRepository,
  domainsWithAccess,
  permissionUpdateFor,
  toggleSameInstancePromotion,
} from "../../api/families/sandbox.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { withProgressIn } from "../../ui/commands/progress.ts";
import { currentTenant } from "../../ui/quick-input/choose-resource.ts";
import { choice, required, text } from "../../ui/quick-input/questions.ts";
import { pickItems } from "../../ui/quick-input/show-input.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import { treeCommands } from "../../ui/tree/tree-commands.ts";
import { choosePermission, chooseRepository, type SandboxCommandParts } from "./choice.ts";
import { reportCommit } from "./completion.ts";
import { cutText } from "./cut-lists.ts";
import type { SandboxCommandId } from "./declarations.ts";
import { searchHistory } from "./history.ts";
import { promote } from "./promotion.ts";

/** The repository commands of rows and the palette. */
export function sandboxCommands(services: SandboxCommandParts): CommandHandlers<SandboxCommandId> {
  const { sandbox } = services.trees;
  const parts = { ...services, connections: withProgressIn(sandbox, services.connections) };
  return {
    ...treeCommands("Sandbox", sandbox),
    "platformWorkbench.createCommit": (run, argument) => createCommit(parts, run, argument),
    "platformWorkbench.promoteAndSeed": (run, argument) => promote(parts, run, argument),
    "platformWorkbench.giveRepositoryAccess": (run, argument) => changeRepositoryAccess(parts, run, argument),
    "platformWorkbench.changeRepositoryPermission": (run, argument) => changePermission(parts, run, argument),
    "platformWorkbench.changeInstanceAlias": (run) => changeAlias(parts, run),
    "platformWorkbench.toggleSameInstancePromotion": (run) => togglePromotion(parts, run),
    "platformWorkbench.searchCommitRequests": (run, argument) => searchHistory(parts, run, argument, "commitRequests"),
    "platformWorkbench.searchPromotions": (run, argument) => searchHistory(parts, run, argument, "promotions"),
  };
}

/** Requests a commit. The commit continues after the response: the tree shows it, and a message reports its outcome. */
async function createCommit(parts: SandboxCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Create Commit");
  const { client, tenantId, repositoryId, name } = await chooseRepository(parts, run, argument, title);
  const form = await Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Describe the commit"),
        placeholder: vscode.l10n.t("Summary"),
        read: required(vscode.l10n.t("A summary is required.")),
      })),
      (summary) => ({ summary }),
    )
    .step(
      choice(() => ({
        placeholder: vscode.l10n.t("Choose who can see the commit"),
        items: [
          { label: vscode.l10n.t("Visible"), description: vscode.l10n.t("to everyone with access"), value: false },
          { label: vscode.l10n.t("Hidden"), description: vscode.l10n.t("not listed for other people"), value: true },
        ],
      })),
      (hidden) => ({ hidden }),
    )
    .ask(`${title} · ${name}`);
  const request = await commitRepository(client, repositoryId, form);
  const onEnded = (): Promise<void> => showAgain(parts, tenantId, repositoryId);
  const connect = (): Promise<PlatformClient> => parts.connections.platform(tenantId);
  void reportCommit({ connect, tenantId, repositoryId, name, onEnded }, request);
  await showAgain(parts, tenantId, repositoryId);
}

/** Refreshes the lists that an action on a repository has changed, if they were read. */
async function showAgain({ trees }: SandboxCommandParts, tenantId: string, repositoryId: string): Promise<void> {
  const key = `repository/${repositoryId}`;
  const parts = ["commits", "commitRequests", "promotions", "access", "permissions"].map((part) => `${key}/${part}`);
  await trees.sandbox.refreshLists(tenantId, "repositories", ...parts);
}

/** The new list replaces the current one. Asks before instances lose access. */
async function changeRepositoryAccess(parts: SandboxCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Change Instances with Access");
  const { client, tenantId, repositoryId, name } = await chooseRepository(parts, run, argument, title);
  const [before, listed] = await Promise.all([domainsWithAccess(client, repositoryId), authorizedInstances(client)]);
  const aliases = new Map(
    listed.items.map(({ aliasedDomain, domain, alias }) => [aliasedDomain ?? domain ?? "", alias ?? ""]),
  );
  const domains = [...new Set([...before, ...aliases.keys()])].filter((domain) => domain !== "").sort();
  if (domains.length === 0) {
    throw new Error(
      vscode.l10n.t(
        "No instances are authorized for promotions yet. Authorize an instance first, then give it access.",
      ),
    );
  }
  const chosen = await pickItems(
    domains.map((domain) => ({
      label: domain,
      description: [aliases.get(domain), before.includes(domain) ? vscode.l10n.t("has access") : ""]
        .filter(Boolean)
        .join(" · "),
      picked: before.includes(domain),
    })),
    {
      title: `${title} · ${name}`,
      placeHolder: [vscode.l10n.t("Select the instances that have access"), cutText(listed)]
        .filter((part) => part !== undefined)
        .join(" · "),
    },
  );
  const after = chosen.map(({ label }) => label);
  const losing = before.filter((domain) => !after.includes(domain));
  const gaining = after.filter((domain) => !before.includes(domain));
  if (losing.length === 0 && gaining.length === 0) {
    return;
  }
  if (losing.length > 0) {
    await confirm({
      question:
        losing.length === 1
          ? vscode.l10n.t("Remove access to {0} for {1}?", name, losing[0] ?? "")
          : vscode.l10n.t("Remove access to {0} for {1} instances?", name, losing.length),
      touched: losing,
      consequence: vscode.l10n.t("Deployments on these instances can no longer receive commits from this repository."),
      action: vscode.l10n.t("Remove Access"),
    });
  }
  // The complete list is sent, so read it again: an instance that got access meanwhile keeps it.
  const current = await domainsWithAccess(client, repositoryId);
  const kept = current.filter((domain) => !losing.includes(domain));
  await client.call(updateRepositoryAccess, { repositoryId, body: [...new Set([...kept, ...gaining])] });
  await showAgain(parts, tenantId, repositoryId);
}

async function changePermission(parts: SandboxCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Change Repository Permission");
  const { client, tenantId, repositoryId, name } = await chooseRepository(parts, run, argument, title);
  const choice = await choosePermission(
    { client, tenantId, repositoryId, title: `${title} · ${name}` },
    argument,
    (signal) => people(client, signal),
  );
  const { who, permission } = choice;
  const reference = who.type === "GROUP" ? { groupId: who.id } : { userId: who.id };
  await client.call(updateRepositoryPermissions, { repositoryId, body: [permissionUpdateFor(reference, permission)] });
  await showAgain(parts, tenantId, repositoryId);
}

async function* people(client: Parameters<typeof allUsers>[0], signal: AbortSignal) {
  yield* allUsers(client, { signal });
  yield* allGroups(client, { signal });
}

async function changeAlias(parts: SandboxCommandParts, run: CommandRun): Promise<void> {
  const { id: tenantId, label } = currentTenant(parts.registry);
  const title = `${vscode.l10n.t("Change Instance Alias")} · ${label}`;
  run.setErrorContext({ tenantId });
  const client = await parts.connections.platform(tenantId);
  const listed = await authorizedInstances(client);
  const { items: instances } = listed;
  if (instances.length === 0) {
    throw new Error(vscode.l10n.t("No other instances are authorized for promotions yet."));
  }
  const { instance, alias } = await Steps.from({})
    .step(
      choice(() => ({
        placeholder: [vscode.l10n.t("Instance"), cutText(listed)].filter((part) => part !== undefined).join(" · "),
        items: instances.map((value) => ({ label: domainOf(value) ?? "?", description: value.alias ?? "", value })),
      })),
      (chosen) => ({ instance: chosen }),
    )
    .step(
      text((form) => ({
        title: `${vscode.l10n.t("Change Instance Alias")} · ${domainOf(form.instance) ?? ""}`,
        prompt: vscode.l10n.t("Name of the instance to show in lists"),
        placeholder: vscode.l10n.t("Alias"),
        initial: form.instance.alias ?? "",
        read: required(vscode.l10n.t("An alias is required.")),
      })),
      (typed) => ({ alias: typed }),
    )
    .ask(title);
  const aliasedDomain = domainOf(instance) ?? "";
  await client.call(updateAlias, { body: { aliasedDomain, alias } });
  void showInformation(vscode.l10n.t("The alias of {0} is now {1}.", aliasedDomain, alias));
}

function domainOf({ aliasedDomain, domain }: AuthorizedInstance): string | undefined {
  return aliasedDomain ?? domain ?? undefined;
}

async function togglePromotion(parts: SandboxCommandParts, run: CommandRun): Promise<void> {
  const tenant = currentTenant(parts.registry);
  run.setErrorContext({ tenantId: tenant.id });
  const client = await parts.connections.platform(tenant.id);
  const { allowSelfPromotion } = await client.call(getSandboxSettings, {});
  const isAllowed = allowSelfPromotion === true;
  await confirm({
    question: isAllowed
      ? vscode.l10n.t("Forbid promotions within {0} itself?", tenant.label)
      : vscode.l10n.t("Allow promotions within {0} itself?", tenant.label),
    consequence: vscode.l10n.t("This setting applies to the whole instance."),
    action: isAllowed ? vscode.l10n.t("Forbid") : vscode.l10n.t("Allow"),
  });
  const after = await toggleSameInstancePromotion(client, !isAllowed);
  void showInformation(
    after.allowSelfPromotion === true
      ? vscode.l10n.t("{0} now allows promotions within the same instance.", tenant.label)
      : vscode.l10n.t("{0} now forbids promotions within the same instance.", tenant.label),
  );
}

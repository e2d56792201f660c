import * as vscode from "vscode";
import type { Commit } from "../../api/catalogue/models/sandbox.ts";
import { getSandboxSettings } from "../../api/catalogue/operations/sandbox.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { contentNames } from "../../api/families/content-names.ts";
import { repositoryContentItems } from "../../api/families/repository-content.ts";
import { commitsOf, promoteAndSeed } from "../../api/families/sandbox.ts";
import { PlatformError } from "../../api/http/errors.ts";
import { lazy } from "../../api/lazy.ts";
import { isSignedOut } from "../../tenants/access-obstacle.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { namedResource } from "../../ui/quick-input/choose-resource.ts";
import { choice, required, text } from "../../ui/quick-input/questions.ts";
import { prefilled, Steps } from "../../ui/quick-input/wizard.ts";
import { chooseRepository, type SandboxCommandParts } from "./choice.ts";
import { reportPromotion } from "./completion.ts";
import { isCut } from "./cut-lists.ts";
import { promotionOf, usualOptions } from "./promotion-mapping.ts";
import { itemText, optionsQuestion, targetText } from "./promotion-options.ts";

/**
 * Promotes a commit to a deployment and seeds a repository there. Asks for the commit, the deployment, and the optional
 * parts (the mapping, the seeded repository's name, the approval). Changes nothing before the last answer.
 */
export async function promote(parts: SandboxCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Promote and Seed");
  const named = namedResource(argument);
  const { client, tenantId, repositoryId, name, repository } = await chooseRepository(
    parts,
    run,
    named?.type === "deployment" || named?.type === "commit"
      ? { type: "repository", tenantId: named.tenantId, id: named.parentId ?? "", name: named.name }
      : argument,
    title,
  );
  const commitPage = await commitsOf(client, repositoryId);
  const { items: commits, total = commits.length } = commitPage;
  // The API description (2.10) has neither this member nor a list of deployments.
  const isListed = repository.deployments !== undefined;
  const deployments = repository.deployments ?? [];
  if (commits.length === 0 || (isListed && deployments.length === 0)) {
    throw new Error(
      commits.length === 0
        ? vscode.l10n.t("{0} has no commits to promote. Create a commit first.", name)
        : vscode.l10n.t("{0} has no deployment to promote to.", name),
    );
  }
  const namedCommit = commits.find(({ id }) => named?.type === "commit" && String(id) === named.id);
  const commitQuestion = choice(() => ({
    placeholder: isCut(commitPage)
      ? vscode.l10n.t("Commit ({0} of {1} shown)", commits.length, total)
      : vscode.l10n.t("Commit"),
    items: commits.map((value) => ({
      label: commitLabel(value),
      description: value.summary ?? "",
      iconPath: new vscode.ThemeIcon("git-commit"),
      value,
    })),
    initial: namedCommit,
  }));
  const deploymentQuestion = choice(() => ({
    placeholder: vscode.l10n.t("Deployment"),
    items: deployments.map(({ id, domain }) => ({
      label: domain ?? id ?? "?",
      // Only the id distinguishes several deployments of the same instance.
      description: domain && deployments.filter((one) => one.domain === domain).length > 1 ? (id ?? "") : "",
      iconPath: new vscode.ThemeIcon("cloud"),
      value: id ?? "",
    })),
  }));
  const deploymentIdQuestion = text(() => ({
    prompt: vscode.l10n.t("This platform doesn't list the deployments of {0}. Enter the ID of a deployment.", name),
    placeholder: vscode.l10n.t("ID of the deployment"),
    read: required(vscode.l10n.t("Enter an ID.")),
  }));
  const deployment =
    named?.type === "deployment"
      ? Steps.from({ deploymentId: named.id })
      : Steps.from({}).step(isListed ? deploymentQuestion : deploymentIdQuestion, (deploymentId) => ({ deploymentId }));
  const names = lazy(() => contentNames(client, repositoryContentItems(repository)));
  const domainOf = (id: string): string => deployments.find((one) => one.id === id)?.domain ?? id;
  const { commit, deploymentId, options } = await Steps.from({})
    .step(namedCommit === undefined ? commitQuestion : prefilled(commitQuestion, namedCommit), (commit) => ({ commit }))
    .branch(() => deployment, deployment.count)
    .step(
      optionsQuestion({
        usual: usualOptions(repository),
        domainOf,
        names,
        target: (domain) => clientFor(parts, tenantId, domain),
      }),
      (chosen) => ({ options: chosen }),
    )
    .ask(`${title} · ${name}`);
  const target = domainOf(deploymentId);
  const overwritten = options.mapping.filter((item) => item.target.type === "replaces");
  const known = overwritten.length === 0 ? new Map<string, string>() : await names();
  await confirm({
    question: vscode.l10n.t("Promote {0} of {1} to {2}?", commitLabel(commit), name, target),
    touched: [
      ...overwritten.map((item) => `${itemText(item, known)} ${targetText(item.target)}`),
      ...newLines(options.mapping.length - overwritten.length),
    ],
    consequence:
      overwritten.length === 0
        ? vscode.l10n.t("Nothing on {0} will be overwritten.", target)
        : vscode.l10n.t("Mapped items on {0} will be overwritten.", target),
    action: vscode.l10n.t("Promote"),
  });
  const promotion = await promoteAndSeed(
    client,
    { repositoryId, deploymentId },
    promotionOf(String(commit.id ?? ""), options),
  );
  const showAgain = (): Promise<void> =>
    parts.trees.sandbox.refreshLists(tenantId, `repository/${repositoryId}/promotions`);
  const connect = (): Promise<PlatformClient> => parts.connections.platform(tenantId);
  void reportPromotion({ connect, tenantId, repositoryId, name, onEnded: showAgain }, promotion, target);
  await showAgain();
}

function newLines(count: number): readonly string[] {
  if (count === 0) {
    return [];
  }
  return [count === 1 ? vscode.l10n.t("1 new item") : vscode.l10n.t("{0} new items", count)];
}

/** A client for the instance with that domain: this tenant, or another tenant that the user is signed in to. */
async function clientFor(
  { registry, connections }: SandboxCommandParts,
  tenantId: string,
  domain: string,
): Promise<PlatformClient | undefined> {
  const own = await connections.platform(tenantId);
  if (hostOf(connections.tenant(tenantId)) === domain || (await ownDomain(own)) === domain) {
    return own;
  }
  const known = registry.all.find((tenant) => hostOf(tenant) === domain);
  try {
    return known === undefined ? undefined : await connections.platform(known.id);
  } catch (error) {
    if (isSignedOut(error)) {
      return undefined;
    }
    throw error;
  }
}

/** The instance's domain in the sandbox; undefined if the platform doesn't report it. */
async function ownDomain(client: PlatformClient): Promise<string | undefined> {
  try {
    return (await client.call(getSandboxSettings, {})).domain ?? undefined;
  } catch (error) {
    if (error instanceof PlatformError) {
      return undefined;
    }
    throw error;
  }
}

function hostOf({ baseUrl }: Tenant): string {
  return new URL(baseUrl).hostname;
}

function commitLabel({ id, name, commitName }: Commit): string {
  return name ?? commitName ?? String(id ?? "");
}

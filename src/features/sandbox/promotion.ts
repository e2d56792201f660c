import * as vscode from "vscode";
import type { Commit, ContentMapping, Repository } from "../../api/catalogue/models/sandbox.ts";
import { commitsOf, promoteAndSeed } from "../../api/families/sandbox.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { sentenceWords } from "../../ui/format/constant-words.ts";
import { namedResource } from "../../ui/quick-input/choose-resource.ts";
import { anyText, askChoice, askText, choice, text } from "../../ui/quick-input/questions.ts";
import { answered, back, type Question, Steps } from "../../ui/quick-input/wizard.ts";
import { chooseRepository, type SandboxCommandParts } from "./choice.ts";

/** One content item of the repository, and where it goes. */
interface Place {
  readonly contentType: string;
  readonly repositoryObjectId: string;
  /** The item that it replaces; empty for a new one. */
  readonly deployObjectId: string;
}

/**
 * Promotes a commit to a deployment and seeds a repository there: the commit, the deployment, the mapping as a form of
 * one line for each content item, the seeded repository's name. Nothing is sent before the last answer.
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
  const { items: commits } = await commitsOf(client, repositoryId);
  const deployments = repository.deployments ?? [];
  if (commits.length === 0 || deployments.length === 0) {
    throw new Error(
      commits.length === 0
        ? vscode.l10n.t("{0} has no commit that could be promoted. Create one first.", name)
        : vscode.l10n.t("{0} has no deployment to promote to.", name),
    );
  }
  const namedCommit = commits.find(({ id }) => named?.type === "commit" && String(id) === named.id);
  const commitQuestion = choice(() => ({
    placeholder: vscode.l10n.t("Commit"),
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
      description: id ?? "",
      iconPath: new vscode.ThemeIcon("cloud"),
      value: id ?? "",
    })),
  }));
  const deployment =
    named?.type === "deployment"
      ? Steps.from({ deploymentId: named.id })
      : Steps.from({}).step(deploymentQuestion, (deploymentId) => ({ deploymentId }));
  const form = await Steps.from({})
    .step(namedCommit === undefined ? commitQuestion : answered(commitQuestion, namedCommit), (commit) => ({ commit }))
    .branch(() => deployment, deployment.count())
    .step(mappingQuestion(repository), (mapping) => ({ mapping }))
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Name of the repository that is seeded there; empty for none"),
        placeholder: vscode.l10n.t("Repository name"),
        read: anyText,
      })),
      (seededName) => ({ seededName }),
    )
    .ask(`${title} · ${name}`);
  const { commit, deploymentId, mapping, seededName } = form;
  const target = deployments.find(({ id }) => id === deploymentId)?.domain ?? deploymentId;
  await confirm({
    question: vscode.l10n.t("Promote {0} of {1} to {2}?", commitLabel(commit), name, target),
    touched: mapping.map(placeText),
    consequence: vscode.l10n.t("What the mapping names there is replaced by what the commit holds."),
    action: vscode.l10n.t("Promote"),
  });
  await promoteAndSeed(
    client,
    { repositoryId, deploymentId },
    {
      commitId: String(commit.id ?? ""),
      mapping: mapping.map(mappingOf),
      ...(seededName === "" ? {} : { seedingRepositoryName: seededName }),
    },
  );
  await parts.trees.sandbox.refreshLists(tenantId, `repository/${repositoryId}/promotions`);
  void vscode.window.showInformationMessage(vscode.l10n.t("The promotion of {0} to {1} has begun.", name, target));
}

/** The form: each line is a content item and where it goes; choosing a line changes it, the first line goes on. */
function mappingQuestion(repository: Repository): Question<object, readonly Place[]> {
  let places = placesOf(repository);
  return async (_, place) => {
    for (;;) {
      const chosen = await askChoice(place, {
        placeholder: vscode.l10n.t("Choose a line to change where it goes"),
        items: [
          {
            label: vscode.l10n.t("Continue with This Mapping"),
            iconPath: new vscode.ThemeIcon("arrow-right"),
            description: places.length === 1 ? vscode.l10n.t("1 item") : vscode.l10n.t("{0} items", places.length),
            value: undefined,
          },
          ...places.map((value) => ({ label: contentText(value), description: target(value), value })),
        ],
      });
      if (chosen.type === "back") {
        return chosen;
      }
      const line = chosen.value;
      if (line === undefined) {
        return { type: "next", value: places };
      }
      const answer = await askText(
        { ...place, ways: [back] },
        {
          prompt: vscode.l10n.t("Id of what {0} replaces there; empty for a new one", contentText(line)),
          placeholder: vscode.l10n.t("Id"),
          initial: line.deployObjectId,
          read: (typed) =>
            /\s/.test(typed)
              ? { valid: false, reason: vscode.l10n.t("An id has no space.") }
              : { valid: true, value: typed },
        },
      );
      if (answer.type === "next") {
        places = places.map((one) => (one === line ? { ...one, deployObjectId: answer.value } : one));
      }
    }
  };
}

/** Every content item of the repository, each as a new one. */
function placesOf({ repositoryContent }: Repository): readonly Place[] {
  return Object.entries(repositoryContent ?? {}).flatMap(([field, ids]) => {
    const contentType = field
      .replace(/Ids$/, "")
      .replace(/([a-z])([A-Z])/g, "$1_$2")
      .toUpperCase();
    return Array.isArray(ids)
      ? ids.map((id): Place => ({ contentType, repositoryObjectId: String(id), deployObjectId: "" }))
      : [];
  });
}

function mappingOf({ contentType, repositoryObjectId, deployObjectId }: Place): ContentMapping {
  return { contentType, repositoryObjectId, deployObjectId: deployObjectId === "" ? null : deployObjectId };
}

function placeText(place: Place): string {
  return `${contentText(place)} ${target(place)}`;
}

/** `Card 22311`. */
function contentText({ contentType, repositoryObjectId }: Place): string {
  return `${sentenceWords(contentType)} ${repositoryObjectId}`;
}

function target({ deployObjectId }: Place): string {
  return deployObjectId === "" ? vscode.l10n.t("→ new") : vscode.l10n.t("→ replaces {0}", deployObjectId);
}

function commitLabel({ id, name, commitName }: Commit): string {
  return name ?? commitName ?? String(id ?? "");
}

import * as vscode from "vscode";
import type { Commit, ContentMapping, Repository } from "../../api/catalogue/models/sandbox.ts";
import { repositoryContentItems } from "../../api/families/repository-content.ts";
import { commitsOf, promoteAndSeed } from "../../api/families/sandbox.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { sentenceWords } from "../../ui/format/constant-words.ts";
import { namedResource } from "../../ui/quick-input/choose-resource.ts";
import { askChoice, askText } from "../../ui/quick-input/step-inputs.ts";
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
  const place = { title: `${title} · ${name}`, totalSteps: 4 };
  let commit: Commit | undefined = commits.find(({ id }) => named?.type === "commit" && String(id) === named.id);
  const isDeploymentNamed = named?.type === "deployment";
  let deploymentId = isDeploymentNamed ? named.id : undefined;
  let mapping: readonly Place[] = placesOf(repository);
  let seededName = "";
  for (let step = commit === undefined ? 1 : deploymentId === undefined ? 2 : 3; step <= 4; ) {
    if (step === 1) {
      const chosen = await askCommit({ ...place, step }, commits, commit);
      commit = chosen.value;
      step = isDeploymentNamed ? 3 : 2;
    } else if (step === 2) {
      const chosen = await askChoice({
        ...{ ...place, step },
        placeholder: vscode.l10n.t("Deployment"),
        items: deployments.map(({ id, domain }) => ({
          ...{
            label: domain ?? id ?? "?",
            description: id ?? "",
            iconPath: new vscode.ThemeIcon("cloud"),
            value: id ?? "",
          },
        })),
        isActive: (id) => id === deploymentId,
      });
      deploymentId = chosen.type === "next" ? chosen.value : deploymentId;
      step = chosen.type === "next" ? 3 : 1;
    } else if (step === 3) {
      const chosen = await askMapping({ ...place, step }, mapping);
      mapping = chosen.type === "next" ? chosen.value : mapping;
      step = chosen.type === "next" ? 4 : isDeploymentNamed ? 1 : 2;
    } else {
      const chosen = await askText({
        ...{ ...place, step, value: seededName },
        prompt: vscode.l10n.t("Name of the repository that is seeded there; empty for none"),
        placeholder: vscode.l10n.t("Repository name"),
        validate: () => undefined,
      });
      seededName = chosen.type === "next" ? chosen.value : seededName;
      step = chosen.type === "next" ? 5 : 3;
    }
  }
  const target = deployments.find(({ id }) => id === deploymentId)?.domain ?? deploymentId ?? "";
  await confirm({
    question: vscode.l10n.t("Promote {0} of {1} to {2}?", commitLabel(commit), name, target),
    touched: mapping.map(placeText),
    consequence: vscode.l10n.t("What the mapping names there is replaced by what the commit holds."),
    action: vscode.l10n.t("Promote"),
  });
  await promoteAndSeed(
    client,
    { repositoryId, deploymentId: deploymentId ?? "" },
    {
      commitId: String(commit?.id ?? ""),
      mapping: mapping.map(mappingOf),
      ...(seededName === "" ? {} : { seedingRepositoryName: seededName }),
    },
  );
  await parts.trees.sandbox.refreshLists(tenantId, `repository/${repositoryId}/promotions`);
  void vscode.window.showInformationMessage(vscode.l10n.t("The promotion of {0} to {1} has begun.", name, target));
}

async function askCommit(
  place: { readonly title: string; readonly step: number; readonly totalSteps: number },
  commits: readonly Commit[],
  active: Commit | undefined,
): Promise<{ readonly value: Commit }> {
  for (;;) {
    const chosen = await askChoice({
      ...place,
      placeholder: vscode.l10n.t("Commit"),
      items: commits.map((value) => ({
        label: commitLabel(value),
        description: value.summary ?? "",
        iconPath: new vscode.ThemeIcon("git-commit"),
        value,
      })),
      isActive: (commit) => commit === active,
    });
    if (chosen.type === "next") {
      return chosen;
    }
  }
}

type MappingAnswer = { readonly type: "next"; readonly value: readonly Place[] } | { readonly type: "back" };

/** The form: each line is a content item and where it goes; choosing a line changes it, the first line goes on. */
async function askMapping(
  place: { readonly title: string; readonly step: number; readonly totalSteps: number },
  before: readonly Place[],
): Promise<MappingAnswer> {
  let places = before;
  for (;;) {
    const chosen = await askChoice<"next" | Place>({
      ...place,
      placeholder: vscode.l10n.t("Choose a line to change where it goes"),
      items: [
        {
          label: vscode.l10n.t("Continue with This Mapping"),
          iconPath: new vscode.ThemeIcon("arrow-right"),
          description: places.length === 1 ? vscode.l10n.t("1 item") : vscode.l10n.t("{0} items", places.length),
          value: "next",
        },
        ...places.map((value) => ({
          label: contentText(value),
          description: target(value),
          value,
        })),
      ],
      isActive: (value) => value === "next",
    });
    if (chosen.type === "back") {
      return chosen;
    }
    const line = chosen.value;
    if (line === "next") {
      return { type: "next", value: places };
    }
    const answer = await askText({
      ...{ ...place, value: line.deployObjectId },
      prompt: vscode.l10n.t("Id of what {0} replaces there; empty for a new one", contentText(line)),
      placeholder: vscode.l10n.t("Id"),
      validate: (text) => (/\s/.test(text.trim()) ? vscode.l10n.t("An id has no space.") : undefined),
    });
    if (answer.type === "next") {
      places = places.map((one) => (one === line ? { ...one, deployObjectId: answer.value } : one));
    }
  }
}

/** Every content item of the repository, each as a new one. */
function placesOf(repository: Repository): readonly Place[] {
  return repositoryContentItems(repository).map((item) => ({ ...item, deployObjectId: "" }));
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

function commitLabel(commit: Commit | undefined): string {
  return commit?.name ?? commit?.commitName ?? String(commit?.id ?? "");
}

import * as vscode from "vscode";
import { personOf } from "../../ui/details/values.ts";
import { isoDate, relativeDate } from "../../ui/format/dates.ts";
import { constantWords, nonBlank } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { resourceIcons } from "../../ui/resources/resource-icons.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import { card, cardDate, rowPage, treeItem } from "../../ui/tree/presentation.ts";
import type {
  CommitRequestRow,
  CommitRow,
  PromotionRow,
  RepositoryPart,
  RepositoryRow,
  SandboxTreeRow,
} from "./rows.ts";
import { type Work, workLooks, workState, workWord } from "./states.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

/** The tree item of a row of the Sandbox view. */
export function sandboxItem(row: SandboxTreeRow, isPinned: (repository: PlatformResource) => boolean): vscode.TreeItem {
  switch (row.type) {
    case "repository":
      return repositoryItem(row, isPinned(row.resource));
    case "sharedRepositories":
      return treeItem({
        label: vscode.l10n.t("Shared by Other Instances"),
        description: "",
        icon: "repo-clone",
        state: Collapsed,
      });
    case "repositoryPart":
      return treeItem({
        label: partName(row.part),
        description: partCount(row.of, row.part),
        icon: partIcons[row.part],
        state: Collapsed,
        contextValue: `repositoryPart.${row.part}${row.of.isShared ? ".shared" : ""}`,
      });
    case "contentKind":
      return treeItem({
        label: row.name,
        description: String(row.ids.length),
        icon: contentIcon(row.contentType),
        state: Collapsed,
      });
    case "contentItem":
      return treeItem({ label: row.name, description: "", icon: contentIcon(row.contentType) });
    case "commit":
      return workItem(row, row.commit, commitName(row.commit) ?? row.resource.id, row.commit.summary, "git-commit");
    case "commitRequest": {
      const { commitName: name, summary } = row.commitRequest;
      return workItem(row, row.commitRequest, name ?? row.resource.name, summary);
    }
    case "promotion":
      return workItem(row, row.promotion, row.promotion.commitName ?? row.resource.name, targetText(row));
    case "deployment":
      return treeItem({ label: row.domain, description: "", icon: "cloud" });
    case "instance":
      return treeItem({ label: row.domain, description: "", icon: "server-environment" });
    case "repositoryPermission":
      return treeItem({
        label: row.name,
        description: constantWords(row.permission, vscode.l10n.t),
        icon: row.who === "GROUP" ? "organization" : "person",
      });
  }
}

/** The card of a row. */
export async function sandboxCard(
  { connections, registry }: TreeParts,
  row: SandboxTreeRow,
  signal: AbortSignal,
): Promise<vscode.MarkdownString | undefined> {
  switch (row.type) {
    case "repository": {
      const { repository, resource, isShared } = row;
      const client = await connections.platform(row.tenantId);
      const names = await userNames(client, [repository.userId], signal);
      const last = repository.lastCommit;
      return card({
        name: resource.name,
        description: last?.summary ?? undefined,
        lines: [
          [vscode.l10n.t("Instance"), repository.domain ?? undefined],
          [vscode.l10n.t("Shared"), isShared ? vscode.l10n.t("by another instance") : undefined],
          [vscode.l10n.t("Owner"), personOf(repository.userId, names)],
          [vscode.l10n.t("Your permission"), repository.permission?.toLowerCase()],
          [vscode.l10n.t("Last commit"), commitName(last)],
          [vscode.l10n.t("Committed"), cardDate(last?.completed ?? last?.started ?? last?.created)],
          [vscode.l10n.t("State"), last === null || last === undefined ? undefined : workWord(workState(last))],
          [vscode.l10n.t("Instances with access"), idText(repository.accessCount)],
          [vscode.l10n.t("Updated"), cardDate(repository.updated)],
          [vscode.l10n.t("Created"), cardDate(repository.created)],
          [vscode.l10n.t("ID"), repository.id],
        ],
        page: rowPage(row, registry),
      });
    }
    case "commit":
    case "commitRequest":
    case "promotion":
      return workCard(row);
    case "repositoryPermission":
      return card({
        name: row.name,
        lines: [
          [vscode.l10n.t("Permission"), constantWords(row.permission, vscode.l10n.t)],
          [vscode.l10n.t("ID"), row.id],
        ],
      });
    case "contentItem":
      return card({ name: row.name, lines: [[vscode.l10n.t("ID"), row.id]] });
    case "deployment":
      return card({ name: row.domain, lines: [[vscode.l10n.t("ID"), row.resource.id]] });
    default:
      return undefined;
  }
}

function workCard(row: CommitRow | CommitRequestRow | PromotionRow): vscode.MarkdownString {
  const work = row.type === "commit" ? row.commit : row.type === "promotion" ? row.promotion : row.commitRequest;
  const summary =
    row.type === "promotion" ? undefined : (row.type === "commit" ? row.commit : row.commitRequest).summary;
  const isHidden = row.type !== "promotion" && (row.type === "commit" ? row.commit : row.commitRequest).hidden === true;
  return card({
    name: row.resource.name,
    description: summary ?? undefined,
    lines: [
      [vscode.l10n.t("State"), workWord(workState(work))],
      [vscode.l10n.t("Hidden"), isHidden ? vscode.l10n.t("yes") : undefined],
      [vscode.l10n.t("Started"), cardDate(work.started ?? (row.type === "commit" ? row.commit.created : undefined))],
      [vscode.l10n.t("Completed"), cardDate(work.completed)],
      [vscode.l10n.t("Target"), row.type === "promotion" ? row.target : undefined],
      [vscode.l10n.t("ID"), row.resource.id],
    ],
  });
}

function targetText({ target }: PromotionRow): string {
  return target === undefined ? "" : vscode.l10n.t("to {0}", target);
}

function repositoryItem({ repository, resource, isShared }: RepositoryRow, isPinned: boolean): vscode.TreeItem {
  const last = repository.lastCommit ?? undefined;
  const state = last === undefined ? undefined : workState(last);
  const age = relativeDate(isoDate(last?.completed ?? last?.started ?? last?.created), vscode.env.language);
  const description = [commitName(last), age].filter(Boolean).join(" · ") || vscode.l10n.t("no commits");
  const isCalm = state === undefined || state === "done";
  const look = isCalm ? undefined : workLooks[state];
  const stateText = state === undefined ? "" : workWord(state);
  return treeItem({
    label: resource.name,
    description,
    icon: look?.icon ?? (isShared ? "repo-clone" : "repo"),
    color: look?.color,
    state: Collapsed,
    contextValue: isShared ? "repository.shared" : `repository.own.${isPinned ? "pinned" : "unpinned"}`,
    accessibilityLabel: [resource.name, description, stateText].filter(Boolean).join(", "),
  });
}

function workItem(
  row: CommitRow | CommitRequestRow | PromotionRow,
  work: Work & { readonly created?: string | number | null | undefined },
  label: string,
  summary: string | null | undefined,
  calmIcon?: string,
): vscode.TreeItem {
  const state = workState(work);
  const { icon, color } = workLooks[state];
  const isCalm = calmIcon !== undefined && (state === "done" || state === "unknown");
  const age = relativeDate(isoDate(work.completed ?? work.started ?? work.created), vscode.env.language);
  const description = [nonBlank(summary), age].filter(Boolean).join(" · ");
  return treeItem({
    label,
    description,
    icon: isCalm ? calmIcon : icon,
    color: isCalm ? undefined : color,
    contextValue: `${row.type}.${state}`,
    accessibilityLabel: [label, workWord(state), description].filter(Boolean).join(", "),
  });
}

function commitName(
  commit:
    | { readonly name?: string | null | undefined; readonly commitName?: string | null | undefined }
    | null
    | undefined,
): string | undefined {
  return nonBlank(commit?.name) ?? nonBlank(commit?.commitName);
}

function idText(value: string | number | null | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

/** The icon of a kind of content, such as `PAGE`. */
export function contentIcon(contentType: string): string {
  return contentKindIcons[contentType] ?? "package";
}

/** The codicons of the kinds of content, by the platform's constants. */
const contentKindIcons: Readonly<Record<string, string>> = {
  PAGE: resourceIcons.page,
  CARD: resourceIcons.card,
  DATAFLOW: "git-merge",
  VIEW: "table",
  DATA_APP: "window",
  STREAM: "pulse",
};

const partIcons: Readonly<Record<RepositoryPart, string>> = {
  content: "package",
  commits: "git-commit",
  commitRequests: "git-pull-request",
  promotions: "rocket",
  deployments: "cloud",
  access: "server-environment",
  permissions: "lock",
};

function partName(part: RepositoryPart): string {
  switch (part) {
    case "content":
      return vscode.l10n.t("Content");
    case "commits":
      return vscode.l10n.t("Commits");
    case "commitRequests":
      return vscode.l10n.t("Commit Requests");
    case "promotions":
      return vscode.l10n.t("Promotions");
    case "deployments":
      return vscode.l10n.t("Deployments");
    case "access":
      return vscode.l10n.t("Instances with Access");
    case "permissions":
      return vscode.l10n.t("People and Groups");
  }
}

/** The number of items in a part, if the repository's response includes it. */
function partCount({ repository }: RepositoryRow, part: RepositoryPart): string {
  const counts: Readonly<Partial<Record<RepositoryPart, number | null | undefined>>> = {
    content: Object.values(repository.repositoryContent ?? {}).reduce<number>(
      (sum, ids) => sum + (Array.isArray(ids) ? ids.length : 0),
      0,
    ),
    deployments: repository.deployments?.length,
    access: repository.accessCount,
  };
  const count = counts[part];
  return count === null || count === undefined ? "" : String(count);
}

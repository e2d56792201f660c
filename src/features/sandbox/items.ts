import * as vscode from "vscode";
import { absoluteDate, isoDate, relativeDate } from "../../ui/format/dates.ts";
import { constantWords } from "../../ui/format/labels.ts";
import { resourcePage } from "../../ui/resources/resource-pages.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { card } from "../../ui/tree/card.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import type {
  CommitRequestRow,
  CommitRow,
  PromotionRow,
  RepositoryPart,
  RepositoryRow,
  SandboxTreeRow,
} from "./rows.ts";
import { textOf } from "./rows.ts";
import { workLooks, workState, workWord } from "./states.ts";

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** A row of the Sandbox view as the editor draws it. */
export function sandboxItem(row: SandboxTreeRow): vscode.TreeItem {
  switch (row.type) {
    case "repository":
      return repositoryItem(row);
    case "sharedRepositories":
      return item(vscode.l10n.t("Shared by Other Instances"), "", "repo-clone", Collapsed);
    case "repositoryPart": {
      const part = item(partName(row.part), partCount(row.of, row.part), partIcons[row.part], Collapsed);
      part.contextValue = `repositoryPart.${row.part}${row.of.isShared ? ".shared" : ""}`;
      return part;
    }
    case "contentKind":
      return item(row.name, String(row.ids.length), "symbol-class", Collapsed);
    case "contentId":
      return item(row.id, "", "symbol-constant", None);
    case "commit":
      return workItem(row, row.commit, commitLabel(row), textOf(row.commit.summary) ?? "", "git-commit");
    case "commitRequest":
      return workItem(
        row,
        row.commitRequest,
        row.commitRequest.commitName ?? row.resource.name,
        textOf(row.commitRequest.summary) ?? "",
      );
    case "promotion":
      return workItem(row, row.promotion, row.promotion.commitName ?? row.resource.name, "");
    case "deployment":
      return item(row.domain, "", "cloud", None);
    case "instance":
      return item(row.domain, "", "server-environment", None);
    case "repositoryPermission": {
      const word = constantWords(row.permission);
      return item(row.name, word, row.who === "GROUP" ? "organization" : "person", None);
    }
  }
}

/** The card of a row. */
export async function sandboxCard(
  { connections, registry }: TreeParts,
  row: SandboxTreeRow,
  signal: AbortSignal,
): Promise<vscode.MarkdownString | undefined> {
  const tenant = registry.get(row.tenantId);
  const page = tenant === undefined || row.resource === undefined ? undefined : resourcePage(tenant, row.resource);
  switch (row.type) {
    case "repository": {
      const { repository, resource, isShared } = row;
      const client = await connections.platform(row.tenantId);
      const names = await userNames(client, row.tenantId, [repository.userId], signal);
      const last = repository.lastCommit;
      return card({
        name: resource.name,
        description: last?.summary ?? undefined,
        lines: [
          [vscode.l10n.t("Instance"), repository.domain ?? undefined],
          [vscode.l10n.t("Shared"), isShared ? vscode.l10n.t("by another instance") : undefined],
          [vscode.l10n.t("Owner"), names.get(String(repository.userId ?? "")) ?? idText(repository.userId)],
          [vscode.l10n.t("Your permission"), repository.permission?.toLowerCase()],
          [vscode.l10n.t("Last commit"), commitName(last)],
          [vscode.l10n.t("Committed"), full(last?.completed ?? last?.started ?? last?.created)],
          [
            vscode.l10n.t("State"),
            last === null || last === undefined ? undefined : workWord(workState(last), vscode.l10n.t),
          ],
          [vscode.l10n.t("Instances with access"), idText(repository.accessCount)],
          [vscode.l10n.t("Updated"), full(repository.updated)],
          [vscode.l10n.t("Created"), full(repository.created)],
          [vscode.l10n.t("Id"), repository.id],
        ],
        page,
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
          [vscode.l10n.t("Permission"), row.permission],
          [vscode.l10n.t("Id"), row.id],
        ],
      });
    case "deployment":
      return card({ name: row.domain, lines: [[vscode.l10n.t("Id"), row.resource.id]] });
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
      [vscode.l10n.t("State"), workWord(workState(work), vscode.l10n.t)],
      [vscode.l10n.t("Hidden"), isHidden ? vscode.l10n.t("yes") : undefined],
      [vscode.l10n.t("Started"), full(work.started ?? (row.type === "commit" ? row.commit.created : undefined))],
      [vscode.l10n.t("Completed"), full(work.completed)],
      [vscode.l10n.t("Deployment"), row.type === "promotion" ? (row.promotion.deploymentId ?? undefined) : undefined],
      [vscode.l10n.t("Id"), row.resource.id],
    ],
  });
}

function repositoryItem({ repository, resource, isShared }: RepositoryRow): vscode.TreeItem {
  const last = repository.lastCommit ?? undefined;
  const state = last === undefined ? undefined : workState(last);
  const age = relativeDate(isoDate(last?.completed ?? last?.started ?? last?.created), vscode.env.language);
  const description = [commitName(last), age].filter(Boolean).join(" · ") || vscode.l10n.t("no commits");
  const isCalm = state === undefined || state === "done";
  const look = isCalm ? undefined : workLooks[state];
  const drawn = item(
    resource.name,
    description,
    look?.icon ?? (isShared ? "repo-clone" : "repo"),
    Collapsed,
    look?.color,
  );
  const stateText = state === undefined ? "" : workWord(state, vscode.l10n.t);
  drawn.contextValue = isShared ? "repository.shared" : "repository.own";
  drawn.accessibilityInformation = { label: [resource.name, description, stateText].filter(Boolean).join(", ") };
  return drawn;
}

function workItem(
  row: CommitRow | CommitRequestRow | PromotionRow,
  work: Parameters<typeof workState>[0] & { readonly created?: string | number | null | undefined },
  label: string,
  summary: string,
  calmIcon?: string,
): vscode.TreeItem {
  const state = workState(work);
  const look = workLooks[state];
  const isCommit = calmIcon !== undefined && (state === "done" || state === "unknown");
  const age = relativeDate(isoDate(work.completed ?? work.started ?? work.created), vscode.env.language);
  const description = [summary, age].filter(Boolean).join(" · ");
  const drawn = item(label, description, isCommit ? calmIcon : look.icon, None, isCommit ? undefined : look.color);
  drawn.contextValue = `${row.type}.${state}`;
  drawn.accessibilityInformation = {
    label: [label, workWord(state, vscode.l10n.t), description].filter(Boolean).join(", "),
  };
  return drawn;
}

function item(
  label: string,
  description: string,
  icon: string,
  collapsible: vscode.TreeItemCollapsibleState,
  color?: string,
): vscode.TreeItem {
  const drawn = new vscode.TreeItem(label, collapsible);
  drawn.description = description;
  drawn.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  return drawn;
}

function commitLabel({ commit, resource }: CommitRow): string {
  return commitName(commit) ?? resource.id;
}

function commitName(
  commit:
    | { readonly name?: string | null | undefined; readonly commitName?: string | null | undefined }
    | null
    | undefined,
): string | undefined {
  return textOf(commit?.name) ?? textOf(commit?.commitName);
}

function full(value: string | number | null | undefined): string | undefined {
  return absoluteDate(isoDate(value), vscode.env.language);
}

function idText(value: string | number | null | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

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

/** What the repository's own answer says of how many there are. */
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

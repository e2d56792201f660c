import * as vscode from "vscode";
import type { Promotion } from "../../../api/catalogue/models/sandbox.ts";
import { getRepository } from "../../../api/catalogue/operations/sandbox.ts";
import type { PlatformClient } from "../../../api/client/client.ts";
import { allPromotions, readPromotionPage } from "../../../api/families/sandbox.ts";
import type { DetailSection, Details } from "../../../ui/details/details.ts";
import { codeOf, dateOf, type Names, personOf } from "../../../ui/details/values.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { BranchPage, PageRequest, TreeRow } from "../../../ui/tree/definition.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { gone, repositoryLink } from "../links.ts";
import { isUnderWay, newestFirst, stateWords, workCard, workItem } from "../states.ts";
import type { RepositoryPart, RepositoryRow } from "./repository-row.ts";

const pageSize = 50;

interface PromotionRow extends TreeRow {
  readonly type: "promotion";
  readonly promotion: Promotion;
  /** The domain of the target instance, if the repository still has that deployment. */
  readonly target: string | undefined;
  readonly resource: PlatformResource;
}

export const promotionsPart = {
  label: vscode.l10n.t("Promotions"),
  icon: "rocket",
  things: vscode.l10n.t("promotions"),
  empty: vscode.l10n.t("No promotions yet"),
  pageSize,
  read: readPromotions,
} satisfies RepositoryPart;

/**
 * The search filters only by the repository's name, so promotions of other repositories with the same name are removed.
 */
async function readPromotions(
  of: RepositoryRow,
  { client, offset, signal }: PageRequest,
): Promise<BranchPage<PromotionRow>> {
  const filters = { repositoryName: [of.resource.name] };
  const query = { filters, sort: "started", limit: pageSize, offset };
  const { items, total } = await readPromotionPage(client, query, { signal });
  const own = items.filter(({ repositoryId }) => (repositoryId ?? of.resource.id) === of.resource.id);
  const isFull = total === undefined ? items.length >= pageSize : offset + items.length < total;
  return {
    rows: newestFirst(own).map((one) => promotionRow(of, one)),
    itemCount: items.length,
    hasMore: items.length > 0 && isFull,
  };
}

function promotionRow({ tenantId, key, repository }: RepositoryRow, promotion: Promotion): PromotionRow {
  const id = String(promotion.id ?? promotion.pusherEventId ?? "?");
  const name = [promotion.repositoryName, promotion.commitName].filter(Boolean).join(" ") || id;
  const resource = { type: "promotion", tenantId, id, name } as const;
  const target = repository.deployments?.find((one) => one.id === promotion.deploymentId)?.domain ?? undefined;
  return { type: "promotion", tenantId, key: `${key}/promotion/${id}`, promotion, target, resource };
}

export const promotion: ResourceKind<PromotionRow> = {
  type: "promotion",
  item: (row) => {
    const { promotion, target, resource } = row;
    const to = target === undefined ? "" : vscode.l10n.t("to {0}", target);
    return workItem(row.type, promotion, promotion.commitName ?? resource.name, to);
  },
  card: ({ promotion, resource, target }) => workCard(promotion, resource, { target }),
  isChanging: ({ promotion }) => isUnderWay(promotion),
  details: async ({ client, resource }) => {
    for await (const page of allPromotions(client)) {
      const promotion = page.find(({ id }) => String(id) === resource.id);
      if (promotion !== undefined) {
        const [names, target] = await Promise.all([userNames(client, [promotion.userId]), targetOf(client, promotion)]);
        return promotionDetails(promotion, resource, names, target);
      }
    }
    throw gone(resource);
  },
};

/** The domain of a promotion's target instance; undefined if the repository no longer has that deployment. */
async function targetOf(
  client: PlatformClient,
  { repositoryId, deploymentId }: Promotion,
): Promise<string | undefined> {
  if (typeof repositoryId !== "string" || typeof deploymentId !== "string") {
    return undefined;
  }
  const repository = await client.call(getRepository, { repositoryId }).catch(() => undefined);
  return repository?.deployments?.find(({ id }) => id === deploymentId)?.domain ?? undefined;
}

function promotionDetails(
  promotion: Promotion,
  { tenantId, id }: PlatformResource,
  names: Names,
  target: string | undefined,
): Details {
  const { repositoryId, repositoryName, promotionRequest, promotionResult } = promotion;
  return {
    kind: vscode.l10n.t("Promotion"),
    lines: [
      [vscode.l10n.t("ID"), codeOf(id)],
      [vscode.l10n.t("State"), stateWords(promotion)],
      [vscode.l10n.t("Commit"), promotion.commitName ?? undefined],
      [
        vscode.l10n.t("Repository"),
        repositoryId === null || repositoryId === undefined
          ? undefined
          : repositoryLink(tenantId, repositoryId, repositoryName),
      ],
      [vscode.l10n.t("Started by"), personOf(promotion.userId, names)],
      [vscode.l10n.t("Started"), dateOf(promotion.started)],
      [vscode.l10n.t("Completed"), dateOf(promotion.completed)],
      [vscode.l10n.t("Target"), target],
      [
        vscode.l10n.t("Deployment"),
        promotion.deploymentId === null || promotion.deploymentId === undefined
          ? undefined
          : codeOf(promotion.deploymentId),
      ],
    ],
    sections: [
      ...jsonSection(vscode.l10n.t("Request"), promotionRequest),
      ...jsonSection(vscode.l10n.t("Result"), promotionResult),
    ],
    raw: promotion,
  };
}

function jsonSection(title: string, value: unknown): readonly DetailSection[] {
  return value === null || value === undefined
    ? []
    : [{ type: "code", title, language: "json", text: JSON.stringify(value, undefined, 2) }];
}

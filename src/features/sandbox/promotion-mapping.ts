import type { Repository } from "../../api/catalogue/models/sandbox.ts";
import { contentKey } from "../../api/families/content-names.ts";
import { type RepositoryContentItem, repositoryContentItems } from "../../api/families/repository-content.ts";
import type { PromoteAndSeed } from "../../api/families/sandbox.ts";

/** The destination of a content item on the target: a new item, or one that it overwrites. */
export type PlaceOnTarget =
  | { readonly type: "new" }
  /** `name` is undefined if the target could not be read. */
  | { readonly type: "replaces"; readonly id: string; readonly name: string | undefined };

/** A content item of the repository and its destination. */
export interface MappedItem extends RepositoryContentItem {
  readonly target: PlaceOnTarget;
}

/** The options of a promotion other than its commit and deployment. */
export interface PromotionOptions {
  readonly mapping: readonly MappedItem[];
  /** Empty for none. */
  readonly seededName: string;
  /** Empty for none. */
  readonly approvalId: string;
}

/** The options that create a new item for every content item. */
export function usualOptions(repository: Repository): PromotionOptions {
  const mapping = repositoryContentItems(repository).map((item): MappedItem => ({ ...item, target: { type: "new" } }));
  return { mapping, seededName: "", approvalId: "" };
}

/** The mapping with another target for one item. */
export function withTarget(
  mapping: readonly MappedItem[],
  item: RepositoryContentItem,
  target: PlaceOnTarget,
): readonly MappedItem[] {
  return mapping.map((one) => (contentKey(one) === contentKey(item) ? { ...one, target } : one));
}

/** Another item of the same kind that already replaces this id. An item on the target can be replaced only once. */
export function otherWithTarget(
  mapping: readonly MappedItem[],
  item: RepositoryContentItem,
  id: string,
): MappedItem | undefined {
  return mapping.find(
    (one) =>
      one.contentType === item.contentType &&
      contentKey(one) !== contentKey(item) &&
      one.target.type === "replaces" &&
      one.target.id === id,
  );
}

/** The request for the options. */
export function promotionOf(commitId: string, { mapping, seededName, approvalId }: PromotionOptions): PromoteAndSeed {
  return {
    commitId,
    mapping: mapping.map(({ contentType, repositoryObjectId, target }) => ({
      contentType,
      repositoryObjectId,
      deployObjectId: target.type === "new" ? null : target.id,
    })),
    ...(seededName === "" ? {} : { seedingRepositoryName: seededName }),
    ...(approvalId === "" ? {} : { approvalId }),
  };
}

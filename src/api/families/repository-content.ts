import { repositoryContentTypes } from "../catalogue/models/known-values.ts";
import type { Repository } from "../catalogue/models/sandbox.ts";

/** A content item of a repository, in the format of a promotion. */
export interface RepositoryContentItem {
  /** The platform's content type, such as `DATA_APP`. */
  readonly contentType: string;
  readonly repositoryObjectId: string;
}

/** The content items of a repository, grouped by type. */
export function repositoryContentItems({ repositoryContent }: Repository): readonly RepositoryContentItem[] {
  return Object.entries(repositoryContent ?? {}).flatMap(([field, ids]) => {
    const contentType = contentTypeOf(field);
    return Array.isArray(ids) ? ids.map((id) => ({ contentType, repositoryObjectId: String(id) })) : [];
  });
}

/** The content type for a member of the repository. Unknown types follow the same naming pattern. */
export function contentTypeOf(field: string): string {
  return isKnown(field)
    ? repositoryContentTypes[field]
    : field
        .replace(/Ids$/, "")
        .replace(/([a-z])([A-Z])/g, "$1_$2")
        .toUpperCase();
}

function isKnown(field: string): field is keyof typeof repositoryContentTypes {
  return Object.hasOwn(repositoryContentTypes, field);
}

import * as vscode from "vscode";
import type { Page } from "../../api/catalogue/paging.ts";

/** True if the platform has returned fewer items than it has. */
export function isCut({ items, total }: Page<unknown>): boolean {
  return total !== undefined && items.length < total;
}

/** A message that a list without further pages is incomplete (API description, 4.5); undefined if it is complete. */
export function cutText(page: Page<unknown>): string | undefined {
  return isCut(page)
    ? vscode.l10n.t("{0} of {1} shown. The platform doesn't return more.", page.items.length, page.total ?? 0)
    : undefined;
}

/** Like `cutText`, but for commit requests, which can also be searched. */
export function cutRequestsText(page: Page<unknown>): string | undefined {
  return isCut(page)
    ? vscode.l10n.t(
        "{0} of {1} shown. To find the others, run Platform: Search Commit Requests…",
        page.items.length,
        page.total ?? 0,
      )
    : undefined;
}

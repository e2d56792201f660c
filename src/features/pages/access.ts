import * as vscode from "vscode";
import { getPage } from "../../api/catalogue/operations/pages.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import type { PageNode } from "../../api/families/pages/page-tree.ts";
import { removeOwners, type ShareScope, shareScopeOf } from "../../api/families/pages/pages.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { namesOf } from "../../ui/quick-input/people-picker.ts";
import { pickItems } from "../../ui/quick-input/show-input.ts";
import { choosePages, type PageCommandParts, pageLines, pagesText } from "./choice.ts";
import type { PagesCommandId } from "./declarations.ts";
import { type NodeOwner, ownersOf } from "./owners.ts";
import { hierarchyKey } from "./rows/page.ts";
import { pickShares } from "./share-choice.ts";
import { removeShares } from "./share-removal.ts";

/** Commands that remove owners and sharing from pages. */
export function pageAccessCommands(parts: PageCommandParts) {
  return {
    "platformWorkbench.removePageOwners": async (run, argument, selection) => {
      const title = vscode.l10n.t("Remove Page Owners");
      const { client, tenantId, pages } = await choosePages(parts, run, argument, selection, title);
      const owned = await Promise.all(
        pages.map(async (page) => ({ page, owners: await readOwners(client, page.node) })),
      );
      const chosen = await pickOwners(
        owned.map(({ owners }) => owners),
        vscode.l10n.t("Remove Owners of {0}", pagesText(pages)),
      );
      const isTouched = (owner: NodeOwner): boolean => chosen.some((one) => ownerKey(one) === ownerKey(owner));
      const touched = owned.filter(({ owners }) => owners.some(isTouched)).map(({ page }) => page);
      const ownerless = owned.filter(({ owners }) => owners.length > 0 && owners.every(isTouched));
      await confirm({
        question:
          touched.length === 1
            ? vscode.l10n.t("Remove {0} from the owners of {1}?", namesOf(chosen), pagesText(touched))
            : vscode.l10n.t("Remove {0} from the owners of these {1} pages?", namesOf(chosen), touched.length),
        touched: pageLines(touched),
        ...(ownerless.length === 0
          ? {}
          : {
              consequence:
                ownerless.length === 1
                  ? vscode.l10n.t("{0} will have no owner.", ownerless[0]?.page.node.title ?? "")
                  : vscode.l10n.t("{0} of them will have no owner.", ownerless.length),
            }),
        action: vscode.l10n.t("Remove"),
      });
      await removeOwners(client, { pageIds: touched.map(({ node }) => node.id), owners: chosen });
      await parts.trees.pages.refreshLists(tenantId, hierarchyKey);
    },
    "platformWorkbench.removePageSharing": async (run, argument, selection) => {
      const title = vscode.l10n.t("Remove Page Sharing");
      const chosen = await choosePages(parts, run, argument, selection, title);
      const { client, pages } = chosen;
      const shares = await pickShares(chosen, vscode.l10n.t("Stop Sharing {0}", pagesText(pages)));
      const who = namesOf(shares);
      const scope = shareScopeOf(
        client,
        shares.map(({ type }) => type),
      );
      await confirm({
        question:
          scope === "undescribed"
            ? vscode.l10n.t("Stop sharing pages with {0}?", who)
            : pages.length === 1
              ? vscode.l10n.t("Remove {0}'s access to {1}?", who, pagesText(pages))
              : vscode.l10n.t("Remove {0}'s access to these {1} pages?", who, pages.length),
        touched: pageLines(pages),
        consequence: [
          scopeText(scope, who),
          vscode.l10n.t("People who own a page or have access in another way keep their access."),
        ]
          .filter((text) => text !== undefined)
          .join(" "),
        action: vscode.l10n.t("Remove"),
      });
      await removeShares(
        client,
        shares,
        pages.map(({ node }) => node.id),
      );
      // The platform doesn't report whether the share existed.
      void showInformation(
        scope === "undescribed"
          ? vscode.l10n.t("Stopped sharing pages with {0}. Check which pages were affected.", who)
          : vscode.l10n.t("No longer shared with {0}: {1}.", who, pagesText(pages)),
      );
    },
  } satisfies Partial<CommandHandlers<PagesCommandId>>;
}

/** Explains which other pages the request can affect; undefined if it can't affect others. */
function scopeText(scope: ShareScope, who: string): string | undefined {
  if (scope === "eachPage") {
    return undefined;
  }
  return scope === "undescribed"
    ? vscode.l10n.t(
        "The request can't specify pages. The platform might remove {0}'s access to every page, not only to these.",
        who,
      )
    : vscode.l10n.t(
        "The request lists these pages. A platform that ignores the list removes {0}'s access to every page.",
        who,
      );
}

/** The owners from the hierarchy, or from the page itself if the hierarchy has none. */
async function readOwners(client: PlatformClient, node: PageNode): Promise<readonly NodeOwner[]> {
  const owners = ownersOf(node);
  if (owners !== undefined) {
    return owners;
  }
  const page = await client.call(getPage, { id: node.id });
  return ownersOf({ ...node, fields: page }) ?? [];
}

async function pickOwners(owned: readonly (readonly NodeOwner[])[], title: string): Promise<readonly NodeOwner[]> {
  const byKey = Map.groupBy(owned.flat(), ownerKey);
  const items = [...byKey.values()].flatMap((same) => {
    const [owner] = same;
    return owner === undefined
      ? []
      : [
          {
            label: owner.name,
            description: owned.length === 1 ? "" : vscode.l10n.t("owns {0} of {1}", same.length, owned.length),
            iconPath: new vscode.ThemeIcon(owner.type === "GROUP" ? "organization" : "person"),
            owner,
          },
        ];
  });
  if (items.length === 0) {
    throw new Error(vscode.l10n.t("There are no owners to remove."));
  }
  const placeHolder = vscode.l10n.t("Choose owners to remove");
  const chosen = await pickItems(items, { title, placeHolder });
  if (chosen.length === 0) {
    throw new vscode.CancellationError();
  }
  return chosen.map(({ owner }) => owner);
}

function ownerKey({ type, id }: NodeOwner): string {
  return `${type}/${id}`;
}

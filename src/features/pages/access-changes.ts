import * as vscode from "vscode";
import { addPageOwners, deletePage, sharePages } from "../../api/catalogue/operations/page-changes.ts";
import { sharesOf } from "../../api/families/pages/page-shares.ts";
import { pageIdOnWire } from "../../api/families/pages/pages.ts";
import { type Principal, usersAndGroups } from "../../api/families/people.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { orOnWebPage } from "../../ui/commands/web-page-offer.ts";
import { namesOf, type PrincipalWithAccess, pickPeople } from "../../ui/quick-input/people-picker.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { type ChosenPages, choosePages, type PageCommandParts, pageLines, pagesText } from "./choice.ts";
import { createPageByForm } from "./creation.ts";
import type { PagesCommandId } from "./declarations.ts";
import { ownersOf } from "./owners.ts";
import { hierarchyKey } from "./rows/page.ts";

/** Commands that create, share, and delete pages, and add owners: only some platforms have operations for them. */
export function pageChangeCommands(parts: PageCommandParts) {
  return {
    "platformWorkbench.createPage": (run, argument) => createPageByForm(parts, run, argument),
    "platformWorkbench.sharePage": async (run, argument, selection) => {
      const chosen = await choosePages(parts, run, argument, selection, vscode.l10n.t("Share Page"));
      const { pages } = chosen;
      const people = await pickPeople({
        title: vscode.l10n.t("Share {0}", pagesText(pages)),
        placeholder: vscode.l10n.t("Choose users and groups to share with"),
        withAccess: await peopleWithAccess(chosen),
        list: (signal) => usersAndGroups(chosen.client, { signal }),
      });
      await shareWith(parts, chosen, people);
    },
    "platformWorkbench.addPageOwners": async (run, argument, selection) => {
      const chosen = await choosePages(parts, run, argument, selection, vscode.l10n.t("Add Page Owners"));
      const { pages } = chosen;
      const people = await pickPeople({
        title: vscode.l10n.t("Add Owners to {0}", pagesText(pages)),
        placeholder: vscode.l10n.t("Choose users and groups that will own it"),
        withAccess: pages.length === 1 ? ownersWithAccess(chosen) : [],
        list: (signal) => usersAndGroups(chosen.client, { signal }),
      });
      await addOwners(parts, chosen, people);
    },
    "platformWorkbench.deletePage": async (run, argument) => {
      const chosen = await choosePages(parts, run, argument, [], vscode.l10n.t("Delete Page"));
      const { client, tenantId, pages } = chosen;
      const [{ node }] = pages;
      if (node.children.length > 0) {
        throw new Error(
          vscode.l10n.t("Can't delete {0}: there are pages below it. Move or delete them first.", node.title),
        );
      }
      await confirm({
        question: vscode.l10n.t("Delete the page {0}?", node.title),
        touched: pageLines(pages),
        consequence: vscode.l10n.t("Everyone loses the page with its layout and filter views. This can't be undone."),
        action: vscode.l10n.t("Delete"),
      });
      const deleted = await orOnWebPage(parts.connections, client, firstPage(chosen), {
        operations: [deletePage],
        work: () => client.call(deletePage, { pageId: node.id }),
      });
      if (!deleted.isOnWebPage) {
        await parts.trees.pages.refreshLists(tenantId, hierarchyKey);
      }
    },
  } satisfies Partial<CommandHandlers<PagesCommandId>>;
}

/** Shares pages with people after a confirmation. */
export async function shareWith(
  parts: PageCommandParts,
  chosen: ChosenPages,
  people: readonly Principal[],
): Promise<void> {
  const { client, pages } = chosen;
  await confirm({
    question:
      pages.length === 1
        ? vscode.l10n.t("Share {0} with {1}?", pagesText(pages), namesOf(people))
        : vscode.l10n.t("Share these {0} pages with {1}?", pages.length, namesOf(people)),
    touched: pageLines(pages),
    consequence: vscode.l10n.t("They can see the pages and their cards. No email is sent."),
    action: vscode.l10n.t("Share"),
  });
  const shared = await orOnWebPage(parts.connections, client, firstPage(chosen), {
    operations: [sharePages],
    work: () =>
      client.call(sharePages, {
        sendEmail: false,
        body: {
          resources: pages.map(({ node }) => ({ type: "page", id: node.id })),
          recipients: people.map(({ type, id }) => ({
            type: type === "GROUP" ? ("group" as const) : ("user" as const),
            id,
          })),
        },
      }),
  });
  if (!shared.isOnWebPage) {
    void showInformation(vscode.l10n.t("Shared with {0}: {1}.", namesOf(people), pagesText(pages)));
  }
}

/** Adds owners to pages after a confirmation. */
export async function addOwners(
  parts: PageCommandParts,
  chosen: ChosenPages,
  people: readonly Principal[],
): Promise<void> {
  const { client, tenantId, pages } = chosen;
  await confirm({
    question:
      pages.length === 1
        ? vscode.l10n.t("Add {0} to the owners of {1}?", namesOf(people), pagesText(pages))
        : vscode.l10n.t("Add {0} to the owners of these {1} pages?", namesOf(people), pages.length),
    touched: pageLines(pages),
    consequence: vscode.l10n.t("Owners can change, share, and delete a page."),
    action: vscode.l10n.t("Add"),
  });
  const added = await orOnWebPage(parts.connections, client, firstPage(chosen), {
    operations: [addPageOwners],
    work: () =>
      client.call(addPageOwners, {
        body: {
          owners: people.map(({ type, id }) => ({ type, id: pageIdOnWire(id) })),
          pageIds: pages.map(({ node }) => pageIdOnWire(node.id)),
        },
      }),
  });
  if (!added.isOnWebPage) {
    await parts.trees.pages.refreshLists(tenantId, hierarchyKey);
  }
}

function firstPage({ tenantId, pages: [{ node }] }: ChosenPages): PlatformResource {
  return { type: "page", tenantId, id: node.id, name: node.title };
}

function ownersWithAccess({ pages: [{ node }] }: ChosenPages): readonly PrincipalWithAccess[] {
  return (ownersOf(node) ?? []).map((owner) => ({ ...owner, access: vscode.l10n.t("owner") }));
}

/** The people who have access to a single page, if the platform lists them. */
async function peopleWithAccess(chosen: ChosenPages): Promise<readonly PrincipalWithAccess[]> {
  const { client, pages } = chosen;
  if (pages.length > 1) {
    return [];
  }
  const owners = ownersWithAccess(chosen);
  const shares = (await sharesOf(client, [pages[0].node.id])) ?? [];
  const others = shares.map(({ type, id, name }): PrincipalWithAccess => {
    const principal = { type: type === "group" ? "GROUP" : "USER", id, name: name ?? id } as const;
    return { ...principal, access: vscode.l10n.t("has access") };
  });
  return [...owners, ...others.filter(({ type, id }) => !owners.some((one) => one.type === type && one.id === id))];
}

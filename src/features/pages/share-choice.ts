import * as vscode from "vscode";
import type { PlatformClient } from "../../api/client/client.ts";
import { type KnownShare, sharesOf } from "../../api/families/pages/page-shares.ts";
import { allGroups, allUsers, type Principal } from "../../api/families/people.ts";
import { pickPeople } from "../../ui/quick-input/people-picker.ts";
import { enterText, pickItem, pickItems } from "../../ui/quick-input/show-input.ts";
import { groupNames } from "../../ui/resources/group-names.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import type { ChosenPages } from "./choice.ts";
import type { Share } from "./share-removal.ts";

interface ShareItem extends vscode.QuickPickItem {
  /** Undefined for the item that shows everyone else. */
  readonly share: Share | undefined;
}

/**
 * Asks whose access to pages to remove: the users and groups with access, if the platform lists them, or anyone. Throws
 * a CancellationError if canceled.
 */
export async function pickShares(chosen: ChosenPages, title: string): Promise<readonly Share[]> {
  const { client, pages } = chosen;
  const known = await sharesOf(
    client,
    pages.map(({ node }) => node.id),
  );
  if (known === undefined || known.length === 0) {
    return pickAnyone(
      client,
      title,
      known === undefined
        ? vscode.l10n.t("The platform doesn't list who has access. Choose whose access to remove.")
        : vscode.l10n.t("No user or group has access by sharing. Choose whose access to remove."),
    );
  }
  const items = await shareItems(client, known, pages.length);
  const other: ShareItem = {
    label: vscode.l10n.t("Someone Else…"),
    description: vscode.l10n.t("another user or group, or a domain"),
    iconPath: new vscode.ThemeIcon("ellipsis"),
    share: undefined,
  };
  const placeHolder = vscode.l10n.t("Choose whose access to remove");
  const response = await pickItems([...items, other], { title, placeHolder, matchOnDescription: true });
  const shares = response.flatMap(({ share }) => share ?? []);
  if (response.includes(other)) {
    return [...shares, ...(await pickAnyone(client, title, placeHolder))];
  }
  if (shares.length === 0) {
    throw new vscode.CancellationError();
  }
  return shares;
}

/** Users and groups by name, groups last. `pages` is the number of chosen pages. */
async function shareItems(
  client: PlatformClient,
  known: readonly KnownShare[],
  pages: number,
): Promise<readonly ShareItem[]> {
  const idsOf = (type: KnownShare["type"]): readonly string[] =>
    known.flatMap((share) => (share.type === type && share.name === undefined ? [share.id] : []));
  const [users, groups] = await Promise.all([
    userNames(client, idsOf("user")),
    idsOf("group").length === 0 ? undefined : groupNames(client),
  ]);
  const nameOf = ({ type, id, name }: KnownShare): string =>
    name ??
    (type === "user" ? users.get(id) : groups?.get(id)) ??
    (type === "user" ? vscode.l10n.t("User {0}", id) : vscode.l10n.t("Group {0}", id));
  return known
    .map((share): ShareItem & { readonly type: Share["type"] } => {
      const { type, id } = share;
      const name = nameOf(share);
      return {
        label: name,
        description: pages === 1 ? "" : vscode.l10n.t("access to {0} of {1}", share.pages, pages),
        iconPath: new vscode.ThemeIcon(type === "group" ? "organization" : "person"),
        share: { type, id, name },
        type,
      };
    })
    .toSorted((a, b) => b.type.localeCompare(a.type) || a.label.localeCompare(b.label));
}

/** Asks for users, groups, or a domain, regardless of whether they have access. */
async function pickAnyone(client: PlatformClient, title: string, placeHolder: string): Promise<readonly Share[]> {
  const kinds = [
    { label: vscode.l10n.t("Users"), iconPath: new vscode.ThemeIcon("person"), type: "user" },
    { label: vscode.l10n.t("Groups"), iconPath: new vscode.ThemeIcon("organization"), type: "group" },
    { label: vscode.l10n.t("A Domain"), iconPath: new vscode.ThemeIcon("globe"), type: "domain" },
  ] as const;
  const { type } = await pickItem(kinds, { title, placeHolder });
  if (type === "domain") {
    return [await askForDomain(title)];
  }
  const list = (signal: AbortSignal): AsyncIterable<readonly Principal[]> =>
    type === "user" ? allUsers(client, { signal }) : allGroups(client, { signal });
  const people = await pickPeople({ title, placeholder: vscode.l10n.t("Choose whose access to remove"), list });
  return people.map(({ id, name }) => ({ type, id, name }));
}

async function askForDomain(title: string): Promise<Share> {
  const text = await enterText({
    title,
    prompt: vscode.l10n.t("Domain, such as partner.example.com"),
    validateInput: (value) =>
      /^[^\s/@]+$/.test(value.trim()) ? undefined : vscode.l10n.t("Enter a domain without spaces, @, or /."),
  });
  return { type: "domain", id: text.trim(), name: text.trim() };
}

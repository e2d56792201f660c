import * as vscode from "vscode";
import type { Design, DesignOwner } from "../../../api/catalogue/models/designs.ts";
import { getDesign } from "../../../api/catalogue/operations/designs.ts";
import { cardsOf, createdOf, versionsOf } from "../../../api/families/designs.ts";
import type { DetailSection } from "../../../ui/details/details.ts";
import { codeOf, dateOf, personOf, yesOrNo } from "../../../ui/details/values.ts";
import { nonBlank, versionLabel, versionName } from "../../../ui/format/labels.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { TreeRow } from "../../../ui/tree/definition.ts";
import { cardDate } from "../../../ui/tree/presentation.ts";
import type { ResourceKind, RowKind } from "../../../ui/tree/row-kind.ts";
import { listKind } from "../../../ui/tree/row-list.ts";
import { thumbnailOf } from "../thumbnail.ts";
import { latestVersionOf, versionState } from "../versions.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

export interface DesignRow extends TreeRow {
  readonly type: "design";
  readonly design: Design;
  readonly resource: PlatformResource;
}

/** A list below a design. */
export interface DesignListRow extends TreeRow {
  readonly type: "designVersions" | "designOwners" | "designCards";
  readonly of: DesignRow;
  readonly designId: string;
}

/** Someone with the admin permission. The platform calls the list its owners, and has a single owner besides. */
interface DesignOwnerRow extends TreeRow {
  readonly type: "designOwner";
  readonly owner: DesignOwner;
  readonly resource: PlatformResource;
}

interface DesignCardRow extends TreeRow {
  readonly type: "designCard";
  readonly title: string;
}

export function designRow(tenantId: string, design: Design): DesignRow {
  const name = nonBlank(design.name) ?? vscode.l10n.t("Unnamed app design");
  const resource = { type: "design", tenantId, id: design.id, name } as const;
  return { type: "design", tenantId, key: `design/${design.id}`, design, resource };
}

export const design: ResourceKind<DesignRow> = {
  type: "design",
  item: ({ design, resource }) => {
    const latest = latestVersionOf(design);
    const owners = design.owners?.length;
    const facts = [
      ...(design.deletedDate === null || design.deletedDate === undefined ? [] : [vscode.l10n.t("deleted")]),
      ...(latest === undefined ? [] : [versionLabel(latest)]),
      ...(owners === undefined ? [] : [owners === 1 ? vscode.l10n.t("1 admin") : vscode.l10n.t("{0} admins", owners)]),
    ];
    return { label: resource.name, description: facts.join(" · "), icon: "symbol-color", state: Collapsed };
  },
  card: async ({ design, resource }, { client, signal }) => {
    const image = await thumbnailOf(await client(), design);
    signal.throwIfAborted();
    const owners = (design.owners ?? []).flatMap(({ displayName }) => displayName ?? []);
    return {
      name: resource.name,
      description: design.description ?? undefined,
      image,
      lines: [
        [vscode.l10n.t("Latest version"), latestVersionOf(design)],
        [vscode.l10n.t("Admins"), owners.join(", ")],
        [vscode.l10n.t("Creator"), design.creator?.displayName ?? undefined],
        [vscode.l10n.t("Updated"), cardDate(design.updatedDate)],
        [vscode.l10n.t("Created"), cardDate(design.createdDate)],
        [vscode.l10n.t("ID"), design.id],
      ],
    };
  },
  below: (of): readonly DesignListRow[] => {
    const { tenantId, key, design } = of;
    const list = { tenantId, of, designId: design.id };
    return [
      { ...list, type: "designVersions", key: `${key}/versions` },
      { ...list, type: "designOwners", key: `${key}/owners` },
      { ...list, type: "designCards", key: `${key}/cards` },
    ];
  },
  details: async ({ client, resource }) => {
    const { tenantId } = resource;
    const design = await client.call(getDesign, { designId: resource.id });
    const versions = versionsOf(design.versions);
    const names = await userNames(client, [design.owner, ...versions.map(({ createdBy }) => createdBy)]);
    const versionTable: DetailSection = {
      type: "table",
      title: vscode.l10n.t("Versions"),
      columns: [
        ...[vscode.l10n.t("Version"), vscode.l10n.t("State")],
        ...[vscode.l10n.t("Created"), vscode.l10n.t("Created by")],
      ],
      rows: versions.map((version) => [
        {
          type: "resource",
          resource: {
            type: "designVersion",
            tenantId,
            id: version.version,
            parentId: design.id,
            name: versionName(resource.name, version.version),
          },
        },
        versionState(version),
        dateOf(createdOf(version)),
        personOf(version.createdBy, names),
      ]),
      empty: vscode.l10n.t("No versions yet."),
    };
    const ownerTable: DetailSection = {
      type: "table",
      title: vscode.l10n.t("Admins"),
      columns: [
        ...[vscode.l10n.t("Name"), vscode.l10n.t("Email")],
        ...[vscode.l10n.t("Role in the tenant"), vscode.l10n.t("ID")],
      ],
      rows: (design.owners ?? []).map(({ id, displayName, detail, role }) => [
        displayName ?? String(id),
        detail?.email ?? undefined,
        role ?? undefined,
        codeOf(String(id)),
      ]),
      empty: vscode.l10n.t("No admins."),
    };
    const cardTable: DetailSection = {
      type: "table",
      title: vscode.l10n.t("Cards"),
      columns: [vscode.l10n.t("Title"), vscode.l10n.t("ID")],
      rows: cardsOf(design).map(({ id, title }) => [
        title ?? undefined,
        id === null || id === undefined ? undefined : codeOf(String(id)),
      ]),
      empty: vscode.l10n.t("No cards use this design."),
    };
    return {
      kind: vscode.l10n.t("App design"),
      description: design.description ?? undefined,
      lines: [
        [vscode.l10n.t("ID"), codeOf(design.id)],
        [vscode.l10n.t("Latest version"), design.latestVersion ?? undefined],
        [vscode.l10n.t("Owner"), personOf(design.owner, names)],
        [vscode.l10n.t("Creator"), design.creator?.displayName ?? undefined],
        [vscode.l10n.t("Created"), dateOf(design.createdDate)],
        [vscode.l10n.t("Updated"), dateOf(design.updatedDate)],
        [vscode.l10n.t("Deleted"), dateOf(design.deletedDate)],
        [vscode.l10n.t("Trusted"), yesOrNo(design.trusted)],
      ],
      sections: [versionTable, ownerTable, cardTable],
      raw: design,
    };
  },
};

export const ownerList = listKind<DesignListRow>("designOwners", {
  label: vscode.l10n.t("Admins"),
  icon: "organization",
  things: vscode.l10n.t("admins"),
  empty: vscode.l10n.t("No admins"),
  count: ({ of }) => of.design.owners?.length,
  read: async ({ of }, { client, signal }) => {
    const { owners } = await client.call(getDesign, { designId: of.design.id, parts: "owners" }, { signal });
    return (owners ?? []).map((owner) => ownerRow(of, owner));
  },
});

function ownerRow({ tenantId, key }: DesignRow, owner: DesignOwner): DesignOwnerRow {
  const id = String(owner.id);
  const name = nonBlank(owner.displayName) ?? vscode.l10n.t("Unnamed user");
  const resource = { type: "user", tenantId, id, name } as const;
  return { type: "designOwner", tenantId, key: `${key}/owner/${id}`, owner, resource };
}

export const owner: RowKind<DesignOwnerRow> = {
  type: "designOwner",
  item: ({ owner, resource: { name } }) => ({
    label: name,
    // The granted permission. The row's card shows the role in the tenant, which is unrelated.
    description: vscode.l10n.t("Admin"),
    icon: "person",
    accessibilityLabel: [name, vscode.l10n.t("Admin"), owner.detail?.email].filter(Boolean).join(", "),
  }),
  card: ({ owner, resource: { name, id } }) => ({
    name,
    lines: [
      [vscode.l10n.t("Access"), vscode.l10n.t("Admin")],
      [vscode.l10n.t("Role in the tenant"), owner.role ?? undefined],
      [vscode.l10n.t("Email"), owner.detail?.email ?? undefined],
      [vscode.l10n.t("ID"), id],
    ],
  }),
};

export const cardList = listKind<DesignListRow>("designCards", {
  label: vscode.l10n.t("Cards"),
  icon: "graph",
  things: vscode.l10n.t("cards"),
  empty: vscode.l10n.t("No cards use this design"),
  count: ({ of: { design } }) => (design.cards ?? design.referencingCards)?.length,
  read: async ({ of }, { client, signal }) => {
    const design = await client.call(getDesign, { designId: of.design.id, parts: "cards" }, { signal });
    return cardsOf(design).map((one, index) => cardRow(of, one, index));
  },
});

function cardRow(
  { tenantId, key }: DesignRow,
  { id, title }: ReturnType<typeof cardsOf>[number],
  index: number,
): DesignCardRow {
  const name = nonBlank(title) ?? vscode.l10n.t("Unnamed card");
  const known = id ?? undefined;
  return {
    type: "designCard",
    tenantId,
    key: `${key}/card/${known ?? `at ${index}`}`,
    title: name,
    ...(known === undefined ? {} : { resource: { type: "card", tenantId, id: String(known), name } as const }),
  };
}

export const card: RowKind<DesignCardRow> = {
  type: "designCard",
  item: ({ title }) => ({ label: title, icon: "graph" }),
  card: ({ title, resource }) => ({ name: title, lines: [[vscode.l10n.t("ID"), resource?.id]] }),
};

import * as vscode from "vscode";
import type { Design, DesignVersion } from "../../api/catalogue/models/designs.ts";
import { getDesign, listDesignVersions } from "../../api/catalogue/operations/designs.ts";
import { cardsOf, createdOf, versionsOf } from "../../api/families/designs.ts";
import type { DetailLine, DetailSection, Details, DetailsReader } from "../../ui/details/details.ts";
import { codeOf, dateOf, type Names, personOf } from "../../ui/details/values.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { userNames } from "../../ui/resources/user-names.ts";

/** Reads app designs and their versions for their documents. */
export const designReaders = {
  design: async ({ client, resource }) => {
    const design = await client.call(getDesign, { designId: resource.id });
    const versions = versionsOf(design.versions);
    const people = [design.owner, ...versions.map(({ createdBy }) => createdBy)];
    const names = await userNames(client, people);
    return designDetails(design, resource, names);
  },
  designVersion: async ({ client, resource }) => {
    const { tenantId, id, parentId: designId = "" } = resource;
    const [design, listed] = await Promise.all([
      client.call(getDesign, { designId, parts: "owners,versions" }),
      client.call(listDesignVersions, { designId }),
    ]);
    const version = versionsOf(listed).find((one) => one.version === id);
    if (version === undefined) {
      throw new Error(vscode.l10n.t("Version {1} of {0} no longer exists.", design.name ?? designId, id));
    }
    const names = await userNames(client, [version.createdBy]);
    return versionDetails(design, version, tenantId, names);
  },
} satisfies Record<string, DetailsReader>;

function designDetails(design: Design, resource: PlatformResource, names: Names): Details {
  const { tenantId } = resource;
  const versions = versionsOf(design.versions);
  const lines: readonly DetailLine[] = [
    [vscode.l10n.t("ID"), codeOf(design.id)],
    [vscode.l10n.t("Latest version"), design.latestVersion ?? undefined],
    [vscode.l10n.t("Owner"), personOf(design.owner, names)],
    [vscode.l10n.t("Creator"), design.creator?.displayName ?? undefined],
    [vscode.l10n.t("Created"), dateOf(design.createdDate)],
    [vscode.l10n.t("Updated"), dateOf(design.updatedDate)],
    [vscode.l10n.t("Deleted"), dateOf(design.deletedDate)],
    [vscode.l10n.t("Trusted"), yesOrNo(design.trusted)],
  ];
  const versionTable: DetailSection = {
    type: "table",
    title: vscode.l10n.t("Versions"),
    columns: [vscode.l10n.t("Version"), vscode.l10n.t("State"), vscode.l10n.t("Created"), vscode.l10n.t("Created by")],
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
      stateOf(version),
      dateOf(createdOf(version)),
      personOf(version.createdBy, names),
    ]),
    empty: vscode.l10n.t("No versions yet."),
  };
  const ownerTable: DetailSection = {
    type: "table",
    title: vscode.l10n.t("Owners"),
    columns: [vscode.l10n.t("Name"), vscode.l10n.t("Email"), vscode.l10n.t("Role in the tenant"), vscode.l10n.t("ID")],
    rows: (design.owners ?? []).map(({ id, displayName, detail, role }) => [
      displayName ?? String(id),
      detail?.email ?? undefined,
      role ?? undefined,
      codeOf(String(id)),
    ]),
    empty: vscode.l10n.t("No owners."),
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
    lines,
    sections: [versionTable, ownerTable, cardTable],
    raw: design,
  };
}

function versionDetails(design: Design, version: DesignVersion, tenantId: string, names: Names): Details {
  const { width, height } = version.size ?? {};
  const name = design.name ?? design.id;
  return {
    kind: vscode.l10n.t("Version of an app design"),
    lines: [
      [vscode.l10n.t("App design"), { type: "resource", resource: { type: "design", tenantId, id: design.id, name } }],
      [vscode.l10n.t("Version"), codeOf(version.version)],
      [vscode.l10n.t("State"), stateOf(version)],
      [vscode.l10n.t("Created"), dateOf(createdOf(version))],
      [vscode.l10n.t("Created by"), personOf(version.createdBy, names)],
      [vscode.l10n.t("Updated"), dateOf(version.updatedDate)],
      [vscode.l10n.t("Released"), dateOf(version.releasedDate)],
      [
        vscode.l10n.t("Size"),
        typeof width === "number" && typeof height === "number" ? `${width} × ${height}` : undefined,
      ],
      [vscode.l10n.t("Full page"), yesOrNo(version.fullpage)],
    ],
    sections: [],
    raw: version,
  };
}

function stateOf({ draft, releasedDate }: DesignVersion): string {
  return (draft ?? releasedDate === null) ? vscode.l10n.t("draft") : vscode.l10n.t("released");
}

function yesOrNo(value: boolean | null | undefined): string | undefined {
  return typeof value === "boolean" ? (value ? vscode.l10n.t("yes") : vscode.l10n.t("no")) : undefined;
}

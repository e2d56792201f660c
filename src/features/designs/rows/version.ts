import * as vscode from "vscode";
import type { DesignVersion } from "../../../api/catalogue/models/designs.ts";
import { getDesign, listDesignVersions } from "../../../api/catalogue/operations/designs.ts";
import { createdOf, versionsOf } from "../../../api/families/designs.ts";
import { codeOf, dateOf, personOf, yesOrNo } from "../../../ui/details/values.ts";
import { isoDate, relativeDate } from "../../../ui/format/dates.ts";
import { versionLabel, versionName } from "../../../ui/format/labels.ts";
import { sizeText } from "../../../ui/format/quantities.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import { singlePageBranch, type TreeRow } from "../../../ui/tree/definition.ts";
import { cardDate } from "../../../ui/tree/presentation.ts";
import type { ResourceKind, RowKind } from "../../../ui/tree/row-kind.ts";
import { listKind } from "../../../ui/tree/row-list.ts";
import { type DesignFile, designFileUri } from "../files.ts";
import { type SourceFiles, sourceFiles } from "../sources.ts";
import { isDraft, newestFirst, versionState } from "../versions.ts";
import type { DesignListRow, DesignRow } from "./design.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

interface DesignVersionRow extends TreeRow {
  readonly type: "designVersion";
  readonly designId: string;
  readonly designName: string;
  readonly version: DesignVersion;
  readonly resource: PlatformResource;
}

/** A folder within a version's source. */
interface DesignFolderRow extends TreeRow {
  readonly type: "designFolder";
  readonly name: string;
  readonly below: readonly (DesignFolderRow | DesignFileRow)[];
}

interface DesignFileRow extends TreeRow, DesignFile {
  readonly type: "designFile";
  readonly name: string;
  readonly bytes: number;
}

export const versionList = listKind<DesignListRow>("designVersions", {
  label: vscode.l10n.t("Versions"),
  icon: "versions",
  things: vscode.l10n.t("versions"),
  empty: vscode.l10n.t("No versions yet"),
  count: ({ of }) => of.design.versions?.length,
  read: async ({ of }, { client, signal }) => {
    const versions = await client.call(listDesignVersions, { designId: of.design.id }, { signal });
    return newestFirst(versionsOf(versions)).map((version) => versionRow(of, version));
  },
});

/** The row of a version; the name of its resource includes the design. */
function versionRow({ tenantId, key, resource: design }: DesignRow, version: DesignVersion): DesignVersionRow {
  return {
    type: "designVersion",
    tenantId,
    key: `${key}/version/${version.version}`,
    designId: design.id,
    designName: design.name,
    version,
    resource: {
      type: "designVersion",
      tenantId,
      id: version.version,
      parentId: design.id,
      name: versionName(design.name, version.version),
    },
  };
}

export const version: ResourceKind<DesignVersionRow> = {
  type: "designVersion",
  item: ({ resource, version }) => {
    const look = versionLook(version);
    return {
      ...look,
      state: Collapsed,
      contextValue: isDraft(version) ? "designVersion.draft" : "designVersion.released",
      accessibilityLabel: [resource.name, look.description].filter(Boolean).join(", "),
    };
  },
  card: ({ version, resource }) => ({
    name: resource.name,
    lines: [
      [vscode.l10n.t("State"), versionState(version)],
      [vscode.l10n.t("Created"), cardDate(createdOf(version))],
      [vscode.l10n.t("Updated"), cardDate(version.updatedDate)],
      [vscode.l10n.t("Released"), cardDate(version.releasedDate)],
      [vscode.l10n.t("ID"), String(version.id ?? version.version)],
    ],
  }),
  below: (row) =>
    singlePageBranch({
      key: `${row.key}/files`,
      things: vscode.l10n.t("files"),
      empty: vscode.l10n.t("No files"),
      read: async ({ client }) => {
        const { designId, version } = row;
        // A draft may have changed since it was read.
        const fresh = isDraft(version);
        return fileRows(row, await sourceFiles(client, { designId, version: version.version }, { fresh }));
      },
    }),
  details: async ({ client, resource }) => {
    const { tenantId, id, parentId: designId = "" } = resource;
    const [design, listed] = await Promise.all([
      client.call(getDesign, { designId, parts: "owners,versions" }),
      client.call(listDesignVersions, { designId }),
    ]);
    const found = versionsOf(listed).find((one) => one.version === id);
    if (found === undefined) {
      throw new Error(vscode.l10n.t("Version {1} of {0} no longer exists.", design.name ?? designId, id));
    }
    const names = await userNames(client, [found.createdBy]);
    const { width, height } = found.size ?? {};
    const name = design.name ?? design.id;
    return {
      kind: vscode.l10n.t("Version of an app design"),
      lines: [
        [
          vscode.l10n.t("App design"),
          { type: "resource", resource: { type: "design", tenantId, id: design.id, name } },
        ],
        [vscode.l10n.t("Version"), codeOf(found.version)],
        [vscode.l10n.t("State"), versionState(found)],
        [vscode.l10n.t("Created"), dateOf(createdOf(found))],
        [vscode.l10n.t("Created by"), personOf(found.createdBy, names)],
        [vscode.l10n.t("Updated"), dateOf(found.updatedDate)],
        [vscode.l10n.t("Released"), dateOf(found.releasedDate)],
        [
          vscode.l10n.t("Size"),
          typeof width === "number" && typeof height === "number" ? `${width} × ${height}` : undefined,
        ],
        [vscode.l10n.t("Full page"), yesOrNo(found.fullpage)],
      ],
      sections: [],
      raw: found,
    };
  },
};

/** The appearance of a version in the tree and in quick picks. */
export function versionLook(version: DesignVersion): {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
} {
  const draft = isDraft(version);
  const age = relativeDate(isoDate(createdOf(version)), vscode.env.language);
  return {
    label: versionLabel(version.version),
    description: [age, ...(draft ? [vscode.l10n.t("draft")] : [])].filter(Boolean).join(" · "),
    icon: draft ? "edit" : "tag",
  };
}

export const folder: RowKind<DesignFolderRow> = {
  type: "designFolder",
  item: ({ name }) => {
    const item = new vscode.TreeItem(name, Collapsed);
    item.iconPath = vscode.ThemeIcon.Folder;
    return item;
  },
  below: ({ below }) => below,
};

export const file: RowKind<DesignFileRow> = {
  type: "designFile",
  item: (row) => {
    const size = sizeText(row.bytes, vscode.env.language);
    const item = new vscode.TreeItem(row.name);
    item.resourceUri = designFileUri(row);
    item.iconPath = vscode.ThemeIcon.File;
    item.tooltip = `${row.path} · ${size}`;
    item.accessibilityInformation = { label: `${row.path}, ${size}` };
    return item;
  },
  open: (row) => ({
    command: "vscode.open",
    title: vscode.l10n.t("Open"),
    arguments: [designFileUri(row), { preview: true }],
  }),
};

/** The files of a version as rows, folders first. */
function fileRows(of: DesignVersionRow, files: SourceFiles): readonly (DesignFolderRow | DesignFileRow)[] {
  return rowsIn(
    of,
    [...files].map(([path, { byteLength }]) => ({ path, bytes: byteLength })),
    "",
  );
}

function rowsIn(
  of: DesignVersionRow,
  files: readonly { readonly path: string; readonly bytes: number }[],
  within: string,
): readonly (DesignFolderRow | DesignFileRow)[] {
  const { tenantId, designId, designName } = of;
  const folders = new Map<string, { readonly path: string; readonly bytes: number }[]>();
  const here: DesignFileRow[] = [];
  for (const { path, bytes } of files) {
    const [name = "", ...rest] = path.slice(within.length).split("/");
    if (rest.length > 0) {
      folders.set(name, [...(folders.get(name) ?? []), { path, bytes }]);
    } else {
      const key = `${of.key}/file/${path}`;
      const { version } = of.version;
      here.push({ type: "designFile", tenantId, key, designId, designName, version, path, name, bytes });
    }
  }
  const folderRows = [...folders].map(([name, inFolder]): DesignFolderRow => {
    const path = `${within}${name}/`;
    return { type: "designFolder", tenantId, key: `${of.key}/file/${path}`, name, below: rowsIn(of, inFolder, path) };
  });
  return [...folderRows, ...here];
}

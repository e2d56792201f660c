import * as vscode from "vscode";
import type { Design, DesignOwner, DesignVersion } from "../../api/catalogue/models/designs.ts";
import { cardsOf, createdOf, versionsOf } from "../../api/families/designs.ts";
import { isoDate } from "../../ui/format/dates.ts";
import { nonBlank, versionName } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import type { TreeRow } from "../../ui/tree/definition.ts";
import type { DesignFile } from "./files.ts";
import type { SourceFiles } from "./sources.ts";

export interface DesignRow extends TreeRow {
  readonly type: "design";
  readonly design: Design;
  readonly resource: PlatformResource;
}

/** A list below a design; `count` is from the design's response. */
export interface DesignListRow extends TreeRow {
  readonly type: "designVersions" | "designOwners" | "designCards";
  readonly of: DesignRow;
  readonly designId: string;
  readonly count: number | undefined;
}

export interface DesignVersionRow extends TreeRow {
  readonly type: "designVersion";
  readonly designId: string;
  readonly designName: string;
  readonly version: DesignVersion;
  readonly isDraft: boolean;
  /** ISO 8601, or milliseconds since 1970. */
  readonly created: string | number | undefined;
  readonly resource: PlatformResource;
}

interface DesignOwnerRow extends TreeRow {
  readonly type: "designOwner";
  readonly name: string;
  /** Empty if unknown. */
  readonly role: string;
  readonly email: string;
  readonly resource: PlatformResource;
}

interface DesignCardRow extends TreeRow {
  readonly type: "designCard";
  readonly title: string;
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

/** A row of the App Designs view. */
export type DesignTreeRow =
  | DesignRow
  | DesignListRow
  | DesignVersionRow
  | DesignOwnerRow
  | DesignCardRow
  | DesignFolderRow
  | DesignFileRow;

/** The row of a design. */
export function designRow(tenantId: string, design: Design): DesignRow {
  const name = nonBlank(design.name) ?? vscode.l10n.t("Unnamed app design");
  const resource = { type: "design", tenantId, id: design.id, name } as const;
  return { type: "design", tenantId, key: `design/${design.id}`, design, resource };
}

/** The version of a design that is shown as its latest. */
export function latestVersionOf(design: Design): string | undefined {
  return design.latestVersion ?? newestFirst(versionsOf(design.versions))[0]?.version;
}

/** Versions, newest first. Those without a date come last, in the platform's order. */
export function newestFirst(versions: readonly DesignVersion[]): readonly DesignVersion[] {
  const time = (version: DesignVersion): string => isoDate(createdOf(version)) ?? "";
  return versions.toSorted((one, other) => (time(one) < time(other) ? 1 : time(one) > time(other) ? -1 : 0));
}

/** The lists below a design. */
export function partLists(of: DesignRow): readonly DesignListRow[] {
  const { design, tenantId, key } = of;
  const hasCards = (design.cards ?? design.referencingCards ?? undefined) !== undefined;
  const list = (type: DesignListRow["type"], name: string, count: number | undefined): DesignListRow => ({
    type,
    tenantId,
    key: `${key}/list-${name}`,
    of,
    designId: design.id,
    count,
  });
  return [
    list("designVersions", "versions", design.versions?.length),
    list("designOwners", "owners", design.owners?.length),
    list("designCards", "cards", hasCards ? cardsOf(design).length : undefined),
  ];
}

/** The row of a version; the name of its resource includes the design. */
export function versionRow({ tenantId, key, resource: design }: DesignRow, version: DesignVersion): DesignVersionRow {
  const name = versionName(design.name, version.version);
  return {
    type: "designVersion",
    tenantId,
    key: `${key}/version/${version.version}`,
    designId: design.id,
    designName: design.name,
    version,
    isDraft: isDraft(version),
    created: createdOf(version),
    resource: { type: "designVersion", tenantId, id: version.version, parentId: design.id, name },
  };
}

/** A version that can still change. */
export function isDraft({ draft, releasedDate }: DesignVersion): boolean {
  return draft ?? releasedDate === null;
}

export function designOwnerRow({ tenantId, key }: DesignRow, owner: DesignOwner): DesignOwnerRow {
  const id = String(owner.id);
  const name = nonBlank(owner.displayName) ?? vscode.l10n.t("Unnamed user");
  return {
    type: "designOwner",
    tenantId,
    key: `${key}/owner/${id}`,
    name,
    role: owner.role ?? "",
    email: owner.detail?.email ?? "",
    resource: { type: "user", tenantId, id, name },
  };
}

export function designCardRow(
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

/** The files of a version as rows, folders first. */
export function fileRows(of: DesignVersionRow, files: SourceFiles): readonly (DesignFolderRow | DesignFileRow)[] {
  return rowsIn(
    of,
    [...files].map(([path, { byteLength }]) => ({ path, bytes: byteLength })),
    "",
  );
}

function rowsIn(
  of: DesignVersionRow,
  files: readonly { readonly path: string; readonly bytes: number }[],
  folder: string,
): readonly (DesignFolderRow | DesignFileRow)[] {
  const { tenantId, designId, designName } = of;
  const folders = new Map<string, { readonly path: string; readonly bytes: number }[]>();
  const here: DesignFileRow[] = [];
  for (const file of files) {
    const [name = "", ...rest] = file.path.slice(folder.length).split("/");
    const key = `${of.key}/file/${file.path}`;
    if (rest.length > 0) {
      folders.set(name, [...(folders.get(name) ?? []), file]);
    } else {
      here.push({
        type: "designFile",
        tenantId,
        key,
        designId,
        designName,
        version: of.version.version,
        path: file.path,
        name,
        bytes: file.bytes,
      });
    }
  }
  const folderRows = [...folders].map(([name, within]): DesignFolderRow => {
    const path = `${folder}${name}/`;
    return { type: "designFolder", tenantId, key: `${of.key}/file/${path}`, name, below: rowsIn(of, within, path) };
  });
  return [...folderRows, ...here];
}

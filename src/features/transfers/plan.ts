import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { maxWalkDepth } from "../../api/content-server/folder-walk.ts";
import { itemNameProblem } from "../../api/item-names.ts";
import { localNames, type NamingSystem, thisSystem } from "../../api/local-names.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { addressOf, scheme, siblingUri } from "../../tenants/workspace-uri.ts";

/** A file to copy. `size` is in bytes. */
export interface TransferFile {
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
  /** The path that is shown, starting at the chosen folder. */
  readonly name: string;
  readonly size: number;
}

/** The files and folders of a transfer. */
export interface TransferPlan {
  readonly files: readonly TransferFile[];
  /** Folders to create, parents first. */
  readonly folders: readonly vscode.Uri[];
  /** Files that are skipped from the start, with the reasons. */
  readonly skipped: readonly SkippedFile[];
  /** Items that get another name, because the target can't hold their own. */
  readonly renamed: readonly RenamedItem[];
}

export interface SkippedFile {
  readonly name: string;
  readonly reason: string;
}

export interface RenamedItem {
  /** The path that is shown, starting at the chosen folder. */
  readonly name: string;
  readonly newName: string;
}

/** Lists current items, on this computer or in a workspace. */
export interface TransferFolders {
  readonly entries: (folder: vscode.Uri) => PromiseLike<readonly [string, vscode.FileType][]>;
  /** Reads an item of a workspace with everything in it. */
  readonly tree: (item: vscode.Uri) => ReturnType<PlatformFileSystem["listTree"]>;
}

/** Lists folders of workspaces with the file system itself, because the editor may return a cached list. */
export function transferFolders(files: Pick<PlatformFileSystem, "listDirectory" | "listTree">): TransferFolders {
  return {
    entries: (folder) =>
      folder.scheme === scheme ? files.listDirectory(folder) : vscode.workspace.fs.readDirectory(folder),
    tree: (item) => files.listTree(item),
  };
}

/** The system that names the items of a target. A computer that isn't this one may have any system. */
export function namingSystemOf(target: vscode.Uri): NamingSystem {
  return target.scheme === scheme ? "server" : target.scheme === "file" ? thisSystem : "windows";
}

/** An item to copy, below the folder that contains it. */
interface PlannedItem {
  readonly from: vscode.Uri;
  /** Empty for the root of a workspace, whose content is copied into the target itself. */
  readonly name: string;
  readonly folder: PlannedItem | undefined;
  /** In bytes; undefined for a folder. */
  readonly size: number | undefined;
}

/**
 * Lists all files, with their sizes, and all folders, parents first, for copying them to a target. Skips links to
 * folders, which can form cycles, and items that are neither files nor folders, such as sockets.
 */
export async function planOf(
  sources: readonly vscode.Uri[],
  target: vscode.Uri,
  { entries, tree }: TransferFolders,
  system: NamingSystem = namingSystemOf(target),
): Promise<TransferPlan> {
  const items: PlannedItem[] = [];
  const skipped: SkippedFile[] = [];
  for (const source of sources) {
    if (source.scheme === scheme) {
      const { items: found, leftOut } = await tree(source);
      const root = addressOf(source).path;
      const planned = new Map<string, PlannedItem>();
      for (const { path, type, size } of found) {
        const folder = path === root ? undefined : planned.get(path.slice(0, Math.max(path.lastIndexOf("/"), 0)));
        const item: PlannedItem = {
          from: siblingUri(source, path),
          name: nameOf(path),
          folder,
          size: type === "directory" ? undefined : (size ?? 0),
        };
        items.push(item);
        planned.set(path, item);
      }
      skipped.push(...leftOut.map(({ path, reason }) => ({ name: path, reason: localizedText(reason) })));
    } else {
      await addLocal(source, entries, items, skipped);
    }
  }
  return { ...placed(items, target, system), skipped };
}

/** Adds the items of a computer. */
async function addLocal(
  source: vscode.Uri,
  entries: TransferFolders["entries"],
  items: PlannedItem[],
  skipped: SkippedFile[],
): Promise<void> {
  const add = async (
    from: vscode.Uri,
    name: string,
    type: vscode.FileType,
    folder: PlannedItem | undefined,
    depth: number,
  ): Promise<void> => {
    const skip = (reason: string): void => {
      skipped.push({ name: folder === undefined ? name : `${shownName(folder)}/${name}`, reason });
    };
    const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
    if ((type & vscode.FileType.Directory) !== 0) {
      if (isLink) {
        skip(vscode.l10n.t("it is a link to a folder"));
        return;
      }
      if (depth > maxWalkDepth) {
        skip(vscode.l10n.t("the folders are nested more than {0} levels deep", maxWalkDepth));
        return;
      }
      const item: PlannedItem = { from, name, folder, size: undefined };
      items.push(item);
      for (const [child, childType] of await entries(from)) {
        const problem = itemNameProblem(child);
        if (problem === undefined) {
          await add(vscode.Uri.joinPath(from, child), child, childType, item, depth + 1);
        } else {
          skipped.push({ name: `${shownName(item)}/${JSON.stringify(child)}`, reason: localizedText(problem) });
        }
      }
    } else if ((type & vscode.FileType.File) !== 0) {
      const { size } = await vscode.workspace.fs.stat(from);
      items.push({ from, name, folder, size });
    } else {
      skip(vscode.l10n.t("it isn't a file"));
    }
  };
  const { type } = await vscode.workspace.fs.stat(source);
  await add(source, nameOf(source.path), type, undefined, 0);
}

/** Gives each item a name that the target can hold, and that no other item of its folder has. */
function placed(
  items: readonly PlannedItem[],
  target: vscode.Uri,
  system: NamingSystem,
): Omit<TransferPlan, "skipped"> {
  const files: TransferFile[] = [];
  const folders: vscode.Uri[] = [];
  const renamed: RenamedItem[] = [];
  const names = new Map<PlannedItem, string>();
  // The content of a workspace's root is next to the other sources.
  const folderOf = ({ folder }: PlannedItem): PlannedItem | undefined => (folder?.name === "" ? undefined : folder);
  for (const siblings of Map.groupBy(items, folderOf).values()) {
    const named = siblings.filter(({ name }) => name !== "");
    const chosen = localNames(
      named.map(({ name }) => name),
      system,
    );
    for (const [index, item] of named.entries()) {
      names.set(item, chosen[index] ?? item.name);
    }
  }
  const places = new Map<PlannedItem | undefined, vscode.Uri>([[undefined, target]]);
  for (const item of items) {
    const name = names.get(item) ?? "";
    const to = vscode.Uri.joinPath(places.get(item.folder) ?? target, name);
    places.set(item, to);
    if (name !== item.name) {
      renamed.push({ name: shownName(item), newName: name });
    }
    if (item.size === undefined) {
      folders.push(to);
    } else {
      files.push({ from: item.from, to, name: shownName(item), size: item.size });
    }
  }
  return { files, folders, renamed };
}

function shownName({ name, folder }: PlannedItem): string {
  return folder === undefined ? name : `${shownName(folder)}/${name}`;
}

import * as vscode from "vscode";
import { isContentPath, normalizeContentPath } from "../../api/catalogue/content-path.ts";
import type { ListingOptions } from "../../api/content-server/listing.ts";
import { accountKeys } from "../../tenants/stored-account-state.ts";
import { anyText, choice, type ParsedText, text } from "../../ui/quick-input/questions.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import type { WorkspaceReference } from "../../ui/quick-input/workspace-choice.ts";

/** The set of files to search (API description, 4.2). */
export interface ListingChoices {
  /** Content path of the folder; empty for the workspace root. */
  readonly folder: string;
  readonly ignoreFolders: readonly string[];
  /** File extensions. Empty for all files. */
  readonly fileTypes: readonly string[];
  readonly isRecursive: boolean;
  readonly includesHidden: boolean;
}

const everything: ListingChoices = {
  folder: "",
  ignoreFolders: [],
  fileTypes: [],
  isRecursive: true,
  includesHidden: false,
};

/** The user's last choices for a workspace. */
export function listingChoices(state: vscode.Memento, workspace: WorkspaceReference): ListingChoices {
  return { ...everything, ...allChoices(state)[keyOf(workspace)] };
}

function allChoices(state: vscode.Memento): Readonly<Record<string, Partial<ListingChoices>>> {
  return state.get(accountKeys.searchedFiles, {});
}

function keyOf({ tenantId, workspaceId }: WorkspaceReference): string {
  return `${tenantId}/${workspaceId}`;
}

/** The button that opens the choices. */
export function filesButton(isNarrowed: boolean): vscode.QuickInputButton {
  const color = isNarrowed ? new vscode.ThemeColor("inputOption.activeForeground") : undefined;
  return { iconPath: new vscode.ThemeIcon("filter", color), tooltip: vscode.l10n.t("Choose Files to Search") };
}

/** The listing options for the choices. */
export function listingOptionsOf(choices: ListingChoices): ListingOptions {
  return {
    contentPath: choices.folder,
    ignoreFolders: choices.ignoreFolders,
    ...(choices.fileTypes.length === 0 ? {} : { includedFileTypes: choices.fileTypes }),
    isRecursive: choices.isRecursive,
    excludeHidden: !choices.includesHidden,
  };
}

/** The choices that exclude files, as text. Empty if all files are searched. */
export function listingWords({
  folder,
  ignoreFolders,
  fileTypes,
  isRecursive,
  includesHidden,
}: ListingChoices): string {
  const list = new Intl.ListFormat(vscode.env.language, { type: "unit" });
  return [
    ...(folder === "" ? [] : [vscode.l10n.t("in {0}", folder)]),
    ...(ignoreFolders.length === 0 ? [] : [vscode.l10n.t("without {0}", list.format(ignoreFolders))]),
    ...(fileTypes.length === 0 ? [] : [vscode.l10n.t("only {0}", list.format(fileTypes))]),
    ...(isRecursive ? [] : [vscode.l10n.t("without subfolders")]),
    ...(includesHidden ? [vscode.l10n.t("with hidden files")] : []),
  ].join(", ");
}

/** Asks which files to search, and stores the choices for the workspace. Canceling throws a CancellationError. */
export async function askForListing(state: vscode.Memento, workspace: WorkspaceReference): Promise<ListingChoices> {
  const before = listingChoices(state, workspace);
  const chosen: ListingChoices = await Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Folder to search. Leave empty for the whole workspace."),
        placeholder: "data/raw",
        initial: before.folder,
        read: readFolder,
      })),
      (folder) => ({ folder }),
    )
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Names of folders to ignore, separated by commas"),
        placeholder: "node_modules, archive",
        initial: before.ignoreFolders.join(", "),
        read: anyText,
      })),
      (typed) => ({ ignoreFolders: namesIn(typed) }),
    )
    .step(
      text(() => ({
        prompt: vscode.l10n.t("File types to search, separated by commas. Leave empty for all files."),
        placeholder: ".py, .ipynb",
        initial: before.fileTypes.join(", "),
        read: anyText,
      })),
      (typed) => ({
        fileTypes: namesIn(typed).map((type) => (/^\w/.test(type) ? `.${type}` : type.replace(/^\*/, ""))),
      }),
    )
    .step(
      choice(() => ({
        placeholder: vscode.l10n.t("Subfolders"),
        items: [
          { label: vscode.l10n.t("Search Subfolders"), iconPath: new vscode.ThemeIcon("list-tree"), value: true },
          { label: vscode.l10n.t("This Folder Only"), iconPath: new vscode.ThemeIcon("folder"), value: false },
        ],
      })),
      (isRecursive) => ({ isRecursive }),
    )
    .step(
      choice(() => ({
        placeholder: vscode.l10n.t("Hidden files: names that start with a dot"),
        items: [
          { label: vscode.l10n.t("Skip Hidden Files"), iconPath: new vscode.ThemeIcon("eye-closed"), value: false },
          { label: vscode.l10n.t("Search Hidden Files"), iconPath: new vscode.ThemeIcon("eye"), value: true },
        ],
      })),
      (includesHidden) => ({ includesHidden }),
    )
    .ask(vscode.l10n.t("Choose Files to Search"));
  await state.update(accountKeys.searchedFiles, { ...allChoices(state), [keyOf(workspace)]: chosen });
  return chosen;
}

function readFolder(typed: string): ParsedText<string> {
  const path = typed.trim();
  return isContentPath(path)
    ? { valid: true, value: normalizeContentPath(path) }
    : {
        valid: false,
        reason: vscode.l10n.t("Enter the folder's path from the workspace root, without . or .. segments."),
      };
}

function namesIn(typed: string): readonly string[] {
  return [...new Set(typed.split(",").map((name) => name.trim()))].filter((name) => name !== "");
}

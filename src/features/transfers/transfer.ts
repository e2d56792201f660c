import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { inParallel } from "../../api/content-server/concurrency.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { errorText } from "../../tenants/error-text.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { showInformation, showWarning } from "../../tenants/messages.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { namedLines } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { filesText } from "../../ui/format/counts.ts";
import { sizeText } from "../../ui/format/quantities.ts";

/** A file to copy. `size` is in bytes. */
interface TransferFile {
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
  /** The path that is shown, starting at the chosen folder. */
  readonly name: string;
  readonly size: number;
}

/** The files and folders of a transfer. */
interface TransferPlan {
  readonly files: readonly TransferFile[];
  /** Folders to create, parents first. */
  readonly folders: readonly vscode.Uri[];
  /** Files that are skipped from the start, with the reasons. */
  readonly skipped: readonly SkippedFile[];
}

export interface SkippedFile {
  readonly name: string;
  readonly reason: string;
}

/** Lists the names and types of the current items in a folder, on this computer or in a workspace. */
export type FolderEntries = (folder: vscode.Uri) => PromiseLike<readonly [string, vscode.FileType][]>;

/** Lists folders of workspaces with the file system itself, because the editor may return a cached list. */
export function entriesIn(files: Pick<PlatformFileSystem, "listDirectory">): FolderEntries {
  return (folder) =>
    folder.scheme === scheme ? files.listDirectory(folder) : vscode.workspace.fs.readDirectory(folder);
}

/**
 * Lists all files, with their sizes, and all folders, parents first, for copying them to a target. Skips links to
 * folders, which can form cycles, and items that are neither files nor folders, such as sockets.
 */
export async function planOf(
  sources: readonly vscode.Uri[],
  target: vscode.Uri,
  entriesOf: FolderEntries,
): Promise<TransferPlan> {
  const files: TransferFile[] = [];
  const folders: vscode.Uri[] = [];
  const skipped: SkippedFile[] = [];
  const take = async (from: vscode.Uri, to: vscode.Uri, name: string, type: vscode.FileType): Promise<void> => {
    const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
    if ((type & vscode.FileType.Directory) !== 0) {
      if (isLink) {
        skipped.push({ name, reason: vscode.l10n.t("it is a link to a folder") });
        return;
      }
      folders.push(to);
      for (const [child, childType] of await entriesOf(from)) {
        await take(vscode.Uri.joinPath(from, child), vscode.Uri.joinPath(to, child), `${name}/${child}`, childType);
      }
    } else if ((type & vscode.FileType.File) !== 0) {
      const { size } = await vscode.workspace.fs.stat(from);
      files.push({ from, to, name, size });
    } else {
      skipped.push({ name, reason: vscode.l10n.t("it isn't a file") });
    }
  };
  for (const source of sources) {
    const name = nameOf(source.path);
    const { type } = await vscode.workspace.fs.stat(source);
    await take(source, vscode.Uri.joinPath(target, name), name, type);
  }
  return { files, folders, skipped };
}

interface TransferWords {
  /** Title of the progress, for example "Uploading 12 files to Sales forecasting". */
  readonly running: string;
  /** Question about existing files, for example "Replace 3 files in data?". */
  readonly replace: (files: string) => string;
  /** Message at the end, for example "Uploaded 12 files (3 MB) to Sales forecasting." */
  readonly done: (files: string, bytes: string) => string;
}

/**
 * Copies the files, five at a time, with progress in bytes. Asks once whether to replace existing files. Reports
 * skipped files and reasons at the end. If the user cancels the question, throws a CancellationError before anything is
 * sent.
 */
export async function transfer(
  plan: TransferPlan,
  words: TransferWords,
  { entriesOf, log }: { readonly entriesOf: FolderEntries; readonly log: ExtensionLog },
): Promise<void> {
  const existing = await existingAmong(plan.files, entriesOf);
  const keeps = existing.length > 0 && !(await mayReplace(existing, words));
  const files = keeps ? plan.files.filter((file) => !existing.includes(file)) : plan.files;
  const skipped: SkippedFile[] = [
    ...plan.skipped,
    ...(keeps ? existing.map(({ name }) => ({ name, reason: vscode.l10n.t("it already exists") })) : []),
  ];
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const outcome = { files: 0, bytes: 0 };
  const isCancelled = await withCancellableProgress(words.running, async (signal, report) => {
    for (const folder of plan.folders) {
      await vscode.workspace.fs.createDirectory(folder);
    }
    let ended = 0;
    await inParallel(files, async ({ from, to, name, size }) => {
      if (signal.aborted) {
        skipped.push({ name, reason: vscode.l10n.t("canceled") });
        return;
      }
      try {
        await vscode.workspace.fs.writeFile(to, await vscode.workspace.fs.readFile(from));
        outcome.files += 1;
        outcome.bytes += size;
      } catch (error) {
        skipped.push({ name, reason: errorText(error) });
      }
      ended += total === 0 ? 1 / files.length : size / total;
      const message = vscode.l10n.t(
        "{0} of {1}",
        sizeText(outcome.bytes, vscode.env.language),
        sizeText(total, vscode.env.language),
      );
      report(message, ended);
    });
    return signal.aborted;
  });
  const done = words.done(filesText(outcome.files), sizeText(outcome.bytes, vscode.env.language));
  await showOutcome(done, skipped, isCancelled, log);
}

/** The files whose targets exist. Lists each target folder once. */
async function existingAmong(
  files: readonly TransferFile[],
  entriesOf: FolderEntries,
): Promise<readonly TransferFile[]> {
  const folders = new Map(files.map(({ to }) => [parentOf(to).toString(), parentOf(to)]));
  const present = new Set<string>();
  await inParallel([...folders.values()], async (folder) => {
    for (const [name] of await entriesOrNone(folder, entriesOf)) {
      present.add(vscode.Uri.joinPath(folder, name).toString());
    }
  });
  return files.filter(({ to }) => present.has(to.toString()));
}

async function entriesOrNone(
  folder: vscode.Uri,
  entriesOf: FolderEntries,
): Promise<readonly [string, vscode.FileType][]> {
  try {
    return await entriesOf(folder);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") {
      return [];
    }
    throw error;
  }
}

/**
 * Resolves with true to replace the files, and with false to skip them. Throws a CancellationError if the user cancels.
 */
async function mayReplace(existing: readonly TransferFile[], words: TransferWords): Promise<boolean> {
  const replace = vscode.l10n.t("Replace");
  const skip = vscode.l10n.t("Skip");
  const detail = namedLines(existing.map(({ name }) => name)).join("\n");
  const question = words.replace(filesText(existing.length));
  const chosen = await showWarning(question, { modal: true, detail }, replace, skip);
  if (chosen === undefined) {
    throw new vscode.CancellationError();
  }
  return chosen === replace;
}

/** Shows one message about the transfer. The log has the full list of skipped files. */
export async function showOutcome(
  done: string,
  skipped: readonly SkippedFile[],
  isCancelled: boolean,
  log: Pick<ExtensionLog, "show"> & { warn(line: string): void },
): Promise<void> {
  for (const { name, reason } of skipped) {
    log.warn(`skipped ${name}: ${reason}`);
  }
  const [first] = skipped;
  if (first === undefined) {
    void showInformation(done);
    return;
  }
  const reason = first.reason.endsWith(".") ? first.reason.slice(0, -1) : first.reason;
  const left =
    skipped.length === 1
      ? vscode.l10n.t("{0} was skipped: {1}.", first.name, reason)
      : vscode.l10n.t("{0} files were skipped. The first is {1}: {2}.", skipped.length, first.name, reason);
  const showList = vscode.l10n.t("Show List");
  const message = [...(isCancelled ? [vscode.l10n.t("Canceled.")] : []), done, left].join(" ");
  if ((await showWarning(message, showList)) === showList) {
    log.show();
  }
}

/** The parent folder of a path. */
function parentOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, "..");
}

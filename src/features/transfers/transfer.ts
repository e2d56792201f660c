import * as vscode from "vscode";
import { inParallel } from "../../api/content-server/concurrency.ts";
import { comparedName } from "../../api/local-names.ts";
import { errorText } from "../../tenants/error-text.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { showInformation, showWarning } from "../../tenants/messages.ts";
import { namedLines } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { unlessMissing } from "../../ui/documents/unless-missing.ts";
import { filesText } from "../../ui/format/counts.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { copyFile, type StreamedFiles } from "./file-copy.ts";
import { MovedBytes } from "./moved-bytes.ts";
import {
  namingSystemOf,
  type RenamedItem,
  type SkippedFile,
  type TransferFile,
  type TransferFolders,
  type TransferPlan,
  transferFolders,
} from "./plan.ts";

type TransferredFiles = StreamedFiles & Parameters<typeof transferFolders>[0];

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
  { files: fileSystem, log }: { readonly files: TransferredFiles; readonly log: ExtensionLog },
): Promise<void> {
  const folders = transferFolders(fileSystem);
  const existing = await existingAmong(plan.files, folders.entries);
  const keeps = existing.length > 0 && !(await mayReplace(existing, words));
  const files = keeps ? plan.files.filter((file) => !existing.includes(file)) : plan.files;
  const skipped: SkippedFile[] = [
    ...plan.skipped,
    ...(keeps ? existing.map(({ name }) => ({ name, reason: vscode.l10n.t("it already exists") })) : []),
  ];
  const outcome = { files: 0, bytes: 0 };
  const isCancelled = await withCancellableProgress(words.running, async (signal, report) => {
    for (const folder of plan.folders) {
      await vscode.workspace.fs.createDirectory(folder);
    }
    const progress = new MovedBytes(files, report, signal);
    await inParallel(files, async ({ from, to, name, size }) => {
      if (signal.aborted) {
        skipped.push({ name, reason: vscode.l10n.t("canceled") });
        return;
      }
      try {
        await progress.file(size, (control) => copyFile(fileSystem, { from, to, size }, control));
        outcome.files += 1;
        outcome.bytes += size;
      } catch (error) {
        skipped.push({ name, reason: signal.aborted ? vscode.l10n.t("canceled") : errorText(error) });
      }
    });
    return signal.aborted;
  });
  const done = words.done(filesText(outcome.files), sizeText(outcome.bytes, vscode.env.language));
  await showOutcome(done, { skipped, renamed: plan.renamed }, isCancelled, log);
}

/** The files whose targets exist, as the target compares names. Lists each target folder once. */
async function existingAmong(
  files: readonly TransferFile[],
  entriesOf: TransferFolders["entries"],
): Promise<readonly TransferFile[]> {
  const uriKey = (uri: vscode.Uri): string => comparedName(uri.path, namingSystemOf(uri));
  const folders = new Map(files.map(({ to }) => [parentOf(to).toString(), parentOf(to)]));
  const present = new Set<string>();
  await inParallel([...folders.values()], async (folder) => {
    for (const [name] of (await unlessMissing(entriesOf(folder))) ?? []) {
      present.add(uriKey(vscode.Uri.joinPath(folder, name)));
    }
  });
  return files.filter(({ to }) => present.has(uriKey(to)));
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

/** Shows one message about the transfer. The log has the full lists of skipped and renamed items. */
export async function showOutcome(
  done: string,
  { skipped, renamed }: { readonly skipped: readonly SkippedFile[]; readonly renamed: readonly RenamedItem[] },
  isCancelled: boolean,
  log: Pick<ExtensionLog, "show"> & { warn(line: string): void },
): Promise<void> {
  for (const { name, reason } of skipped) {
    log.warn(`skipped ${name}: ${reason}`);
  }
  for (const { name, newName } of renamed) {
    log.warn(`renamed ${name} to ${newName}`);
  }
  if (skipped.length === 0 && renamed.length === 0) {
    void showInformation(done);
    return;
  }
  const showList = vscode.l10n.t("Show List");
  const message = [
    ...(isCancelled ? [vscode.l10n.t("Canceled.")] : []),
    done,
    ...skippedText(skipped),
    ...renamedText(renamed),
  ].join(" ");
  if ((await showWarning(message, showList)) === showList) {
    log.show();
  }
}

function skippedText(skipped: readonly SkippedFile[]): readonly string[] {
  const [first] = skipped;
  if (first === undefined) {
    return [];
  }
  const reason = first.reason.endsWith(".") ? first.reason.slice(0, -1) : first.reason;
  return [
    skipped.length === 1
      ? vscode.l10n.t("{0} was skipped: {1}.", first.name, reason)
      : vscode.l10n.t("{0} files were skipped. The first is {1}: {2}.", skipped.length, first.name, reason),
  ];
}

function renamedText(renamed: readonly RenamedItem[]): readonly string[] {
  const [first] = renamed;
  if (first === undefined) {
    return [];
  }
  return [
    renamed.length === 1
      ? vscode.l10n.t("{0} was named {1}, because its own name isn't possible there.", first.name, first.newName)
      : vscode.l10n.t(
          "{0} names were changed, because they aren't possible there. The first is {1}, now {2}.",
          renamed.length,
          first.name,
          first.newName,
        ),
  ];
}

/** The parent folder of a path. */
function parentOf(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, "..");
}

import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as vscode from "vscode";
import { ZipFile } from "yazl";
import { inParallel } from "../../api/content-server/concurrency.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { placed } from "../../file-system/transfer/downloading.ts";
import { errorText } from "../../tenants/error-text.ts";
import type { ReportProgress } from "../../ui/commands/progress.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { MovedBytes } from "./moved-bytes.ts";
import { planOf, type RenamedItem, type SkippedFile, type TransferPlan, transferFolders } from "./plan.ts";

interface ArchivedFolder {
  readonly count: number;
  readonly bytes: string;
  readonly skipped: readonly SkippedFile[];
  readonly renamed: readonly RenamedItem[];
}

/**
 * Packs a folder of a workspace into a ZIP archive on this computer. The files are downloaded to a temporary folder,
 * five at a time, and packed one after the other, so neither they nor the archive are in memory. Throws a
 * CancellationError if canceled. The archive appears when it is complete.
 */
export async function archiveFolder(
  folder: vscode.Uri,
  target: vscode.Uri,
  files: Pick<PlatformFileSystem, "listDirectory" | "listTree" | "download">,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<ArchivedFolder> {
  const plan = await planOf([folder], vscode.Uri.file("/"), transferFolders(files), "archive");
  // The folder of temporary files may be in memory, so it is only used if the target is on another computer.
  const isOnDisk = target.scheme === "file";
  const temporary = await mkdtemp(join(isOnDisk ? dirname(target.fsPath) : tmpdir(), "platform-workbench-"));
  try {
    const pack = (part: string): Promise<Omit<ArchivedFolder, "renamed">> =>
      packInto(part, plan, temporary, files, report, signal);
    if (isOnDisk) {
      let packed: Omit<ArchivedFolder, "renamed"> = { count: 0, bytes: "", skipped: [] };
      await placed(target.fsPath, async (part) => {
        packed = await pack(part);
      });
      return { ...packed, renamed: plan.renamed };
    }
    const part = join(temporary, "archive");
    const packed = await pack(part);
    await vscode.workspace.fs.writeFile(target, await readFile(part));
    return { ...packed, renamed: plan.renamed };
  } catch (error) {
    throw signal.aborted ? new vscode.CancellationError() : error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function packInto(
  part: string,
  plan: TransferPlan,
  temporary: string,
  files: Pick<PlatformFileSystem, "download">,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Omit<ArchivedFolder, "renamed">> {
  const skipped = [...plan.skipped];
  const progress = new MovedBytes(plan.files, report, signal);
  const archive = new ZipFile();
  const writing = new AbortController();
  const written = pipeline(archive.outputStream, createWriteStream(part), {
    signal: AbortSignal.any([signal, writing.signal]),
  });
  // Awaited at the end, when it may have failed long before.
  written.catch(() => undefined);
  archive.on("error", (error: unknown) => writing.abort(error));
  let bytes = 0;
  let count = 0;
  const add = async ({ from, to, name, size }: TransferPlan["files"][number], index: number): Promise<void> => {
    const place = join(temporary, String(index));
    try {
      await progress.file(size, (control) => files.download(from, place, control));
    } catch (error) {
      signal.throwIfAborted();
      skipped.push({ name, reason: errorText(error) });
      return;
    }
    // If the archive can't be written, no entry is packed any more.
    await Promise.race([packed(archive, to.path.slice(1), place, (await stat(place)).size), written]);
    await rm(place, { force: true });
    count += 1;
    bytes += size;
  };
  try {
    for (const { path } of plan.folders) {
      archive.addEmptyDirectory(path.slice(1));
    }
    await inParallel([...plan.files.entries()], async ([index, file]) => {
      signal.throwIfAborted();
      await add(file, index);
    });
    archive.end();
  } catch (error) {
    writing.abort(error);
    await written.catch(() => undefined);
    throw error;
  }
  await written;
  return { count, bytes: sizeText(bytes, vscode.env.language), skipped };
}

/** Adds a file to an archive. Resolves when all of it was read. */
function packed(archive: ZipFile, name: string, place: string, size: number): Promise<void> {
  return new Promise((resolve) => {
    archive.addReadStreamLazy(name, { size }, (take) => {
      const content = createReadStream(place);
      content.once("close", resolve);
      take(null, content);
    });
  });
}

import JSZip from "jszip";
import * as vscode from "vscode";
import { inParallel } from "../../api/content-server/concurrency.ts";
import { errorText } from "../../tenants/error-text.ts";
import type { ReportProgress } from "../../ui/commands/progress.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { planOf, type RenamedItem, type SkippedFile, type TransferFolders } from "./plan.ts";

/**
 * Packs a folder of a workspace into a ZIP archive on this computer. Throws a CancellationError, before the archive is
 * written, if canceled.
 */
export async function archiveFolder(
  folder: vscode.Uri,
  target: vscode.Uri,
  folders: TransferFolders,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<{
  readonly count: number;
  readonly bytes: string;
  readonly skipped: readonly SkippedFile[];
  readonly renamed: readonly RenamedItem[];
}> {
  const plan = await planOf([folder], vscode.Uri.file("/"), folders, "archive");
  const skipped = [...plan.skipped];
  const archive = new JSZip();
  for (const { path } of plan.folders) {
    archive.folder(path.slice(1));
  }
  const total = plan.files.reduce((sum, { size }) => sum + size, 0);
  let bytes = 0;
  let count = 0;
  await inParallel(plan.files, async ({ from, to, name, size }) => {
    throwIfGivenUp(signal);
    try {
      archive.file(to.path.slice(1), await vscode.workspace.fs.readFile(from));
      count += 1;
      bytes += size;
    } catch (error) {
      skipped.push({ name, reason: errorText(error) });
    }
    const message = vscode.l10n.t(
      "{0} of {1}",
      sizeText(bytes, vscode.env.language),
      sizeText(total, vscode.env.language),
    );
    report(message, total === 0 ? 0.9 : (bytes / total) * 0.9);
  });
  const packed = await archive.generateAsync({ type: "uint8array", compression: "DEFLATE" });
  throwIfGivenUp(signal);
  await vscode.workspace.fs.writeFile(target, packed);
  return { count, bytes: sizeText(bytes, vscode.env.language), skipped, renamed: plan.renamed };
}

function throwIfGivenUp(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new vscode.CancellationError();
  }
}

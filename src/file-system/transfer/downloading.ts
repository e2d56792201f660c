import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { FileSink, RawRead } from "../../api/content-server/raw-files.ts";
import { heldName, thisSystem } from "../../api/local-names.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showError, showInformation } from "../../tenants/messages.ts";
import { rawInto } from "../read/big-file-reader.ts";
import type { ContentReader } from "../read/content-reader.ts";
import type { MetadataReader } from "../read/directory-reader.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { bigFileIn } from "../session/size-limits.ts";
import type { Admission, TransferControl } from "./long-transfers.ts";
import { runShown } from "./transfer-progress.ts";

/** Size in bytes. Larger downloads bypass the editor, which then reports that the file did not open. */
const throughEditorBytes = 250_000_000;

/** Raw reads of a file that changes meanwhile. */
const attempts = 2;

/** A server that doesn't send raw bytes sends large files as a whole. Only one of them is in memory at a time. */
const inMemory = pLimit(1);

/** The files of a workspace that can be downloaded. */
interface DownloadedFiles {
  readonly server: ServerRequests;
  readonly cache: Pick<ListingCache, "hint">;
  readonly metadata: Pick<MetadataReader, "statContent">;
  readonly contents: Pick<ContentReader, "peek">;
}

/**
 * Asks for the target of a download that replaces opening the file. An existing target is replaced only when the
 * download is complete.
 */
export async function chooseDownload(files: DownloadedFiles, path: string, bytes: number): Promise<Admission> {
  const name = nameOf(path);
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Download {0}", name),
    saveLabel: vscode.l10n.t("Download"),
    defaultUri: vscode.Uri.file(join(homedir(), heldName(name, thisSystem))),
  });
  if (target === undefined) {
    return { type: "refused" };
  }
  if (bytes <= throughEditorBytes || target.scheme !== "file") {
    return {
      type: "download",
      save: async (content) => {
        await (target.scheme === "file"
          ? placed(target.fsPath, (part) => writeFile(part, content))
          : vscode.workspace.fs.writeFile(target, content));
        reportDownloaded(name, target);
      },
    };
  }
  const downloading = runShown({ action: "download", path, bytes }, async (control) => {
    await download(files, path, target.fsPath, control);
    reportDownloaded(name, target);
  });
  downloading.catch((error: unknown) => showError(errorText(error)));
  return { type: "refused" };
}

/** Downloads a file to a place on this computer, which appears or is replaced when the download is complete. */
export function download(
  files: DownloadedFiles,
  path: string,
  target: string,
  control: TransferControl,
): Promise<void> {
  return placed(target, (part) => bring(files, path, part, control));
}

/** Writes to a temporary file next to the target, and renames it when it is complete. */
export async function placed(target: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = join(dirname(target), `${randomUUID()}.part`);
  try {
    await write(part);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

function reportDownloaded(name: string, target: vscode.Uri): void {
  void showInformation(vscode.l10n.t("Downloaded {0} to {1}.", name, target.fsPath));
}

async function bring(files: DownloadedFiles, path: string, place: string, control: TransferControl): Promise<void> {
  let big = bigFileIn(files.cache.hint(path));
  const write = async (): Promise<void> => {
    control.signal.throwIfAborted();
    await writeFile(place, (await files.contents.peek(path)).bytes);
  };
  if (big === undefined) {
    return write();
  }
  for (let attempt = 1; big !== undefined && attempt <= attempts; attempt += 1) {
    const sink = new DiskSink(place);
    const read: RawRead = await rawInto(files.server, { ...big, path }, sink, control).finally(() => sink.close());
    if (read.type === "whole") {
      return;
    }
    const item: ContentItem | undefined = read.type === "other" ? await files.metadata.statContent(path) : undefined;
    big = item === undefined ? undefined : bigFileIn({ type: "present", item, age: 0 });
  }
  await inMemory(write);
}

class DiskSink implements FileSink {
  readonly #place: string;
  #file: FileHandle | undefined;

  constructor(place: string) {
    this.#place = place;
  }

  async begin(): Promise<void> {
    await this.close();
    this.#file = await open(this.#place, "w");
  }

  async write(part: Uint8Array): Promise<void> {
    await this.#file?.writeFile(part);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

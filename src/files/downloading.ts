import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { nameOf } from "../api/paths.ts";
import type { FileSink } from "../api/raw-files.ts";
import { rawInto } from "./big-file-reading.ts";
import { bigFileIn } from "./big-files.ts";
import { notFound } from "./file-fault.ts";
import type { TransferControl } from "./long-transfers.ts";
import { runShown } from "./transfer-progress.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** Asks where to and brings a file there, without an editor. What is there under that name stays until all has come. */
export async function downloadFile(files: WorkspaceFiles, path: string): Promise<void> {
  const name = nameOf(path);
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Download {0}", name),
    saveLabel: vscode.l10n.t("Download"),
    defaultUri: vscode.Uri.file(join(homedir(), name)),
  });
  if (target === undefined) {
    return;
  }
  const item = await files.reading.check(path);
  if (item === undefined) {
    throw notFound(path);
  }
  const transfer = { action: "download", path, bytes: item.size ?? 0 } as const;
  await runShown(transfer, async (control) => {
    if (target.scheme !== "file") {
      await vscode.workspace.fs.writeFile(target, await files.reading.peek(path));
      return;
    }
    const part = `${target.fsPath}.${randomUUID().slice(0, 8)}.part`;
    try {
      await bring(files, path, part, control);
      await rename(part, target.fsPath);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  });
  const reveal = vscode.l10n.t("Reveal");
  void vscode.window
    .showInformationMessage(vscode.l10n.t("{0} is downloaded to {1}.", name, target.fsPath), reveal)
    .then((chosen) => chosen === reveal && vscode.commands.executeCommand("revealFileInOS", target));
}

async function bring(files: WorkspaceFiles, path: string, place: string, control: TransferControl): Promise<void> {
  const big = bigFileIn(files.session.cache.lookUp(path));
  if (big !== undefined) {
    const sink = new DiskSink(place);
    const read = await rawInto(files.session, { ...big, path }, sink, control).finally(() => sink.close());
    if (read.type === "whole") {
      return;
    }
  }
  await writeFile(place, await files.reading.peek(path));
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

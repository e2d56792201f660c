import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { fetchDesignAssets } from "../../api/families/design-assets.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { showInformation } from "../../tenants/messages.ts";
import { namedLines } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { fileName } from "../../ui/documents/document-address.ts";
import { filesText } from "../../ui/format/counts.ts";
import { versionName } from "../../ui/format/labels.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { ChosenVersion } from "./choice.ts";

/** Downloads a version's source as a ZIP archive or unpacked folder. Canceling throws a CancellationError. */
export async function downloadSource(chosen: ChosenVersion): Promise<void> {
  const title = vscode.l10n.t("Download {0}", versionName(chosen.name, chosen.version));
  const ways = [
    {
      label: vscode.l10n.t("As a ZIP Archive…"),
      iconPath: new vscode.ThemeIcon("file-zip"),
      detail: vscode.l10n.t("One file, as stored on the platform"),
      way: saveArchive,
    },
    {
      label: vscode.l10n.t("As an Unpacked Folder…"),
      iconPath: new vscode.ThemeIcon("folder"),
      detail: vscode.l10n.t("A new folder named {0} in the folder that you choose", folderName(chosen)),
      way: unpack,
    },
  ];
  const way = await pickItem(ways, { title });
  await way.way(chosen, title);
}

async function saveArchive(chosen: ChosenVersion, title: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title,
    saveLabel: vscode.l10n.t("Save"),
    defaultUri: vscode.Uri.joinPath(startFolder(), `${folderName(chosen)}.zip`),
    filters: { [vscode.l10n.t("ZIP archives")]: ["zip"] },
  });
  if (target === undefined) {
    throw new vscode.CancellationError();
  }
  // The dialog has already asked whether to replace an existing file.
  const { bytes } = await download(chosen, {
    archiveDirectory: dirname(target.fsPath),
    archiveName: basename(target.fsPath),
    replaceArchive: true,
  });
  void showInformation(vscode.l10n.t("Downloaded {0} ({1}).", target.fsPath, sizeText(bytes, vscode.env.language)));
}

async function unpack(chosen: ChosenVersion, title: string): Promise<void> {
  const [parent] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: vscode.l10n.t("Unpack Here"),
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: startFolder(),
    })) ?? [];
  if (parent === undefined) {
    throw new vscode.CancellationError();
  }
  const folder = vscode.Uri.joinPath(parent, folderName(chosen));
  const { unpacked } = await download(chosen, { unpackDirectory: folder.fsPath });
  const open = vscode.l10n.t("Open Folder in New Window");
  const leftOut = unpacked?.leftOut ?? [];
  const renamed = unpacked?.renamed ?? [];
  const changes = [
    ...leftOut.map(({ name, reason }) => vscode.l10n.t("Left out {0}: {1}", name, localizedText(reason))),
    ...renamed.map(({ path, newPath }) => vscode.l10n.t("Named {0} instead of {1}", newPath, path)),
  ];
  const response = await showInformation(
    [
      vscode.l10n.t(
        "Unpacked {0} ({1}) into {2}.",
        filesText(unpacked?.files ?? 0),
        sizeText(unpacked?.bytes ?? 0, vscode.env.language),
        folder.fsPath,
      ),
      ...namedLines(changes).map((line) => `${line}.`),
    ].join(" "),
    open,
  );
  if (response === open) {
    await vscode.commands.executeCommand("vscode.openFolder", folder, { forceNewWindow: true });
  }
}

function download({ client, designId, version, name }: ChosenVersion, target: Parameters<typeof fetchDesignAssets>[2]) {
  return withCancellableProgress(vscode.l10n.t("Downloading {0}", versionName(name, version)), (signal, report) =>
    fetchDesignAssets(client, { designId, version }, target, {
      signal,
      onReceived: (bytes, total) => {
        const received = sizeText(bytes, vscode.env.language);
        if (total === undefined) {
          report(received);
        } else {
          report(vscode.l10n.t("{0} of {1}", received, sizeText(total, vscode.env.language)), bytes / total);
        }
      },
    }),
  );
}

function folderName({ name, version }: ChosenVersion): string {
  return fileName(versionName(name, version));
}

/** The initial folder of a dialog: the window's local folder, or the user's home folder. */
export function startFolder(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri;
  return folder ?? vscode.Uri.file(process.env.HOME ?? process.env.USERPROFILE ?? "/");
}

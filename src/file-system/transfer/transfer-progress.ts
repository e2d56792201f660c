import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { siblingUri } from "../../tenants/workspace-uri.ts";
import type { Admission, LongTransfer, LongTransfers, TransferControl } from "./long-transfers.ts";

/** What takes less shows nothing, in milliseconds. */
const showsAfter = 300;
const megabyte = 1_000_000;
/** A remark that nothing has to be done about, in milliseconds. */
const shownFor = 20_000;

const offerDownloadSetting = "files.offerDownloadAbove";

/** How transfers of one workspace show: with a notification that can be cancelled, and a question before large files. */
export function transfersOf(
  root: vscode.Uri,
  chooseDownload: (path: string, bytes: number) => Promise<Admission>,
): LongTransfers {
  const admitted = new Set<string>();
  return {
    run: runShown,
    async admit(path, bytes) {
      const limit = vscode.workspace.getConfiguration("platformWorkbench").get<number>(offerDownloadSetting, 50);
      if (limit <= 0 || bytes <= limit * megabyte || admitted.has(path)) {
        admitted.add(path);
        return { type: "open" };
      }
      const tab = openingTab(siblingUri(root, path));
      if (tab === undefined) {
        return { type: "open" };
      }
      const downloadInstead = vscode.l10n.t("Download…");
      const open = vscode.l10n.t("Open");
      const chosen = await vscode.window.showInformationMessage(
        vscode.l10n.t("{0} is {1}. It might be slow in the editor.", nameOf(path), inMegabytes(bytes)),
        downloadInstead,
        open,
      );
      if (chosen === open) {
        admitted.add(path);
        return { type: "open" };
      }
      await vscode.window.tabGroups.close(tab, true);
      return chosen === downloadInstead ? chooseDownload(path, bytes) : { type: "refused" };
    },
    tellKept(path, upload) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "Saving {0} was interrupted. The file is unchanged. The complete new content is in {1}.",
          path,
          nameOf(upload),
        ),
      );
    },
    tellTimeVersions(tick) {
      vscode.window.setStatusBarMessage(
        tick === "second"
          ? vscode.l10n.t("$(info) No content hashes: same-size changes within a second might be missed")
          : vscode.l10n.t("$(info) No content hashes: simultaneous same-size changes might be missed"),
        shownFor,
      );
    },
  };
}

/** Runs a transfer, with a notification when it takes a while. */
export async function runShown<T>(transfer: LongTransfer, work: (control: TransferControl) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let moved = 0;
  let show = (): void => {};
  const onMoved = (share: number): void => {
    moved = Math.min(share, 1);
    show();
  };
  const working = work({ signal: stop.signal, onMoved });
  const timer = setTimeout(() => {
    const location = vscode.ProgressLocation.Notification;
    void vscode.window.withProgress({ location, cancellable: true, title: titleOf(transfer) }, (progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      let reported = 0;
      show = () => {
        const message = vscode.l10n.t("{0} of {1}", inMegabytes(moved * transfer.bytes), inMegabytes(transfer.bytes));
        progress.report({ message, increment: (moved - reported) * 100 });
        reported = moved;
      };
      show();
      return working.then(
        () => undefined,
        () => undefined,
      );
    });
  }, showsAfter);
  try {
    return await working;
  } finally {
    clearTimeout(timer);
  }
}

function titleOf({ action, path }: LongTransfer): string {
  const name = nameOf(path);
  switch (action) {
    case "open":
      return vscode.l10n.t("Opening {0}", name);
    case "save":
      return vscode.l10n.t("Saving {0}", name);
    case "download":
      return vscode.l10n.t("Downloading {0}", name);
  }
}

function inMegabytes(bytes: number): string {
  const megabytes = bytes / megabyte;
  return vscode.l10n.t("{0} MB", megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes));
}

/** The tab in which a person opens the file, there before the editor reads it; what reads it for another reason has none. */
function openingTab(uri: vscode.Uri): vscode.Tab | undefined {
  const wanted = uri.toString();
  const isOfFile = ({ input }: vscode.Tab): boolean =>
    typeof input === "object" &&
    input !== null &&
    "uri" in input &&
    input.uri instanceof vscode.Uri &&
    input.uri.toString() === wanted;
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs).find(isOfFile);
}

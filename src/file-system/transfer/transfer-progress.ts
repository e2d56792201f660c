import * as vscode from "vscode";
import { isNotebookPath, nameOf } from "../../api/catalogue/content-path.ts";
import { showInformation, showWarning, withoutLinks } from "../../tenants/messages.ts";
import { siblingUri } from "../../tenants/workspace-uri.ts";
import type { Admission, LongTransfer, LongTransfers, TransferControl } from "./long-transfers.ts";

/** Milliseconds after which the progress is shown. */
const showsAfter = 300;
const megabyte = 1_000_000;
/** Milliseconds for which an informational message is shown. */
const shownMs = 20_000;

const offerDownloadSetting = "files.offerDownloadAbove";

/** Shows the transfers of one workspace in a notification that can be canceled, and asks before opening large files. */
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
      const openReadOnly = vscode.l10n.t("Open Without Outputs");
      // The editor hides a notification after some seconds, and would show only a progress bar from then on.
      const detail = isNotebookPath(path)
        ? vscode.l10n.t(
            "The editor loads all outputs of a notebook, which can take more than a minute. Without them, it opens a read-only copy.",
          )
        : isTablePath(path)
          ? vscode.l10n.t("It opens as text. Large files of this kind open as a table in a later version.")
          : "";
      const chosen = await showInformation(
        vscode.l10n.t("{0} is {1}. It might be slow in the editor.", nameOf(path), inMegabytes(bytes)),
        { modal: true, detail },
        open,
        ...(isNotebookPath(path) ? [openReadOnly] : []),
        downloadInstead,
      );
      if (chosen === open) {
        admitted.add(path);
        return { type: "open" };
      }
      await vscode.window.tabGroups.close(tab, true);
      if (chosen === openReadOnly) {
        const { openWithoutOutputs } = await import("./notebook-without-outputs.ts");
        return { type: "download", save: (content) => openWithoutOutputs(siblingUri(root, path), content) };
      }
      return chosen === downloadInstead ? chooseDownload(path, bytes) : { type: "refused" };
    },
    reportInterrupted(path, upload) {
      void import("./interrupted-save.ts").then(({ reportInterruptedSave }) =>
        reportInterruptedSave(siblingUri(root, path), siblingUri(root, upload)),
      );
    },
    reportLeftover(path, leftover) {
      void showWarning(
        vscode.l10n.t(
          "{0} is saved. The server couldn't delete the replaced file, which is now the empty file {1}. To delete it, run rm in a terminal of the workspace.",
          path,
          leftover,
        ),
      );
    },
    warnOfTimeVersions(tick) {
      vscode.window.setStatusBarMessage(
        tick === "second"
          ? vscode.l10n.t("$(info) No content hashes: same-size changes within a second might be missed")
          : vscode.l10n.t("$(info) No content hashes: simultaneous same-size changes might be missed"),
        shownMs,
      );
    },
  };
}

/** Runs a transfer, and shows a notification if it takes a while. */
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
    const title = withoutLinks(titleOf(transfer));
    void vscode.window.withProgress({ location, cancellable: true, title }, (progress, token) => {
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

function isTablePath(path: string): boolean {
  return /\.(?:csv|tsv)$/i.test(path);
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

/** The tab that opens the file, which exists before the editor reads it. Other readers have no tab. */
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

import * as vscode from "vscode";
import { showInformation } from "../../tenants/messages.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { versionLabel, versionName } from "../../ui/format/labels.ts";
import { pickItem, unlessCanceled } from "../../ui/quick-input/show-input.ts";
import { type ChosenDesign, type ChosenVersion, pickVersion } from "./choice.ts";
import { startFolder } from "./download.ts";
import { designFileUri } from "./files.ts";
import { type SourceDifference, type SourceFiles, sourceDifferences, sourceFiles } from "./sources.ts";

/** One side of a comparison: its files and their URIs. */
interface Side {
  readonly files: SourceFiles;
  uriOf(path: string): vscode.Uri;
  /** A URI of the same file that contains the name of this side. */
  distinctUriOf(path: string): vscode.Uri;
}

/** A folder with more files can't be a design's source. */
const maxFiles = 5000;
const maxBytes = 64 * 1024 * 1024;
/** Files and folders that tools create next to a source. */
const leftOut: ReadonlySet<string> = new Set([".git", "node_modules", ".DS_Store"]);

/** Compares two versions of a design file by file, the older one on the left. */
export async function compareVersions(design: ChosenDesign, named: string | undefined): Promise<void> {
  const { name } = design;
  const title = vscode.l10n.t("Compare Versions of {0}", name);
  const one = named ?? (await pickVersion(design, title, vscode.l10n.t("First version"), []));
  const other = await pickVersion(design, title, vscode.l10n.t("Version to compare with {0}", versionLabel(one)), [
    one,
  ]);
  const [before, after] = [one, other].sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
  if (before === undefined || after === undefined) {
    return;
  }
  const [left, right] = await withCancellableProgress(
    vscode.l10n.t("Comparing {0} and {1}", versionName(name, before), versionLabel(after)),
    async () => Promise.all([before, after].map((version) => versionSide({ ...design, version }))),
  );
  if (left !== undefined && right !== undefined) {
    await show(
      left,
      right,
      `${versionName(name, before)} ↔ ${versionLabel(after)}`,
      vscode.l10n.t("{0} and {1}", versionLabel(before), versionLabel(after)),
    );
  }
}

/** Compares a version with a local folder, whose files can be edited in the comparison. */
export async function compareWithFolder(chosen: ChosenVersion): Promise<void> {
  const source = versionName(chosen.name, chosen.version);
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t("Compare {0} with a Folder", source),
      openLabel: vscode.l10n.t("Compare"),
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: startFolder(),
    })) ?? [];
  if (folder === undefined) {
    throw new vscode.CancellationError();
  }
  const local = folder.path.split("/").filter(Boolean).at(-1) ?? folder.path;
  const [left, right] = await withCancellableProgress(
    vscode.l10n.t("Comparing {0} and {1}", source, local),
    async (signal) => Promise.all([versionSide(chosen), folderSide(folder, signal)]),
  );
  await show(left, right, `${source} ↔ ${local}`, vscode.l10n.t("{0} and the folder {1}", source, local));
}

async function versionSide(chosen: ChosenVersion): Promise<Side> {
  const { client, tenantId, designId, version, name } = chosen;
  const files = await sourceFiles(client, { designId, version });
  const file = { tenantId, designId, designName: name, version };
  return {
    files,
    uriOf: (path) => designFileUri({ ...file, path }, "nowhere"),
    distinctUriOf: (path) => designFileUri({ ...file, path }, "name"),
  };
}

async function folderSide(folder: vscode.Uri, signal: AbortSignal): Promise<Side> {
  const paths: string[] = [];
  const list = async (within: string): Promise<void> => {
    for (const [name, type] of await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, within))) {
      signal.throwIfAborted();
      const path = within === "" ? name : `${within}/${name}`;
      if (leftOut.has(name)) {
        continue;
      }
      if (type === vscode.FileType.Directory) {
        await list(path);
      } else if ((type & vscode.FileType.File) !== 0) {
        paths.push(path);
      }
      if (paths.length > maxFiles) {
        throw new Error(
          vscode.l10n.t(
            "{0} has more than {1} files. Choose the folder that contains only the design's source.",
            folder.fsPath,
            maxFiles,
          ),
        );
      }
    }
  };
  await list("");
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const path of paths.sort()) {
    signal.throwIfAborted();
    const content = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, path));
    bytes += content.byteLength;
    if (bytes > maxBytes) {
      throw new Error(vscode.l10n.t("{0} is too large to compare.", folder.fsPath));
    }
    files.set(path, content);
  }
  const uriOf = (path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);
  return { files, uriOf, distinctUriOf: uriOf };
}

/** Shows the differences in the multi-file diff editor; binary files, such as images, one by one on request. */
async function show(left: Side, right: Side, title: string, both: string): Promise<void> {
  const differences = sourceDifferences(left.files, right.files);
  const texts = differences.filter(({ isBinary }) => !isBinary);
  const binaries = differences.filter(({ isBinary }) => isBinary);
  if (texts.length > 0) {
    await vscode.commands.executeCommand(
      "vscode.changes",
      title,
      texts.map((one) => resourcesOf(one, left, right)),
    );
  }
  if (binaries.length > 0) {
    await reportBinaries(binaries, left, right, title);
  } else if (texts.length === 0) {
    void showInformation(vscode.l10n.t("No differences between {0} (number of files: {1}).", both, left.files.size));
  }
}

/** The URI that names the row, and those of both sides. A side without the file is omitted. */
function resourcesOf(
  { path, change }: SourceDifference,
  left: Side,
  right: Side,
): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] {
  const before = change === "added" ? undefined : left.uriOf(path);
  const after = change === "removed" ? undefined : right.uriOf(path);
  return [after ?? left.uriOf(path), before, after];
}

async function reportBinaries(
  binaries: readonly SourceDifference[],
  left: Side,
  right: Side,
  title: string,
): Promise<void> {
  const compare = vscode.l10n.t("Show…");
  const message =
    binaries.length === 1
      ? vscode.l10n.t("{0} also differs (binary).", binaries[0]?.path ?? "")
      : vscode.l10n.t("{0} binary files also differ.", binaries.length);
  if ((await showInformation(message, compare)) !== compare) {
    return;
  }
  const items = binaries.map((one) => ({ label: one.path, description: changeWord(one), one }));
  const chosen = items.length === 1 ? items[0] : await unlessCanceled(pickItem(items, { title }));
  if (chosen !== undefined) {
    const { path, change } = chosen.one;
    const [before, after] = [left.distinctUriOf(path), right.distinctUriOf(path)];
    // No title: for binary files, the editor ignores it and shows the files' names.
    await (change === "changed"
      ? vscode.commands.executeCommand("vscode.diff", before, after)
      : vscode.commands.executeCommand("vscode.open", change === "added" ? after : before));
  }
}

function changeWord({ change }: SourceDifference): string {
  switch (change) {
    case "added":
      return vscode.l10n.t("added");
    case "removed":
      return vscode.l10n.t("removed");
    case "changed":
      return vscode.l10n.t("changed");
  }
}

import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import * as z from "zod/mini";
import { isNotebookPath, nameOf } from "../../api/catalogue/content-path.ts";
import { type ExportedNotebook, type ExportFormat, exportNotebook } from "../../api/content-server/notebook-export.ts";
import { heldName, thisSystem } from "../../api/local-names.ts";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { isUnsavedAt, saveEditor } from "../../file-system/session/editor-documents.ts";
import { placed } from "../../file-system/transfer/downloading.ts";
import type { Connections } from "../../tenants/connections.ts";
import { showInformation } from "../../tenants/messages.ts";
import { type ActiveFile, activeFile } from "../../ui/commands/active-file.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { unlessMissing } from "../../ui/documents/unless-missing.ts";
import { offerToSave } from "../../ui/quick-input/offer-to-save.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { ExportCommandId } from "./declarations.ts";
import { maxPreviewBytes, NotebookPreviews } from "./preview.ts";

interface ExportParts {
  readonly connections: Pick<Connections, "content">;
  readonly files: Pick<PlatformFileSystem, "readFile">;
}

/** An exported notebook is in memory. */
const maxExportBytes = 256 * 1024 * 1024;

/** Commands that make another format of a workspace's notebook. */
export function exportCommands(parts: ExportParts): CommandHandlers<ExportCommandId> {
  const previews = new NotebookPreviews();
  return {
    "platformWorkbench.exportNotebook": async (run, argument) => {
      const notebook = notebookOf(run, argument);
      const title = vscode.l10n.t("Export {0}", notebook.name);
      await saveFirst(notebook, title);
      const { format } = await pickItem(formatItems(), { title, placeHolder: vscode.l10n.t("Choose a format") });
      const { place } = await pickItem(placeItems(), { title, placeHolder: vscode.l10n.t("Choose where to save it") });
      const exported = await exportShown(parts, notebook, format, maxExportBytes);
      await (place === "workspace" ? saveBeside(notebook, exported) : saveOutside(notebook, exported));
    },
    "platformWorkbench.previewNotebook": async (run, argument) => {
      const notebook = notebookOf(run, argument);
      await saveFirst(notebook, vscode.l10n.t("Preview {0}", notebook.name));
      const { bytes } = await exportShown(parts, notebook, "html", maxPreviewBytes);
      previews.show(notebook, bytes);
    },
  };
}

/** The server exports the saved version. */
async function saveFirst({ uri, path, name }: ActiveFile, title: string): Promise<void> {
  if (isUnsavedAt(uri.authority, path)) {
    await offerToSave(name, title, () => saveEditor(uri.authority, path));
  }
}

function notebookOf(run: CommandRun, argument: unknown): ActiveFile {
  const file = activeFile(argument);
  if (!isNotebookPath(file.path)) {
    throw new Error(vscode.l10n.t("{0} isn't a notebook. Open a notebook of a workspace, then try again.", file.name));
  }
  run.setErrorContext({ tenantId: file.tenantId, workspaceId: file.workspaceId });
  return file;
}

type ChosenFormat = Exclude<ExportFormat, "script">;

function formatItems(): readonly (vscode.QuickPickItem & { readonly format: ChosenFormat })[] {
  const item = (format: ChosenFormat, icon: string, label: string, description: string) => ({
    label,
    description,
    iconPath: new vscode.ThemeIcon(icon),
    format,
  });
  return [
    item("html", "globe", vscode.l10n.t("HTML"), vscode.l10n.t("A page with all outputs, in one file")),
    item("python", "file-code", vscode.l10n.t("Script"), vscode.l10n.t("The code in the notebook's language")),
    item("markdown", "markdown", vscode.l10n.t("Markdown"), vscode.l10n.t("With pictures, a ZIP archive")),
    item("pdf", "file-pdf", vscode.l10n.t("PDF"), vscode.l10n.t("Needs LaTeX on the server")),
    item("slides", "play-circle", vscode.l10n.t("Slides"), vscode.l10n.t("A presentation in a web browser")),
  ];
}

function placeItems(): readonly (vscode.QuickPickItem & { readonly place: "workspace" | "computer" })[] {
  const isWeb = vscode.env.uiKind === vscode.UIKind.Web;
  return [
    {
      label: vscode.l10n.t("Workspace"),
      description: vscode.l10n.t("In the notebook's folder"),
      iconPath: new vscode.ThemeIcon("folder"),
      place: "workspace",
    },
    {
      // In a browser, the editor's dialogs show the computer that runs the editor's server.
      label: isWeb ? vscode.l10n.t("Editor's Server…") : vscode.l10n.t("This Computer…"),
      iconPath: new vscode.ThemeIcon(isWeb ? "server" : "device-desktop"),
      place: "computer",
    },
  ];
}

/** Exports with progress that can be canceled. */
function exportShown(
  { connections, files }: ExportParts,
  { tenantId, workspaceId, path, name, uri }: ActiveFile,
  chosen: ChosenFormat,
  maxBytes: number,
): Promise<ExportedNotebook> {
  return withCancellableProgress(vscode.l10n.t("Exporting {0}", name), async (signal) => {
    const client = await connections.content(tenantId, workspaceId);
    const format = chosen === "python" && !isPython(await files.readFile(uri)) ? "script" : chosen;
    return exportNotebook(client, { path, format }, { maxBytes, signal });
  });
}

const language = z.looseObject({
  metadata: z.looseObject({
    kernelspec: z.optional(z.looseObject({ language: z.optional(z.string()) })),
    language_info: z.optional(z.looseObject({ name: z.optional(z.string()) })),
  }),
});

/** False for a notebook that names another language. One that was never run may name none. */
function isPython(bytes: Uint8Array): boolean {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return true;
  }
  const { data } = z.safeParse(language, content);
  const name = data?.metadata.language_info?.name ?? data?.metadata.kernelspec?.language ?? "python";
  return name.toLowerCase() === "python";
}

function exportedName({ name }: ActiveFile, { extension }: ExportedNotebook): string {
  return name.replace(/\.ipynb$/i, "") + extension;
}

/** Writes the file next to the notebook. */
async function saveBeside(notebook: ActiveFile, exported: ExportedNotebook): Promise<void> {
  const name = exportedName(notebook, exported);
  const target = vscode.Uri.joinPath(notebook.uri, "..", name);
  if ((await unlessMissing(vscode.workspace.fs.stat(target))) !== undefined) {
    await confirm({
      question: vscode.l10n.t("Replace {0}?", name),
      consequence: vscode.l10n.t("The folder of {0} already has a file with this name.", notebook.name),
      action: vscode.l10n.t("Replace"),
    });
  }
  await vscode.workspace.fs.writeFile(target, exported.bytes);
  const open = vscode.l10n.t("Open");
  void showInformation(vscode.l10n.t("Exported {0} to {1}.", notebook.name, name), open).then(async (chosen) => {
    if (chosen === open) {
      await vscode.commands.executeCommand("vscode.open", target);
    }
  });
}

/** Asks for a place on the computer that the editor's dialogs show, which ask before they replace a file. */
async function saveOutside(notebook: ActiveFile, exported: ExportedNotebook): Promise<void> {
  const name = heldName(exportedName(notebook, exported), thisSystem);
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export {0}", notebook.name),
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: vscode.Uri.file(join(homedir(), name)),
  });
  if (target === undefined) {
    throw new vscode.CancellationError();
  }
  await (target.scheme === "file"
    ? placed(target.fsPath, (part) => writeFile(part, exported.bytes))
    : vscode.workspace.fs.writeFile(target, exported.bytes));
  void showInformation(vscode.l10n.t("Exported {0} to {1}.", notebook.name, nameOf(target.path)));
}

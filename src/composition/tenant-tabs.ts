import * as vscode from "vscode";
import { nameOf } from "../api/catalogue/content-path.ts";
import { deleteSnapshots } from "../file-system/merge/server-version.ts";
import { splitAuthority } from "../tenants/workspace-uri.ts";
import { documentAddressOf } from "../ui/documents/document-address.ts";
import type { PlatformDocuments } from "../ui/documents/platform-documents.ts";
import { closePanelsOf } from "../ui/webview/webview-panels.ts";

/**
 * Closes the tabs that show content of a tenant: files, notebooks, documents, comparisons, previews, and panels, and
 * deletes the versions that comparisons showed. Tabs with unsaved changes stay open.
 */
export async function closeTabsOf(tenantId: string, documents: Pick<PlatformDocuments, "read">): Promise<void> {
  closePanelsOf(tenantId);
  const titles = [...documents.read].flatMap((address) => {
    const document = documentAddressOf(vscode.Uri.parse(address));
    return document?.tenantId === tenantId ? [document.title] : [];
  });
  const all = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const files = [...vscode.workspace.textDocuments.map(({ uri }) => uri), ...all.flatMap(({ input }) => urisOf(input))];
  titles.push(...files.filter((uri) => tenantOf(uri) === tenantId).map(({ path }) => nameOf(path)));
  const tabs = all.filter(
    ({ input, isDirty, label }) =>
      !isDirty &&
      (urisOf(input).some((uri) => tenantOf(uri) === tenantId) ||
        (isMarkdownPreview(input) && titles.some((title) => label.includes(title)))),
  );
  await vscode.window.tabGroups.close(tabs, true);
  deleteSnapshots(tenantId);
}

function tenantOf({ scheme, authority }: vscode.Uri): string | undefined {
  return scheme.startsWith("platform-") ? splitAuthority(authority)?.tenantId : undefined;
}

function urisOf(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) {
    return [input.original, input.modified];
  }
  return input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom
    ? [input.uri]
    : [];
}

/**
 * True for the editor's preview of a Markdown document or file. Its tab has the name as its label, but no address.
 */
function isMarkdownPreview(input: unknown): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith("markdown.preview");
}

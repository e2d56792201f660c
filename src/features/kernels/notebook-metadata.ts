import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { KernelInformation, KernelSpec } from "../../api/kernels/models.ts";

export const notebookType = "jupyter-notebook";

const shape = z.looseObject({
  metadata: z.optional(z.looseObject({ kernelspec: z.optional(z.looseObject({ name: z.optional(z.string()) })) })),
});

/** Name of the kernel spec in a notebook's metadata; undefined if the notebook was never run. */
export function kernelNameOf(notebook: vscode.NotebookDocument): string | undefined {
  const parsed = z.safeParse(shape, notebook.metadata);
  return parsed.success ? parsed.data.metadata?.kernelspec?.name : undefined;
}

/**
 * Writes the kernel and its language to the notebook's metadata, as Jupyter does. Doesn't edit the notebook if they are
 * unchanged. Without `languageInfo`, writes only the kernel.
 */
export async function writeKernelMetadata(
  notebook: vscode.NotebookDocument,
  spec: KernelSpec,
  languageInfo?: KernelInformation["languageInfo"],
): Promise<void> {
  const parsed = z.safeParse(shape, notebook.metadata);
  const before = parsed.success ? (parsed.data.metadata ?? {}) : {};
  // Other tools store more about the kernel here. That belongs to the kernel that it was written for.
  const known = before.kernelspec?.name === spec.name ? before.kernelspec : {};
  const kernelspec = { ...known, display_name: spec.displayName, language: spec.language, name: spec.name };
  const after = { ...before, kernelspec, ...(languageInfo === undefined ? {} : { language_info: languageInfo }) };
  if (isDeepStrictEqual(before, after) || notebook.isClosed) {
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.updateNotebookMetadata({ ...notebook.metadata, metadata: after })]);
  await vscode.workspace.applyEdit(edit);
}

const cellShape = z.looseObject({ metadata: z.optional(z.looseObject({ tags: z.optional(z.array(z.unknown())) })) });

/** True if the cells after this one run even if it fails, because it is tagged `raises-exception`, as in JupyterLab. */
export function isExpectedToFail(cell: vscode.NotebookCell): boolean {
  const parsed = z.safeParse(cellShape, cell.metadata);
  return parsed.success && parsed.data.metadata?.tags?.includes("raises-exception") === true;
}

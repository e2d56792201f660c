import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { WidgetModel } from "../../../api/kernels/widgets/widget-models.ts";
import type { NotebookKernel } from "../notebook-kernel.ts";

/** The MIME type under which a notebook's metadata has the state of its widgets. */
const stateType = "application/vnd.jupyter.widget-state+json";

const shape = z.looseObject({
  metadata: z.optional(z.looseObject({ widgets: z.optional(z.record(z.string(), z.unknown())) })),
});

/** The state of widgets in the form of `metadata.widgets`, as JupyterLab writes it. Binary values are in base64. */
export function widgetStateOf(models: readonly WidgetModel[]): Readonly<Record<string, unknown>> {
  const states = models.map(({ commId, state, buffers }) => {
    const saved = {
      model_module: state._model_module,
      model_module_version: state._model_module_version,
      model_name: state._model_name,
      state,
    };
    const encoded = buffers.map(({ path, data }) => ({
      data: Buffer.from(data).toString("base64"),
      encoding: "base64",
      path,
    }));
    return [commId, encoded.length === 0 ? saved : { ...saved, buffers: encoded }] as const;
  });
  return { version_major: 2, version_minor: 0, state: Object.fromEntries(states) };
}

/** Saves the widgets with each notebook for which the setting says so, as JupyterLab does. */
export function addWidgetState(
  event: vscode.NotebookDocumentWillSaveEvent,
  kernel: Pick<NotebookKernel, "widgets"> | undefined,
): void {
  const { notebook } = event;
  const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels", notebook.uri);
  if (settings.get<boolean>("saveWidgetState", false)) {
    const edit = editOf(notebook, kernel?.widgets?.models ?? []);
    if (edit !== undefined) {
      event.waitUntil(Promise.resolve(edit));
    }
  }
}

/** Saves a notebook with the state of its widgets. Throws if its kernel has none, or if it can't be saved. */
export async function saveWidgetState({
  notebook,
  widgets,
}: Pick<NotebookKernel, "notebook" | "widgets">): Promise<void> {
  await widgets?.read();
  const models = widgets?.models ?? [];
  if (models.length === 0) {
    throw new Error(vscode.l10n.t("The kernel has no widgets. Run the cells that create them, then try again."));
  }
  const edit = editOf(notebook, models);
  if (edit !== undefined) {
    await vscode.workspace.applyEdit(edit);
  }
  await notebook.save();
}

/** The edit that adds the widgets; undefined if there are none, or if the notebook has this state. */
function editOf(notebook: vscode.NotebookDocument, models: readonly WidgetModel[]): vscode.WorkspaceEdit | undefined {
  if (models.length === 0) {
    return undefined;
  }
  const parsed = z.safeParse(shape, notebook.metadata);
  const before = parsed.success ? (parsed.data.metadata ?? {}) : {};
  // Copied, because the kernel's widgets change while the editor holds the metadata.
  const state: unknown = JSON.parse(JSON.stringify(widgetStateOf(models)));
  if (isDeepStrictEqual(before.widgets?.[stateType], state)) {
    return undefined;
  }
  const after = { ...before, widgets: { ...before.widgets, [stateType]: state } };
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.updateNotebookMetadata({ ...notebook.metadata, metadata: after })]);
  return edit;
}

import * as vscode from "vscode";
import * as z from "zod/mini";

/** What a cell shows in place of an output that nothing in this editor can show. */
export interface RendererHint {
  readonly text: string;
  readonly tooltip: string;
}

const contributions = z.looseObject({
  contributes: z.optional(
    z.looseObject({
      notebookRenderer: z.optional(z.array(z.looseObject({ mimeTypes: z.optional(z.array(z.string())) }))),
    }),
  ),
});

/** One sentence where the richest form of an output has no renderer; undefined where all of it shows. */
export function rendererHint(outputs: readonly vscode.NotebookCellOutput[]): RendererHint | undefined {
  for (const { items } of outputs) {
    const [richest] = items;
    if (richest === undefined || !isRich(richest.mime) || hasRenderer(richest.mime)) {
      continue;
    }
    const name = nameOfType(richest.mime);
    return {
      text: vscode.l10n.t("Simplified view of {0}", name),
      tooltip: vscode.l10n.t(
        "No installed extension can show {0}. To show it, install Jupyter Notebook Renderers (ms-toolsai.jupyter-renderers).",
        name,
      ),
    };
  }
  return undefined;
}

function isRich(mime: string): boolean {
  return mime.startsWith("application/") && !mime.startsWith("application/vnd.code.notebook.");
}

function hasRenderer(mime: string): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const parsed = z.safeParse(contributions, packageJSON);
    const renderers = parsed.success ? (parsed.data.contributes?.notebookRenderer ?? []) : [];
    return renderers.some(({ mimeTypes = [] }) => mimeTypes.includes(mime));
  });
}

/** `plotly` of `application/vnd.plotly.v1+json`. */
function nameOfType(mime: string): string {
  const [, name = mime] = /^application\/(?:vnd\.|x-)?([a-z]+)/.exec(mime) ?? [];
  return name;
}

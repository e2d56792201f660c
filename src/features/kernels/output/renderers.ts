import * as vscode from "vscode";
import * as z from "zod/mini";

/** A hint about an output without a renderer. */
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

/** The hint for the first output whose richest type has no renderer; undefined if all types can be shown. */
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

/** The short name of a type: `plotly` for `application/vnd.plotly.v1+json`. */
function nameOfType(mime: string): string {
  const [, name = mime] = /^application\/(?:vnd\.|x-)?([a-z]+)/.exec(mime) ?? [];
  return name;
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import { withoutLinks } from "../../tenants/messages.ts";
import type { EditorTool } from "./editor-tool.ts";
import { findFilesTool, listSelectionTool, openFileTool } from "./file-tools.ts";
import { editNotebookTool, readNotebookTool } from "./notebook-tools.ts";
import type { EditorToolParts } from "./remote-places.ts";
import { runCellsTool } from "./run-cells-tool.ts";
import { shownText } from "./shown-text.ts";
import { type ToolName, toolInputs } from "./tool-declarations.ts";

/** The language-model tools by name. Loaded when a model calls the first one. */
type EditorTools = ReadonlyMap<string, vscode.LanguageModelTool<unknown>>;

export function createEditorTools(parts: EditorToolParts): EditorTools {
  return new Map<string, vscode.LanguageModelTool<unknown>>([
    toolFor("platform_find_files", toolInputs.platform_find_files, findFilesTool(parts)),
    toolFor("platform_open_file", toolInputs.platform_open_file, openFileTool(parts)),
    toolFor("platform_read_notebook", toolInputs.platform_read_notebook, readNotebookTool(parts)),
    toolFor("platform_edit_notebook", toolInputs.platform_edit_notebook, editNotebookTool(parts)),
    toolFor("platform_run_cells", toolInputs.platform_run_cells, runCellsTool(parts)),
    toolFor("platform_list_selection", toolInputs.platform_list_selection, listSelectionTool(parts)),
  ]);
}

function toolFor<Shape extends z.ZodMiniType>(
  name: ToolName,
  shape: Shape,
  tool: EditorTool<z.output<Shape>>,
): [string, vscode.LanguageModelTool<unknown>] {
  const checked = (input: unknown): z.output<Shape> => {
    const parsed = z.safeParse(shape, input);
    if (!parsed.success) {
      const where = parsed.error.issues[0]?.path.map(String).join(".") || "input";
      throw new Error(vscode.l10n.t("The value of {1} isn't valid for {0}.", name, where));
    }
    return parsed.data;
  };
  return [
    name,
    {
      prepareInvocation: async ({ input }) => {
        const given = checked(input);
        const { title, message } = await tool.confirmation(given);
        return {
          invocationMessage: new vscode.MarkdownString(shownText(tool.progress(given))),
          confirmationMessages: { title, message: new vscode.MarkdownString(withoutLinks(message)) },
        };
      },
      invoke: async ({ input }, token) => {
        const response = await tool.run(checked(input), token);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(response))]);
      },
    },
  ];
}

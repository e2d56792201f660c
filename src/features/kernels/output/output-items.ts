import * as vscode from "vscode";
import type { Output } from "./cell-outputs.ts";
import { mimeItems } from "./mime-bundle.ts";

/** Creates a notebook output, with the metadata that the editor's serializer needs to write it to the file. */
export function notebookOutput(output: Output): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput(outputItems(output), outputMetadata(output));
}

/** The items that the editor can show for an output. */
export function outputItems(output: Output): vscode.NotebookCellOutputItem[] {
  switch (output.type) {
    case "stream":
      return [streamItem(output.name, output.text)];
    case "display":
    case "result":
      return mimeItems(output.bundle.data).map(({ data, mime }) => new vscode.NotebookCellOutputItem(data, mime));
    case "error":
      return [
        vscode.NotebookCellOutputItem.error({
          name: output.name,
          message: output.value,
          stack: output.traceback.join("\n"),
        }),
      ];
  }
}

export function streamItem(name: "stdout" | "stderr", text: string): vscode.NotebookCellOutputItem {
  return name === "stdout" ? vscode.NotebookCellOutputItem.stdout(text) : vscode.NotebookCellOutputItem.stderr(text);
}

const stdoutType = "application/vnd.code.notebook.stdout";
const stderrType = "application/vnd.code.notebook.stderr";

/** The text of an output that shows a stream; undefined for other outputs. */
export function streamOf({
  items,
}: Pick<vscode.NotebookCellOutput, "items">):
  | { readonly name: "stdout" | "stderr"; readonly text: string }
  | undefined {
  const mime = items[0]?.mime;
  if (mime !== stdoutType && mime !== stderrType) {
    return undefined;
  }
  const text = items.map(({ data }) => new TextDecoder().decode(data)).join("");
  return { name: mime === stdoutType ? "stdout" : "stderr", text };
}

function outputMetadata(output: Output): Record<string, unknown> {
  switch (output.type) {
    case "stream":
      return { outputType: "stream" };
    case "display":
      return { outputType: "display_data", metadata: output.bundle.metadata, ...transientOf(output.displayId) };
    case "result":
      return {
        outputType: "execute_result",
        executionCount: output.executionCount,
        metadata: output.bundle.metadata,
        ...transientOf(output.displayId),
      };
    case "error":
      return {
        outputType: "error",
        originalError: {
          output_type: "error",
          ename: output.name,
          evalue: output.value,
          traceback: output.traceback,
        },
      };
  }
}

/** The display id, which identifies a display that is updated after a reload. The serializer does not save it. */
function transientOf(displayId: string | undefined): Record<string, unknown> {
  return displayId === undefined ? {} : { transient: { display_id: displayId } };
}

import * as vscode from "vscode";
import type { Output } from "./cell-outputs.ts";
import { mimeItems } from "./mime-bundle.ts";

/** An output as the editor's notebooks have it, with the metadata from which its serializer writes it back. */
export function notebookOutput(output: Output): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput(outputItems(output), outputMetadata(output));
}

/** What the editor shows of an output. */
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

/** The serializer does not save it; a display that is updated after a reload is found by it. */
function transientOf(displayId: string | undefined): Record<string, unknown> {
  return displayId === undefined ? {} : { transient: { display_id: displayId } };
}

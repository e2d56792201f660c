import { createHash } from "node:crypto";
import type { JsonObject } from "../content-server/exact-json.ts";
import { notebookFrom, notebookText } from "../content-server/notebook.ts";

/** A part of a notebook before it has its place. */
export type Cell =
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly outputs: readonly Output[] };

/** What a code cell showed when it ran. */
export type Output =
  | { readonly kind: "printed"; readonly text: string }
  | { readonly kind: "result"; readonly data: Readonly<Record<string, string>> }
  | { readonly kind: "picture"; readonly png: Uint8Array; readonly text: string };

/** A notebook's language as its metadata names it. */
export type Kernel = "python" | "r";

const kernels: Readonly<Record<Kernel, JsonObject>> = {
  python: {
    kernelspec: { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" },
    language_info: { file_extension: ".py", mimetype: "text/x-python", name: "python", version: "3.12.4" },
  },
  r: {
    kernelspec: { display_name: "R", language: "R", name: "ir" },
    language_info: { file_extension: ".r", mimetype: "text/x-r-source", name: "R", version: "4.1.3" },
  },
};

export function markdown(...lines: readonly string[]): Cell {
  return { kind: "markdown", text: lines.join("\n") };
}

export function code(lines: readonly string[], ...outputs: readonly Output[]): Cell {
  return { kind: "code", text: lines.join("\n"), outputs };
}

/** A table as a data frame shows itself: as text and as HTML. */
export function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): Output {
  const cells = rows.map((row) => row.map(String));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row.map((text, index) => text.padStart(widths[index] ?? 0)).join("  ");
  const html = [
    '<table border="1" class="dataframe">',
    "  <thead>",
    `    <tr style="text-align: right;">${columns.map((column) => `<th>${column}</th>`).join("")}</tr>`,
    "  </thead>",
    "  <tbody>",
    ...cells.map((row) => `    <tr>${row.map((text) => `<td>${text}</td>`).join("")}</tr>`),
    "  </tbody>",
    "</table>",
  ];
  return {
    kind: "result",
    data: { "text/html": html.join("\n"), "text/plain": [columns, ...cells].map(line).join("\n") },
  };
}

/** The text of a notebook's file. */
export function notebookFile(kernel: Kernel, cells: readonly Cell[]): string {
  let executed = 0;
  const content: JsonObject = {
    cells: cells.map((cell, index) => {
      const id = createHash("sha256").update(`${index} ${cell.text}`).digest("hex").slice(0, 8);
      if (cell.kind === "markdown") {
        return { cell_type: "markdown", id, metadata: {}, source: cell.text };
      }
      executed += 1;
      const execution_count = executed;
      const outputs = cell.outputs.map((output) => outputShape(output, execution_count));
      return { cell_type: "code", execution_count, id, metadata: {}, outputs, source: cell.text };
    }),
    metadata: { ...kernels[kernel] },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return notebookText(notebookFrom(content));
}

function outputShape(output: Output, execution_count: number): JsonObject {
  switch (output.kind) {
    case "printed":
      return { name: "stdout", output_type: "stream", text: output.text };
    case "result":
      return { data: { ...output.data }, execution_count, metadata: {}, output_type: "execute_result" };
    case "picture": {
      const png = Buffer.from(output.png).toString("base64");
      return { data: { "image/png": png, "text/plain": output.text }, metadata: {}, output_type: "display_data" };
    }
  }
}

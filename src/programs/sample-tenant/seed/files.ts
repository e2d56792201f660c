import { createHash } from "node:crypto";
import { mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import type { JsonObject } from "../content-server/json.ts";
import { notebookFrom, notebookText } from "../content-server/notebook.ts";

/** Files by their path in a folder. */
export type FileSet = Readonly<Record<string, string | Uint8Array>>;

/** Writes files and creates their folders. */
export async function writeFiles(directory: string, files: FileSet): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const place = join(directory, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
  }
}

/** Writes a file of this number of bytes that repeats a text. */
export async function writeRepeated(place: string, text: string, size: number): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  const block = Buffer.from(text.repeat(Math.max(1, Math.ceil((1024 * 1024) / text.length))));
  const handle = await open(place, "w");
  try {
    for (let written = 0; written < size; ) {
      const piece = block.subarray(0, Math.min(block.length, size - written));
      await handle.write(piece);
      written += piece.length;
    }
  } finally {
    await handle.close();
  }
}

/** Comma-separated values below a header line. */
export function csv(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `${[columns, ...rows].map((row) => row.join(",")).join("\n")}\n`;
}

/** A cell of a notebook before it has a position. */
type Cell =
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly outputs: readonly Output[] };

/** The output of a code cell. */
type Output =
  | { readonly kind: "printed"; readonly text: string }
  | { readonly kind: "result"; readonly data: Readonly<Record<string, string>> }
  | { readonly kind: "picture"; readonly png: Uint8Array; readonly text: string };

/** A notebook's language in its metadata. */
type Kernel = "python" | "r";

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

/** A table as a data frame displays it: as text and as HTML. */
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

type Color = readonly [red: number, green: number, blue: number];

const width = 560;
const height = 240;
const margin = 16;
const white: Color = [255, 255, 255];
const gridColor: Color = [224, 228, 233];
const axisColor: Color = [90, 98, 110];
const measuredColor: Color = [52, 120, 190];
const forecastColor: Color = [240, 150, 60];

/** A bar chart as PNG: bars of the measured values, then of the expected values in another color. */
export function barChart(measured: readonly number[], expected: readonly number[] = []): Uint8Array {
  const pixels = Buffer.alloc(width * height * 3);
  const fill = (left: number, top: number, right: number, bottom: number, color: Color): void => {
    for (let y = Math.round(top); y < Math.round(bottom); y += 1) {
      for (let x = Math.round(left); x < Math.round(right); x += 1) {
        pixels.set(color, (y * width + x) * 3);
      }
    }
  };
  const values = [...measured, ...expected];
  const highest = Math.max(...values) * 1.05;
  const ground = height - margin;
  const step = (width - 2 * margin) / values.length;
  fill(0, 0, width, height, white);
  for (let line = 1; line <= 4; line += 1) {
    const y = ground - (line / 4) * (ground - margin);
    fill(margin, y, width - margin, y + 1, gridColor);
  }
  values.forEach((value, index) => {
    const left = margin + index * step;
    const top = ground - (value / highest) * (ground - margin);
    fill(left + step * 0.15, top, left + step * 0.85, ground, index < measured.length ? measuredColor : forecastColor);
  });
  fill(margin, ground, width - margin, ground + 2, axisColor);
  return png(pixels);
}

function png(pixels: Buffer): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(row * width * 3, (row + 1) * width * 3)]),
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.concat(rows), { level: 9 });
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

import { fileRows } from "./files.ts";
import { kernelRows } from "./kernels.ts";
import { mergeRows } from "./merges.ts";
import { measureRow, type ScaleFigures, type ScaleRow } from "./row.ts";
import { treeRows } from "./trees.ts";

/** All rows, in the order of the table. */
const rows: readonly ScaleRow[] = [...mergeRows, ...fileRows, ...treeRows, ...kernelRows];

/** Measures how costs grow with the size of what they depend on. */
export async function measureScale(say: (line: string) => void): Promise<readonly ScaleFigures[]> {
  const figures: ScaleFigures[] = [];
  for (const row of rows) {
    say(`growth: ${row.what}`);
    figures.push(await measureRow(row));
  }
  return figures;
}

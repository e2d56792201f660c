import { type MergeCell, mergeCells } from "../../../src/file-system/merge/merge-cells.ts";
import { mergeTexts } from "../../../src/file-system/merge/merge-text.ts";
import { processorTime, type ScaleRow } from "./row.ts";

const labels = { ours: "Yours", theirs: "Server" };

/** Every hundredth line or cell is changed, removed, or followed by a new one, at other places on each side. */
function edited(items: readonly string[], name: string, offset: number): readonly string[] {
  return items.flatMap((item, index) => {
    if (index % 100 !== offset) {
      return [item];
    }
    return [[`${name} ${index}`], [], [item, `${name} ${index}`]][((index / 100) % 3) | 0] ?? [];
  });
}

function mergeRow(name: string, what: string, lineOf: (index: number) => string, indents = false): ScaleRow {
  return {
    name,
    what,
    unit: "ms of the processor",
    smallest: 1_000,
    measure: async (size) => {
      const base = Array.from({ length: size }, (_, index) => lineOf(index));
      const ours = indents ? base.map((line) => `  ${line}`) : edited(base, "ours", 20);
      const texts = [base, ours, edited(base, "theirs", 70)].map((lines) => `${lines.join("\n")}\n`);
      return processorTime(() => mergeTexts(texts[0] ?? "", texts[1] ?? "", texts[2] ?? "", labels));
    },
  };
}

const codeLine = (index: number): string =>
  ["function x() {", `  const value${index} = ${index % 70};`, "  if (value) {", "    return;", "  }", "}", ""][
    index % 7
  ] ?? "";

function notebookRow(name: string, what: string, hasIds: boolean): ScaleRow {
  return {
    name,
    what,
    unit: "ms of the processor",
    smallest: 50,
    measure: async (size) => {
      const cells = (sources: readonly string[]): readonly MergeCell[] =>
        sources.map((source) => ({
          id: hasIds ? source : undefined,
          kind: "code python",
          source: `${source}\nprint(value)`,
          metadata: "{}",
          outputs: "[]",
        }));
      const base = Array.from({ length: size }, (_, index) => `value = ${index}`);
      const [ours, theirs] = [cells(edited(base, "ours", 20)), cells(edited(base, "theirs", 40))];
      return processorTime(() => mergeCells(cells(base), ours, theirs, labels));
    },
  };
}

export const mergeRows: readonly ScaleRow[] = [
  mergeRow("textMerge", "merge texts with code, lines", codeLine),
  mergeRow("tableMerge", "merge tables with 20 different values, lines", (index) => `row,${(index * 7_919) % 20}`),
  mergeRow("indentedMerge", "merge texts of which one is indented, lines", codeLine, true),
  notebookRow("notebookMerge", "merge notebooks, cells", true),
  notebookRow("notebookMergeWithoutIds", "merge notebooks without cell ids, cells", false),
];

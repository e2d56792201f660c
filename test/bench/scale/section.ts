import { readFile, writeFile } from "node:fs/promises";
import { maxExponent, type ScaleFigures } from "./row.ts";

const heading = "## Growth";

/** The section of `docs/benchmarks.md` about growth. It is the last one. */
export function growthSection(figures: readonly ScaleFigures[]): readonly string[] {
  const rows = figures.map(({ what, unit, sizes, costs, longestBlock, exponent }) => [
    what,
    ...sizes.map((size, index) => `${size.toLocaleString("en-US")}: ${shown(costs[index] ?? Number.NaN)}`),
    unit,
    longestBlock === undefined ? "" : `${shown(longestBlock)} ms`,
    exponent.toFixed(2),
  ]);
  return [
    heading,
    `Costs at three sizes. The least of several runs, in processor time or counts, not in time, so that other work on the machine hardly matters. The exponent is 1 if the cost grows in proportion to the size, and at most ${maxExponent}; 0 if it does not grow. The longest block is the processor time at the largest size for which nothing else can run. \`npm run bench -- scale\` measures and writes this section alone.`,
    table([["", "small", "x 10", "x 100", "", "longest block", "exponent"], Array(7).fill("---"), ...rows]),
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function shown(cost: number): string {
  return cost.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

/** Replaces the section in the page. */
export async function writeGrowthSection(page: string, figures: readonly ScaleFigures[]): Promise<void> {
  const text = await readFile(page, "utf8");
  const start = text.indexOf(`${heading}\n`);
  const before = start < 0 ? `${text.trimEnd()}\n\n` : text.slice(0, start);
  await writeFile(page, `${before}${growthSection(figures).join("\n\n")}\n`);
}

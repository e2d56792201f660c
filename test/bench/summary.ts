import { entryLimit } from "../../scripts/build/bundle.ts";
import { packageLimit } from "../../scripts/build/package.ts";
import { actions } from "./actions.ts";
import type { Figures } from "./figures.ts";
import { lookRows } from "./look-rows.ts";
import { maxExponent } from "./scale/row.ts";
import { workspaceRows } from "./workspace-rows.ts";

/** Prints the results next to their limits. */
export function printSummary({
  size,
  start,
  memory,
  transfers,
  listing,
  actions: runs,
  mainJob,
  kernels,
  keyPress,
  workspace,
  look,
  scale,
}: Figures): void {
  for (const { what, exponent } of scale ?? []) {
    row(what, `exponent ${exponent.toFixed(2)}`, String(maxExponent), exponent <= maxExponent);
  }
  if (size !== undefined) {
    row(
      "entry bundle and what it loads",
      kilobytes(size.entryBytes),
      kilobytes(entryLimit),
      size.entryBytes <= entryLimit,
    );
    row(".vsix", kilobytes(size.vsixBytes), kilobytes(packageLimit), size.vsixBytes <= packageLimit);
  }
  if (start !== undefined) {
    const total = start.load + start.activate;
    row("load and activate", `${total.toFixed(1)} ms`, "30 ms", total <= 30);
  }
  if (listing !== undefined) {
    row("tree of 5,000 folders, of its limit", listing.ratio.toFixed(2), "1.15", listing.ratio <= 1.15);
  }
  for (const { action, bytes, ratio } of transfers ?? []) {
    const limit = bytes === 100_000_000 ? "1.5" : "";
    row(`${action} ${bytes / 1e6} MB, of a plain loop`, ratio.toFixed(2), limit, limit === "" || ratio <= 1.5);
  }
  if (memory !== undefined) {
    row("memory of 10,000 nodes", `${(memory.bytes / 1e6).toFixed(1)} MB`, "", true);
  }
  if (mainJob !== undefined) {
    row("rows of the first window", `${mainJob.firstRows.toFixed(1)} s`, "", true);
    row("open a workspace", `${mainJob.openWorkspace.toFixed(1)} s`, "", true);
    row("open a notebook", `${mainJob.openNotebook.toFixed(2)} s`, "", true);
    row("save it", `${mainJob.saveNotebook.toFixed(2)} s`, "", true);
  }
  for (const { what, value, limit, isWithin } of workspace === undefined ? [] : workspaceRows(workspace)) {
    row(what, value, limit, isWithin);
  }
  for (const { what, value, limit, isWithin } of look === undefined ? [] : lookRows(look)) {
    row(what, value, limit, isWithin);
  }
  if (kernels !== undefined) {
    const { firstOutput, stdoutRatio, clientBytes } = kernels;
    for (const [place, times] of [
      ["first output", firstOutput.direct],
      ["first output behind a hub's proxy", firstOutput.throughProxy],
    ] as const) {
      const [plain, before] = [times.plain, times.unacknowledged].map((time) => `${time.toFixed(1)} ms`);
      const details = `${times.ours.toFixed(1)} ms; plain loop ${plain}; without acknowledgments ${before}`;
      const ratio = times.ours / times.plain;
      row(`${place}, of a plain loop`, ratio.toFixed(2), "0.3", ratio <= 0.3, details);
    }
    row("50 MB of stdout, of a plain loop", stdoutRatio.toFixed(2), "1.3", stdoutRatio <= 1.3);
    row("kernel client", kilobytes(clientBytes), "80 KB", clientBytes <= 80_000);
    row("connect to a running kernel", `${kernels.connectRequests} requests`, "3", kernels.connectRequests <= 3);
  }
  if (keyPress !== undefined) {
    const { longest, max, quiet, load } = keyPress;
    row("key press beside 50 MB of stdout", `${max.toFixed(0)} ms`, "100 ms", max <= 100);
    row("the longest of them", `${longest.toFixed(0)} ms`, "", true, `at a load of ${load.toFixed(1)}`);
    row("key press without output", `${quiet.max.toFixed(0)} ms`, "", true);
  }
  for (const action of runs === undefined ? [] : actions) {
    const costs = [...(runs?.values() ?? [])].map((run) => run[action]);
    const seconds = costs.map((cost) => cost.seconds.toFixed(2)).join(" / ");
    row(action, `${costs[0]?.requests} requests`, "", true, `${seconds} s at 0 / 50 / 200 ms`);
  }
  if (size !== undefined) {
    list("Loaded on first use", Object.entries(size.firstUseBytes));
    list(
      "Biggest in the entry",
      size.biggestInEntry.map(({ name, bytes }) => [name, bytes]),
    );
  }
}

function row(what: string, figure: string, limit: string, kept: boolean, remark = ""): void {
  const verdict = limit === "" ? remark : `limit ${limit.padStart(8)}   ${kept ? "kept" : "OVER THE LIMIT"}`;
  console.log(`${what.padEnd(36)} ${figure.padStart(12)}   ${verdict}`.trimEnd());
}

function list(title: string, entries: readonly (readonly [string, number])[]): void {
  console.log(`\n${title}:`);
  for (const [name, bytes] of entries) {
    console.log(`  ${name.padEnd(34)} ${kilobytes(bytes).padStart(10)}`);
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

import type { SoakFigures, SoakResources } from "./soak.ts";

const rows: readonly (readonly [keyof SoakResources, string, "bytes" | "count"])[] = [
  ["heapBytes", "JavaScript heap", "bytes"],
  ["rssBytes", "memory of the process", "bytes"],
  ["sockets", "open sockets", "count"],
  ["timers", "active timers", "count"],
  ["socketObjects", "socket objects", "count"],
  ["emitters", "event emitters", "count"],
  ["abortSignals", "abort signals", "count"],
  ["listeners", "listeners of the editor's events", "count"],
];

/** The resources at the start and at the end, one row each, and what happened between them. */
export function soakReport({ start, end, heapBytesByMinute, ...counts }: SoakFigures): string {
  const shown = (value: number, unit: "bytes" | "count"): string =>
    unit === "bytes" ? `${(value / 1_000_000).toFixed(1)} MB` : String(value);
  return [
    ...rows.map(
      ([key, name, unit]) =>
        `${name.padEnd(34)}${shown(start[key], unit).padStart(10)}${shown(end[key], unit).padStart(10)}`,
    ),
    `heap by minute, in MB: ${heapBytesByMinute.map((bytes) => (bytes / 1_000_000).toFixed(1)).join(" ")}`,
    `${counts.rounds} rounds; repeated because of a cut: ${counts.failedReads} reads and ${counts.failedSaves} saves; ` +
      `cells without their output: ${counts.missingOutputs}; warnings about listeners: ${counts.warnings}`,
  ].join("\n");
}

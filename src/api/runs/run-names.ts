import { nameOf } from "../catalogue/content-path.ts";

/** Names of executed notebooks, such as `report 2026-11-29 07.15.ipynb`, which sort by time. */
const named = /^(.{1,255}) (\d{4}-\d\d-\d\d) (\d\d)\.(\d\d)(?: \((\d{1,4})\))?(\.ipynb)$/is;
/** Bytes. File systems allow no longer ones. */
const maxNameBytes = 255;
/** What the name of a run has in addition, at most. */
const maxAddition = " 2026-11-29 07.05 (9999)";

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** The name of a run of a notebook that begins at a time, in the time zone of this computer. It is not in `taken`. */
export function runName(notebook: string, time: Date, taken: ReadonlySet<string>): string {
  const date = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join("-");
  const name = nameOf(notebook);
  // Another letter case would be that of another notebook.
  const extension = /\.ipynb$/i.exec(name)?.[0] ?? ".ipynb";
  const stem = `${name.replace(/\.ipynb$/i, "")} ${date} ${twoDigits(time.getHours())}.${twoDigits(time.getMinutes())}`;
  for (let number = 1; ; number += 1) {
    const run = number === 1 ? `${stem}${extension}` : `${stem} (${number})${extension}`;
    if (!taken.has(run)) {
      return run;
    }
  }
}

/** False if the names of a notebook's runs would be longer than a file system allows. */
export function canNameRuns(notebook: string): boolean {
  return Buffer.byteLength(nameOf(notebook) + maxAddition) <= maxNameBytes;
}

/** The name of the notebook that a run executed. Undefined if a name isn't that of a run. */
export function notebookOfRun(name: string): string | undefined {
  const [, stem, , , , , extension] = named.exec(name) ?? [];
  return stem === undefined || extension === undefined ? undefined : `${stem}${extension}`;
}

/** The order of runs by their names, newest first. Runs of the same minute have numbers. */
export function compareRunNames(one: string, other: string): number {
  const key = (name: string): string => {
    const [, , date, hours, minutes, number = "1"] = named.exec(name) ?? [];
    return [date, hours, minutes, number.padStart(4, "0")].join(" ");
  };
  return key(one) < key(other) ? 1 : key(one) > key(other) ? -1 : 0;
}

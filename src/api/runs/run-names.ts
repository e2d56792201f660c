import { nameOf } from "../catalogue/content-path.ts";

/** Names of executed notebooks, such as `report 2026-11-29 07.15.ipynb`, which sort by time. */
const named = /^(.{1,200}) (\d{4}-\d\d-\d\d) (\d\d)\.(\d\d)(?: \((\d{1,4})\))?\.ipynb$/s;

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** The name of a run of a notebook that begins at a time, in the time zone of this computer. It is not in `taken`. */
export function runName(notebook: string, time: Date, taken: ReadonlySet<string>): string {
  const date = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join("-");
  const stem = `${nameOf(notebook).replace(/\.ipynb$/i, "")} ${date} ${twoDigits(time.getHours())}.${twoDigits(time.getMinutes())}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${stem}.ipynb` : `${stem} (${number}).ipynb`;
    if (!taken.has(name)) {
      return name;
    }
  }
}

/** The name of the notebook that a run executed. Undefined if a name isn't that of a run. */
export function notebookOfRun(name: string): string | undefined {
  const stem = named.exec(name)?.[1];
  return stem === undefined ? undefined : `${stem}.ipynb`;
}

/** The order of runs by their names, newest first. Runs of the same minute have numbers. */
export function compareRunNames(one: string, other: string): number {
  const key = (name: string): string => {
    const [, , date, hours, minutes, number = "1"] = named.exec(name) ?? [];
    return [date, hours, minutes, number.padStart(4, "0")].join(" ");
  };
  return key(one) < key(other) ? 1 : key(one) > key(other) ? -1 : 0;
}

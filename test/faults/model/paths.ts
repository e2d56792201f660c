import { parentOf } from "../../../src/api/catalogue/content-path.ts";

/** The paths of the steps: files, directories, and names that are easily damaged in transit. */
export const paths: readonly string[] = [
  "a.txt",
  "b.bin",
  "n.ipynb",
  "d",
  "d/a.txt",
  "d/n.ipynb",
  "d/e",
  "d/e/ü 50%#?.txt",
  "f",
  "f/a.txt",
  "f/g",
  "f/g/+&=.txt",
];

export function pathAt(index: number): string {
  return paths[index % paths.length] ?? "a.txt";
}

export function isBelow(path: string, ancestor: string): boolean {
  return path.startsWith(`${ancestor}/`);
}

export function ancestorsOf(path: string): readonly string[] {
  const parent = parentOf(path);
  return parent === "" ? [] : [...ancestorsOf(parent), parent];
}

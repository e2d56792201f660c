import { decodedText } from "./content-types.ts";

/** Why an .ipynb file isn't a notebook of the current format. Lines count from 1. */
export type NotebookProblem =
  | { readonly type: "mergeConflicts"; readonly line: number }
  | { readonly type: "invalidJson"; readonly line: number }
  | { readonly type: "oldFormat"; readonly format: number };

/** Maximum size of a file that is parsed to find a problem, in bytes. */
const maxParsedBytes = 4_000_000;

/** The problem of an .ipynb file. Undefined for a notebook, an empty file, and problems that editors explain. */
export function notebookProblemOf(bytes: Uint8Array): NotebookProblem | undefined {
  const text = decodedText(bytes);
  if (text === undefined || text.trim() === "") {
    return undefined;
  }
  const marker = /^<{7} /m.exec(text);
  if (marker !== null) {
    return { type: "mergeConflicts", line: lineAt(text, marker.index) };
  }
  return bytes.byteLength > maxParsedBytes ? undefined : problemOfJson(text);
}

function problemOfJson(text: string): NotebookProblem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && "nbformat" in value;
    const format = isObject ? value.nbformat : undefined;
    return typeof format === "number" && format < 4 ? { type: "oldFormat", format } : undefined;
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    return { type: "invalidJson", line: lineAt(text, position === undefined ? text.length : Number(position)) };
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

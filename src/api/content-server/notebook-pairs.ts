import { memberText } from "../http/json-member.ts";
import { decodedText, isNotebookText } from "./content-types.ts";

/**
 * True for a notebook that is paired with a script, according to its own metadata (`jupytext.formats`, such as
 * `ipynb,py:percent`). A server with jupytext writes both, and presents the script's cells as those of the notebook.
 */
export function isPairedNotebook(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"jupytext"')
    ? decodedText(bytes)
    : undefined;
  if (text === undefined || !isNotebookText(text)) {
    return false;
  }
  const metadata: unknown = JSON.parse(memberText(text, "metadata") ?? "{}");
  const formats = memberOf(memberOf(metadata, "jupytext"), "formats");
  return typeof formats === "string" ? formats.includes(",") : formats !== undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([member]) => member === name)?.[1]
    : undefined;
}

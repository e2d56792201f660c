import * as z from "zod/mini";
import { onOneLine, plainText } from "../../api/displayed-text.ts";
import { parseJson } from "../../api/http/json.ts";
import { shortened } from "../../api/text.ts";

/** Maximum number of characters of a cell's output that a model gets. */
const maxCharacters = 1000;
/** Maximum number of characters that are read of each output, because escape sequences don't count. */
const maxRead = 20_000;
const maxTypeLength = 100;

const textTypes = ["text/plain", "application/vnd.code.notebook.stdout", "application/vnd.code.notebook.stderr"];
const errorType = "application/vnd.code.notebook.error";

interface CellOutput {
  readonly items: readonly { readonly mime: string; readonly data: Uint8Array }[];
}

/** The beginning of a cell's output as text, without escape sequences. Other types of output are listed by name. */
export function outputText(outputs: readonly CellOutput[]): string {
  const all = outputs.map(textOf).join("\n");
  return all.length > maxCharacters ? `${all.slice(0, maxCharacters).toWellFormed()}…` : all;
}

function textOf({ items }: CellOutput): string {
  const type = items.find(({ mime }) => mime === errorType || textTypes.includes(mime))?.mime;
  if (type === undefined) {
    return items.map(({ mime }) => `[${shortened(onOneLine(mime), maxTypeLength)}]`).join(" ");
  }
  // A stream is one output with many items, and a sequence can begin in one of them and end in the next.
  const decoder = new TextDecoder();
  const text = items
    .filter(({ mime }) => mime === type)
    .map(({ data }) => decoder.decode(data, { stream: true }))
    .join("");
  return plainText((type === errorType ? errorTextOf(text) : text).slice(0, maxRead));
}

const errorShape = z.object({ name: z.string(), message: z.string(), stack: z.optional(z.string()) });

/** The message and the traceback of an error, as the editor stores them. */
function errorTextOf(json: string): string {
  try {
    const { name, message, stack = "" } = z.parse(errorShape, parseJson(json));
    return `${name}: ${message}\n${stack}`.trimEnd();
  } catch {
    return json;
  }
}

import * as z from "zod/mini";
import { isNotebookPath, nameOf } from "../catalogue/content-path.ts";
import type { ContentType, UpdateBody } from "../catalogue/models/contents.ts";
import { JsonText, notebookContent } from "../catalogue/models/contents.ts";
import { withJoinedStrings } from "./notebook-strings.ts";

/**
 * Infers the type and format from a path's extension. `.ipynb` is a notebook in `json` format, and a name without a dot
 * is a directory.
 */
export function inferType(path: string): { readonly type: ContentType; readonly format: "json" | "text" | null } {
  if (isNotebookPath(path)) {
    return { type: "notebook", format: "json" };
  }
  return nameOf(path).includes(".") ? { type: "file", format: "text" } : { type: "directory", format: null };
}

/**
 * True if the text of an .ipynb file is a notebook that fits the Update body. Otherwise it is written as an ordinary
 * file.
 */
export function isNotebookText(text: string): boolean {
  try {
    return z.safeParse(notebookContent, JSON.parse(text)).success;
  } catch {
    return false;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 exactly, including a byte order mark; undefined for any other bytes. */
export function decodedText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The Update body that writes these bytes unchanged: a valid notebook as type `notebook` with its original JSON, in which
 * only lines are joined, other UTF-8 as text, anything else as base64.
 */
export function updateBodyFor(path: string, bytes: Uint8Array): UpdateBody {
  const text = isNotebookPath(path) ? decodedText(bytes) : undefined;
  return text !== undefined && isNotebookText(text)
    ? { type: "notebook", format: "json", content: new JsonText(withJoinedStrings(text)) }
    : fileBodyFor(bytes);
}

/** The Update body that writes these bytes unchanged as a file: UTF-8 as text, anything else as base64. */
export function fileBodyFor(bytes: Uint8Array): UpdateBody {
  const text = decodedText(bytes);
  return text === undefined
    ? { type: "file", format: "base64", content: Buffer.from(bytes).toString("base64") }
    : { type: "file", format: "text", content: text };
}

/** The bytes of a content item that was read with its content; undefined if the bytes can't be restored reliably. */
export function bytesOf(item: {
  readonly content?: unknown;
  readonly format?: string | null | undefined;
}): Uint8Array | undefined {
  const { content, format } = item;
  if (typeof content !== "string") {
    return undefined;
  }
  return format === "base64" ? base64Bytes(content) : Buffer.from(content, "utf8");
}

/** Undefined for text that isn't base64, of which Node.js would decode a part. */
function base64Bytes(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  const digits = text.replace(/[\s=]/g, "").length;
  return digits % 4 !== 1 && bytes.byteLength === Math.floor((digits * 3) / 4) ? bytes : undefined;
}

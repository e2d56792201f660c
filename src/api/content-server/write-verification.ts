import { isNotebookPath } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import type { ContentCaller } from "../client/client.ts";
import { canonicalJson } from "../http/json.ts";
import { decodedText } from "./content-types.ts";
import { readFileContent } from "./file-content.ts";

/** After a PUT with an unknown outcome: the item if the server now has exactly this content; otherwise undefined. */
export async function itemIfWritten(
  client: ContentCaller,
  path: string,
  bytes: Uint8Array,
): Promise<ContentItem | undefined> {
  try {
    const read = await readFileContent(client, path);
    return read.type === "file" && isSameContent(path, read.bytes, bytes) ? { ...read.item, content: null } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True for the same bytes, or the same notebook. Servers format its JSON and split its strings into lines differently,
 * report which cells they trust, and may give cells other ids, which nobody has written.
 */
export function isSameContent(path: string, one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(one, other) === 0) {
    return true;
  }
  const [left, right] = [decodedText(one), decodedText(other)];
  if (!isNotebookPath(path) || left === undefined || right === undefined) {
    return false;
  }
  try {
    return comparable(left) === comparable(right);
  } catch {
    return false;
  }
}

function comparable(notebook: string): string {
  return canonicalJson(withJoinedLines(JSON.parse(notebook), "", ""));
}

/** Joins strings that are written as lists of lines, and removes the ids of cells and the server's trust of them. */
function withJoinedLines(value: unknown, key: string, parent: string): unknown {
  if (Array.isArray(value)) {
    const isText = value.every((line) => typeof line === "string") && key !== "tags";
    return isText ? value.join("") : value.map((item: unknown) => withJoinedLines(item, key, parent));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => !isOfServer(name, key, parent))
          .map(([name, field]) => [name, withJoinedLines(field, name, key)]),
      )
    : value;
}

function isOfServer(name: string, key: string, parent: string): boolean {
  return (
    (name === "trusted" && key === "metadata" && parent === "cells") ||
    (name === "id" && key === "cells" && parent === "")
  );
}

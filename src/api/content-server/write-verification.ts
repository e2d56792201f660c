import { isNotebookPath } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import type { ContentCaller } from "../client/client.ts";
import { canonicalJson } from "../http/json.ts";
import { isRecord, type Members } from "../records.ts";
import { decodedText } from "./content-types.ts";
import { readFileContent } from "./file-content.ts";
import { isJsonType } from "./notebook-strings.ts";

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
  const value: unknown = JSON.parse(notebook);
  return canonicalJson(isRecord(value) ? { ...value, cells: each(value.cells, comparableCell) } : value);
}

/** A cell without its id and the server's trust of it, with each multi-line string as one string. */
function comparableCell({ id: _, ...cell }: Members): Members {
  const { trusted: __, ...metadata } = isRecord(cell.metadata) ? cell.metadata : {};
  return {
    ...cell,
    source: joinedLines(cell.source),
    ...(isRecord(cell.metadata) ? { metadata } : {}),
    ...(isRecord(cell.attachments) ? { attachments: mapped(cell.attachments, comparableData) } : {}),
    outputs: each(cell.outputs, (output) => ({
      ...output,
      text: joinedLines(output.text),
      data: comparableData(output.data),
    })),
  };
}

function comparableData(data: unknown): unknown {
  return isRecord(data) ? mapped(data, (value, type) => (isJsonType(type) ? value : joinedLines(value))) : data;
}

/** A list of strings where the format of notebooks allows it for one string, such as the lines of a source. */
function joinedLines(value: unknown): unknown {
  return Array.isArray(value) && value.every((line) => typeof line === "string") ? value.join("") : value;
}

function each(list: unknown, change: (item: Members) => Members): unknown {
  return Array.isArray(list) ? list.map((item: unknown) => (isRecord(item) ? change(item) : item)) : list;
}

function mapped(record: Members, change: (value: unknown, name: string) => unknown): Members {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { type FileSink, MemorySink, type RawRead, readRaw } from "../../api/content-server/raw-files.ts";
import { phrase } from "../../api/phrase.ts";
import { cancelledOr, FileError, notFound } from "../errors.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { bigFileIn, type SizedItem } from "../session/size-limits.ts";
import type { TransferControl } from "../transfer/long-transfers.ts";

/** Maximum file size in bytes, due to the editor's buffers and this process's memory. */
const maxFileBytes = 2_000_000_000;

export interface FileContent {
  readonly item: ContentItem;
  readonly bytes: Uint8Array;
}

/** The result of a raw read. For `refused` and `changing`, use the content API instead. */
type BigFileRead =
  | { readonly type: "read"; readonly content: FileContent }
  | { readonly type: "refused"; readonly isFinal: boolean }
  | { readonly type: "changing" };

/**
 * Reads a large file as raw bytes. Its metadata is read before its bytes, so the recorded version is the same or older.
 * A save detects an older one. Outdated metadata is read again.
 */
export async function readBigFile(
  server: ServerRequests,
  known: SizedItem,
  check: () => Promise<ContentItem | undefined>,
  control: TransferControl,
): Promise<BigFileRead> {
  const { path } = known;
  const first = await readInto(server, known, control);
  if (first.type !== "other") {
    return first;
  }
  const item = await check();
  if (item === undefined) {
    throw notFound(path);
  }
  const sized = bigFileIn({ type: "present", item: { ...item, path }, age: 0 });
  const second = sized === undefined ? undefined : await readInto(server, sized, control);
  return second === undefined || second.type === "other" ? { type: "changing" } : second;
}

async function readInto(
  server: ServerRequests,
  item: SizedItem,
  control: TransferControl,
): Promise<BigFileRead | { readonly type: "other" }> {
  if (item.size > maxFileBytes) {
    throw new FileError("refused", item.path, phrase`${item.path} is too large for the editor. Download it instead.`);
  }
  const sink = new MemorySink(item.size);
  const read = await rawInto(server, item, sink, control);
  return read.type === "whole" ? { type: "read", content: { item, bytes: sink.bytes } } : read;
}

/** Reads a file's raw bytes into a sink, and checks their size and date. Throws a FileError if the user cancels. */
export async function rawInto(
  server: ServerRequests,
  item: SizedItem,
  sink: FileSink,
  { signal, onMoved }: TransferControl,
): Promise<RawRead> {
  try {
    return await server.request((client) =>
      readRaw(client, item, sink, { signal, onReceived: (bytes) => onMoved(bytes / item.size) }),
    );
  } catch (error) {
    throw cancelledOr(error, item.path, phrase`Opening ${item.path} was canceled.`);
  }
}

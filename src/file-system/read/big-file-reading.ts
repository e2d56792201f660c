import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { type FileSink, MemorySink, type RawRead, readRaw } from "../../api/content-server/raw-files.ts";
import { phrase } from "../../api/phrase.ts";
import { cancelledOr, FileError, notFound } from "../errors.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { bigFileIn, type SizedItem } from "../session/size-limits.ts";
import type { TransferControl } from "../transfer/long-transfers.ts";

/** What the editor's buffers and this process can hold of one file, in bytes. */
const longestFile = 2_000_000_000;

export interface FileContent {
  readonly item: ContentItem;
  readonly bytes: Uint8Array;
}

/** What came of reading a file as raw bytes; `refused` and `changing` leave it to the content API. */
type BigFileRead =
  | { readonly type: "read"; readonly content: FileContent }
  | { readonly type: "refused"; readonly isFinal: boolean }
  | { readonly type: "changing" };

/**
 * Reads a file whose size is known as raw bytes. What is known of it was asked for before its bytes: it is the version
 * that they are of, or an older one, which a save then notices. When it is out of date the server is asked again.
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
  if (item.size > longestFile) {
    throw new FileError("refused", item.path, phrase`${item.path} is too large for the editor. Download it instead.`);
  }
  const sink = new MemorySink(item.size);
  const read = await rawInto(server, item, sink, control);
  return read.type === "whole" ? { type: "read", content: { item, bytes: sink.bytes } } : read;
}

/** Reads raw bytes of a file of that size and time into a sink. A cancelled read is a FileError. */
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
    throw cancelledOr(error, item.path, phrase`Opening ${item.path} was cancelled.`);
  }
}

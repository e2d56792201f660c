import { exceededLimit } from "../../http/response-limits.ts";
import type { SocketMessage } from "../../http/web-socket.ts";
import { phrase } from "../../phrase.ts";
import {
  type Fields,
  type IncomingMessage,
  MessageError,
  type MessageHeader,
  type OutgoingMessage,
  publishedNumberMember,
} from "./kernel-message.ts";
import { longTextAt } from "./long-text.ts";

/** The subprotocol with an offset table and raw parts. Without it, messages are JSON. */
export const binaryProtocol = "v1.kernel.websocket.jupyter.org";

/** Maximum number of parts in a message: five text parts, and buffers. */
const maxParts = 1024;
const jsonLimits = { values: 1_000_000, depth: 300 };

/** Encodes a message: bytes with the binary subprotocol, otherwise JSON text, or bytes if the message has buffers. */
export function encodeMessage(message: OutgoingMessage, protocol: string | undefined): Uint8Array | string {
  const { channel, header, parentHeader = {}, metadata = {}, content, buffers = [] } = message;
  if (protocol === binaryProtocol) {
    const texts = [header, parentHeader, metadata, content].map((part) => Buffer.from(JSON.stringify(part)));
    return withOffsets([Buffer.from(channel), ...texts, ...buffers]);
  }
  const json = JSON.stringify({ channel, header, parent_header: parentHeader, metadata, content });
  return buffers.length === 0 ? json : withCount([Buffer.from(json), ...buffers]);
}

/** Decodes a message from the server. Throws a MessageError. */
export function decodeMessage({ isText, data }: SocketMessage, protocol: string | undefined): IncomingMessage {
  if (protocol === binaryProtocol && !isText) {
    return decodeParts(data);
  }
  const [json = data, ...buffers] = isText ? [data] : partsByCount(data);
  const longText = longTextAt(json, ["content", "text"]);
  const rest = longText === undefined ? undefined : parsed(longText.rest);
  const long = headerOf(rest?.header)?.msg_type === "stream" ? longText : undefined;
  const fields = long === undefined || rest === undefined ? parsed(json) : rest;
  return new DecodedMessage({
    channel: stringField(fields.channel),
    header: headerOf(fields.header),
    parentHeader: headerOf(fields.parent_header),
    metadata: () => fieldsOf(fields.metadata),
    content: () => fieldsOf(fields.content),
    longText: long?.parts,
    buffers,
    byteLength: data.length,
  });
}

/** Layout, in 64-bit little-endian numbers: the number of offsets, the offset of each part, the end, the parts. */
function withOffsets(parts: readonly Uint8Array[]): Buffer {
  const start = 8 * (parts.length + 2);
  const table = Buffer.alloc(start);
  // 48 of the 64 bits are enough, and take no big integers.
  table.writeUIntLE(parts.length + 1, 0, 6);
  let offset = start;
  for (const [index, part] of parts.entries()) {
    table.writeUIntLE(offset, 8 * (index + 1), 6);
    offset += part.byteLength;
  }
  table.writeUIntLE(offset, 8 * (parts.length + 1), 6);
  return Buffer.concat([table, ...parts]);
}

function decodeParts(data: Buffer): IncomingMessage {
  const count = data.length >= 8 ? Number(data.readBigUInt64LE(0)) : 0;
  if (count < 6 || count > maxParts + 1 || data.length < 8 * (count + 1)) {
    throw new MessageError(phrase`the message has no valid table of offsets`);
  }
  const offsets = Array.from({ length: count }, (_, index) => Number(data.readBigUInt64LE(8 * (index + 1))));
  const [channel, header, parent, metadata, content, ...buffers] = partsAt(data, offsets, 8 * (count + 1));
  if (channel === undefined || header === undefined || parent === undefined) {
    throw new MessageError(phrase`the message is incomplete`);
  }
  const parsedHeader = headerOf(parsed(header));
  const isStream = parsedHeader?.msg_type === "stream" && content !== undefined;
  const long = isStream ? longTextAt(content, ["text"]) : undefined;
  return new DecodedMessage({
    channel: channel.toString("latin1"),
    header: parsedHeader,
    parentHeader: headerOf(parsed(parent)),
    metadata: () => parsed(metadata),
    content: () => parsed(long?.rest ?? content),
    longText: long?.parts,
    buffers,
    byteLength: data.length,
  });
}

/**
 * Layout, in 32-bit big-endian numbers: the number of parts, the offset of each part, the parts. The last part ends
 * with the message.
 */
function withCount(parts: readonly Uint8Array[]): Buffer {
  const table = Buffer.alloc(4 * (parts.length + 1));
  table.writeUInt32BE(parts.length, 0);
  let offset = table.length;
  for (const [index, part] of parts.entries()) {
    table.writeUInt32BE(offset, 4 * (index + 1));
    offset += part.byteLength;
  }
  return Buffer.concat([table, ...parts]);
}

function partsByCount(data: Buffer): Buffer[] {
  const count = data.length >= 4 ? data.readUInt32BE(0) : 0;
  if (count < 1 || count > maxParts || data.length < 4 * (count + 1)) {
    throw new MessageError(phrase`the message has no valid table of offsets`);
  }
  const offsets = Array.from({ length: count }, (_, index) => data.readUInt32BE(4 * (index + 1)));
  return partsAt(data, [...offsets, data.length], 4 * (count + 1));
}

/** Splits data at offsets. Throws a MessageError unless they are in ascending order and after the table. */
function partsAt(data: Buffer, offsets: readonly number[], start: number): Buffer[] {
  let before = start;
  for (const offset of offsets) {
    if (!Number.isSafeInteger(offset) || offset < before || offset > data.length) {
      throw new MessageError(phrase`the parts of the message are out of order`);
    }
    before = offset;
  }
  return offsets.slice(0, -1).map((offset, index) => data.subarray(offset, offsets[index + 1]));
}

interface MessageParts
  extends Pick<IncomingMessage, "channel" | "parentHeader" | "buffers" | "byteLength" | "longText"> {
  readonly header: MessageHeader | undefined;
  readonly metadata: () => Fields;
  /** Without its text if that is long. */
  readonly content: () => Fields;
}

class DecodedMessage implements IncomingMessage {
  readonly channel: string;
  readonly header: MessageHeader;
  readonly parentHeader: MessageHeader | undefined;
  readonly buffers: readonly Uint8Array[];
  readonly byteLength: number;
  readonly longText: IncomingMessage["longText"];
  readonly #metadata: () => Fields;
  readonly #readContent: () => Fields;
  #content: Fields | undefined;

  constructor({ channel, header, parentHeader, buffers, byteLength, metadata, content, longText }: MessageParts) {
    if (header === undefined) {
      throw new MessageError(phrase`the message has no header`);
    }
    this.channel = channel;
    this.header = header;
    this.parentHeader = parentHeader;
    this.buffers = buffers;
    this.byteLength = byteLength;
    this.#metadata = metadata;
    this.#readContent = content;
    this.longText = longText;
  }

  get content(): Fields {
    this.#content ??= this.#readContent();
    return this.#content;
  }

  get metadata(): Fields {
    return this.#metadata();
  }
}

function parsed(json: Buffer | undefined): Fields {
  if (json === undefined || exceededLimit(json, jsonLimits) !== undefined) {
    throw new MessageError(phrase`the message is incomplete, or has too many values or too many nested levels`);
  }
  try {
    return fieldsOf(JSON.parse(json.toString("utf8")));
  } catch {
    throw new MessageError(phrase`a part of the message isn't valid JSON`);
  }
}

/** The header in a message's JSON; undefined if it is empty or invalid. */
export function headerOf(value: unknown): MessageHeader | undefined {
  const { msg_id, msg_type, session, date, subshell_id, [publishedNumberMember]: number } = fieldsOf(value);
  if (typeof msg_id !== "string" || typeof msg_type !== "string") {
    return undefined;
  }
  return {
    msg_id,
    msg_type,
    session: stringField(session),
    ...(typeof date === "string" ? { date } : {}),
    ...(typeof subshell_id === "string" ? { subshell_id } : {}),
    ...(typeof number === "number" ? { publishedNumber: number } : {}),
  };
}

/** The members of an object; an empty object for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The value if it is a string; otherwise the empty string. */
export function stringField(value: unknown): string {
  return typeof value === "string" ? value : "";
}

import type { CommMessage } from "../../../api/kernels/connection/comms.ts";
import { buffersByPath } from "../../../api/kernels/widgets/widget-buffers.ts";
import type { WidgetModel } from "../../../api/kernels/widgets/widget-models.ts";
import type { Fields } from "../../../api/kernels/wire/kernel-message.ts";
import { fieldsOf } from "../../../api/kernels/wire/message-codec.ts";
import type { MessageFromPage, PageEvent, PageModel } from "./messages.ts";

/** Maximum length of an id, and of the base64 text in a message, in characters. Users can upload files to widgets. */
const maxIdLength = 200;
const maxBase64Length = 100_000_000;
const maxBuffers = 1000;

/**
 * Parses a page's message; undefined if it is invalid. Other outputs share the page's frame and can send anything.
 * Doesn't use a schema, which would increase the part of zod that loads with the extension.
 */
export function readPageMessage(message: unknown): MessageFromPage | undefined {
  const { page, content } = fieldsOf(message);
  const read = contentOf(fieldsOf(content));
  return isId(page) && read !== undefined ? { page, content: read } : undefined;
}

function contentOf({ type, id, commId, data, buffers }: Fields): MessageFromPage["content"] | undefined {
  switch (type) {
    case "ready":
      return { type };
    case "askText":
      return isId(commId) ? { type, commId } : undefined;
    case "send":
      return isId(id) && isId(commId) && areBuffers(buffers)
        ? { type, id, commId, data: fieldsOf(data), buffers }
        : undefined;
    default:
      return undefined;
  }
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxIdLength;
}

function areBuffers(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= maxBuffers &&
    value.every((buffer) => typeof buffer === "string") &&
    value.reduce((sum, { length }) => sum + length, 0) <= maxBase64Length
  );
}

export function pageModel({ commId, state, buffers }: WidgetModel): PageModel {
  return { commId, state, buffers: buffers.map(({ path, data }) => ({ path, data: encoded(data) })) };
}

/** A comm message as an event for a page. `parent`: id of the page's message that it replies to. */
export function pageEvent({ type, commId, data, buffers }: CommMessage, parent: string | undefined): PageEvent {
  if (type === "close") {
    return { type: "closed", commId };
  }
  if (type === "open") {
    const found = buffersByPath(data.buffer_paths, buffers);
    return { type: "models", models: [pageModel({ commId, state: fieldsOf(data.state), buffers: found })] };
  }
  if (data.method === "custom") {
    return { type: "message", commId, data, buffers: buffers.map(encoded), parent };
  }
  const found = buffersByPath(data.buffer_paths, buffers);
  const update = { method: data.method, state: fieldsOf(data.state), buffer_paths: found.map(({ path }) => path) };
  return { type: "message", commId, data: update, buffers: found.map((buffer) => encoded(buffer.data)), parent };
}

export function decoded(base64: string): Uint8Array {
  return Buffer.from(base64, "base64");
}

function encoded(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

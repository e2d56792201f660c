import type { Duplex } from "node:stream";
import * as z from "zod/mini";
import type { ContentClient } from "../client/client.ts";
import { type SocketMessage, socketHandshake, WebSocketConnection } from "../http/web-socket.ts";
import { withoutOuter } from "../text.ts";

/**
 * A change to a content item by a client of the content API. The server doesn't report changes by kernels and
 * terminals.
 */
export interface ContentEvent {
  /** The server's name for it: `save`, `rename`, `copy`, `delete`, `create`, `upload`. */
  readonly action: string;
  readonly path: string;
  /** The source path, for `rename` and `copy`. */
  readonly sourcePath: string | undefined;
}

/** What happened in a live room, in which several clients edit a file on servers with jupyter-collaboration. */
export interface RoomEvent {
  readonly room: string;
  readonly path: string;
  /**
   * The server's name for it: `initialize`, `load`, `save` of the room's content to the file, `overwrite` with the
   * file's content, `clean` at the end of the room.
   */
  readonly action: string;
}

export interface ContentEventsListener {
  onOpen(): void;
  onEvent(event: ContentEvent): void;
  onRoom?(event: RoomEvent): void;
  /**
   * The connection ended or could not be opened, for example because the server has no events or denies access to them.
   */
  onClose(): void;
}

/** A connection on which a content server reports its events. */
export interface ContentEvents {
  close(): void;
}

const roomMessage = z.looseObject({ schema_id: z.string(), room: z.string(), path: z.string(), action: z.string() });

const contentsMessage = z.looseObject({
  schema_id: z.string(),
  action: z.string(),
  path: z.string(),
  source_path: z.optional(z.nullable(z.string())),
});

/** Limits for a message. Real messages have a few hundred bytes. */
const messageLimits = { bytes: 65_536, fragments: 100 };
/** Time limit of the handshake, in milliseconds. */
const handshakeTimeoutMs = 30_000;

/**
 * Subscribes to the events of a content server (`api/events/subscribe`, of Jupyter Server 2.0 and later). Ignores read
 * events, because listing a directory sends one per child.
 */
export function subscribeToContentEvents(client: ContentClient, listener: ContentEventsListener): ContentEvents {
  const ended = new AbortController();
  let socket: WebSocketConnection | undefined;
  const onEnd = (): void => {
    if (!ended.signal.aborted) {
      ended.abort();
      listener.onClose();
    }
  };
  const opened = ({ stream }: { readonly stream: Duplex }): void => {
    const onMessages = (messages: readonly SocketMessage[]): void => {
      for (const { isText, data } of messages) {
        const message = isText && !ended.signal.aborted ? data.toString("utf8") : "";
        const event = contentEventOf(message);
        const room = event === undefined ? roomEventOf(message) : undefined;
        if (event !== undefined) {
          listener.onEvent(event);
        } else if (room !== undefined) {
          listener.onRoom?.(room);
        }
      }
    };
    socket = new WebSocketConnection(stream, { onMessages, onEnd }, messageLimits);
    listener.onOpen();
  };
  openEvents(client, ended.signal).then((response) => (response === undefined ? onEnd() : opened(response)), onEnd);
  return {
    close: () => {
      ended.abort();
      socket?.close();
    },
  };
}

/** The stream of the WebSocket; undefined if the server refuses it. */
async function openEvents(
  client: ContentClient,
  signal: AbortSignal,
): Promise<{ readonly stream: Duplex } | undefined> {
  const handshake = socketHandshake([]);
  const { headers } = handshake;
  const response = await client.openSocket("api/events/subscribe", { headers, signal, idleLimit: handshakeTimeoutMs });
  if (response?.type !== "opened") {
    return undefined;
  }
  if (signal.aborted || handshake.refusal(response.headers) !== undefined) {
    response.stream.destroy();
    return undefined;
  }
  return response;
}

/** Parses a message; undefined if it does not report a change of a content item. */
export function contentEventOf(message: string): ContentEvent | undefined {
  const parsed = z.safeParse(contentsMessage, jsonOf(message));
  if (!parsed.success || !/\/contents_service\/v\d+$/.test(parsed.data.schema_id) || parsed.data.action === "get") {
    return undefined;
  }
  const { action, path, source_path: source } = parsed.data;
  // A copy's path begins with a slash.
  return { action, path: withoutOuter(path, "/"), sourcePath: source == null ? undefined : withoutOuter(source, "/") };
}

/** Parses a message; undefined if it does not report what happened in a live room. */
function roomEventOf(message: string): RoomEvent | undefined {
  const parsed = z.safeParse(roomMessage, jsonOf(message));
  if (!parsed.success || !/\/jupyter_collaboration\/session\/v\d+$/.test(parsed.data.schema_id)) {
    return undefined;
  }
  const { room, path, action } = parsed.data;
  return { room, path: withoutOuter(path, "/"), action };
}

function jsonOf(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}

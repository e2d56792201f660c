import * as z from "zod/mini";
import type { ContentClient } from "../client/client.ts";
import { withoutOuter } from "../text.ts";

/** Something that a client did to a content item over the content API. What kernels and terminals do is not among it. */
export interface ContentEvent {
  /** As the server names it: `save`, `rename`, `copy`, `delete`, `create`, `upload`. */
  readonly action: string;
  readonly path: string;
  /** Where it came from, for `rename` and `copy`. */
  readonly sourcePath: string | undefined;
}

export interface ContentEventsListener {
  onOpen(): void;
  onEvent(event: ContentEvent): void;
  /** The connection ended, or never came about: the server has no events, or does not let this client have them. */
  onClose(): void;
}

/** A connection over which a content server tells its events. */
export interface ContentEvents {
  close(): void;
}

const contentsMessage = z.looseObject({
  schema_id: z.string(),
  action: z.string(),
  path: z.string(),
  source_path: z.optional(z.nullable(z.string())),
});

/**
 * Subscribes to the events of a content server (`api/events/subscribe`, of Jupyter Server 2.0 and later). Undefined where
 * this runtime has no WebSocket. Reading is an event too and is left out: a listing makes one for each child.
 */
export function subscribeToContentEvents(
  client: ContentClient,
  listener: ContentEventsListener,
): ContentEvents | undefined {
  if (typeof WebSocket === "undefined") {
    return undefined;
  }
  const { url, headers } = client.socketTo("api/events/subscribe");
  const socket = new WebSocket(url, { headers: { ...headers } });
  socket.addEventListener("open", () => listener.onOpen());
  socket.addEventListener("close", () => listener.onClose());
  // The close that follows reports what went wrong.
  socket.addEventListener("error", () => {});
  socket.addEventListener("message", ({ data }) => {
    const event = typeof data === "string" ? contentEventOf(data) : undefined;
    if (event !== undefined) {
      listener.onEvent(event);
    }
  });
  return { close: () => socket.close() };
}

/** Reads a message; undefined for what tells of no change of a content item. */
export function contentEventOf(message: string): ContentEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return undefined;
  }
  const parsed = z.safeParse(contentsMessage, value);
  if (!parsed.success || !/\/contents_service\/v\d+$/.test(parsed.data.schema_id) || parsed.data.action === "get") {
    return undefined;
  }
  const { action, path, source_path: source } = parsed.data;
  // A copy's path comes with a slash in front.
  return { action, path: withoutOuter(path, "/"), sourcePath: source == null ? undefined : withoutOuter(source, "/") };
}

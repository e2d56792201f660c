import { LRUCache } from "lru-cache";
import type { RoomEvent } from "../../api/content-server/events.ts";

/** Maximum number of rooms that are known, newest first. */
const maxRooms = 1_000;

/**
 * The files of a workspace that the server keeps open in live rooms, as jupyter-collaboration does for JupyterLab. Known
 * from the server's events: a room in which nothing has happened since this window connected is not known yet. To ask
 * for a room, a client would have to join it.
 */
export class LiveRooms {
  readonly #paths = new LRUCache<string, string>({ max: maxRooms });
  #onOpened: (path: string) => void = () => {};

  /** Calls `observer` with the path of each room that becomes known. */
  observe(observer: (path: string) => void): void {
    this.#onOpened = observer;
  }

  isOpen(path: string): boolean {
    return [...this.#paths.values()].includes(path);
  }

  happened({ room, path, action }: RoomEvent): void {
    if (action === "clean") {
      this.#paths.delete(room);
      return;
    }
    const isNew = this.#paths.get(room) !== path;
    this.#paths.set(room, path);
    if (isNew) {
      this.#onOpened(path);
    }
  }

  /** Deletes all rooms, because their end would not be noticed. */
  clear(): void {
    this.#paths.clear();
  }
}

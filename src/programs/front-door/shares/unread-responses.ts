import type { ServerResponse } from "node:http";

type SentResponse = Pick<ServerResponse, "writableLength" | "writableFinished"> & {
  once(event: "close", listener: () => void): unknown;
};

/** A connection that can be closed. */
interface Connection {
  destroy(): void;
}

interface UnreadResponse {
  readonly user: string;
  readonly connection: Connection;
  readonly bytes: number;
}

const megabyte = 1024 * 1024;

/** Bytes of responses that clients have not received, and that are in memory until then. */
export const unreadLimits = { perUser: 16 * megabyte, inAll: 64 * megabyte, smallBytes: 16 * 1024 } as const;

/**
 * Bounds the responses in memory whose clients read slowly or not at all. Above a limit, closes the connection of the
 * oldest one: of the user, or of the user who has the most.
 */
export class UnreadResponses {
  /** The oldest first. */
  readonly #responses = new Map<SentResponse, UnreadResponse>();
  readonly #bytes = new Map<string, number>();

  /** Counts a response that was sent to a user, until it is received. Behind others, it has no connection of its own. */
  add(user: string, response: SentResponse, connection: Connection): void {
    const { writableLength: bytes, writableFinished } = response;
    if (writableFinished || bytes <= unreadLimits.smallBytes) {
      return;
    }
    this.#responses.set(response, { user, connection, bytes });
    this.#bytes.set(user, this.#bytesOf(user) + bytes);
    response.once("close", () => this.#delete(response));
    let isClosed = true;
    // A single response can exceed the limit of a user.
    while (isClosed && this.#bytesOf(user) > unreadLimits.perUser) {
      isClosed = this.#closeOldest(user, response);
    }
    while (this.#bytesInAll() > unreadLimits.inAll) {
      this.#closeOldest(this.#heaviestUser());
    }
  }

  /** False if the user has no other response than the given one. */
  #closeOldest(user: string, kept?: SentResponse): boolean {
    for (const [response, unread] of this.#responses) {
      if (unread.user === user && response !== kept) {
        this.#delete(response);
        unread.connection.destroy();
        return true;
      }
    }
    return false;
  }

  #delete(response: SentResponse): void {
    const unread = this.#responses.get(response);
    if (unread === undefined) {
      return;
    }
    this.#responses.delete(response);
    const left = this.#bytesOf(unread.user) - unread.bytes;
    if (left === 0) {
      this.#bytes.delete(unread.user);
    } else {
      this.#bytes.set(unread.user, left);
    }
  }

  #bytesOf(user: string): number {
    return this.#bytes.get(user) ?? 0;
  }

  #bytesInAll(): number {
    return [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  #heaviestUser(): string {
    const [[heaviest] = [""]] = [...this.#bytes].sort(([, one], [, other]) => other - one);
    return heaviest;
  }
}

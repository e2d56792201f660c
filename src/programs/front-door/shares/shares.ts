import type { DispatchResponse } from "../../../api/http/dispatch.ts";
import type { Transport, TransportRequest } from "../../../api/http/transport.ts";
import { nextTurn } from "../../../api/turns.ts";
import type { Rejection } from "../http/rejections.ts";
import { contentLimits } from "../mcp/response-limits.ts";
import { ToolError } from "../mcp/tool.ts";
import { FairPermits } from "./fair-permits.ts";
import { Pace, PacedStream } from "./paced-stream.ts";

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** What one user can use at the same time, and all users together. Each instance has its own limits. */
export const shareLimits = {
  /** Calls that run. More calls of a user wait, up to a number. */
  calls: { perUser: 64, inAll: Number.POSITIVE_INFINITY },
  waitingCalls: { perUser: 1024 },
  /** Bytes of the requests of calls that run or wait. */
  requestBytes: { perUser: 4 * megabyte, inAll: 24 * megabyte },
  /** Requests to one origin. */
  connections: { perUser: 8, inAll: 64 },
  /** Binary responses, which can take long and don't need the time of this process. */
  downloads: { perUser: 1, inAll: 32 },
  /** Without the first `smallDownloadBytes` of each, so that ordinary archives are always received. */
  downloadedBytes: { inAll: 64 * megabyte },
  smallDownloadBytes: megabyte,
  /**
   * Calls with responses above `smallBytes`, from the end of the response, and above `mediumBytes`, while the rest of
   * it is received. JSON needs many times its length in memory.
   */
  mediumCalls: { perUser: 2, inAll: 16 },
  largeCalls: { perUser: 1, inAll: 3 },
  /**
   * While other users have calls, a permit for a medium or large response is free again only after a multiple of the time that it
   * was held, in milliseconds, so that one user's responses take a part of this process's time at most.
   */
  longResponseRest: { factor: 3, maxMs: 2000 },
  smallBytes: 16 * kilobyte,
  mediumBytes: 256 * kilobyte,
  /** Messages of kernels. */
  kernel: { burstBytes: 2 * megabyte, bytesPerSecond: 512 * kilobyte },
} as const;

/** The number of connections to one origin that these limits can need, with some for kernels. */
export const maxConnections =
  shareLimits.connections.inAll +
  shareLimits.downloads.inAll +
  shareLimits.mediumCalls.inAll +
  shareLimits.largeCalls.inAll +
  16;

const busy =
  "This server is processing too many large responses at the moment. Wait for the results of your other calls, then try again.";

/** The share of one call, from its admission to its end. */
export interface CallShare {
  /** A transport whose requests count as this call's. */
  limited(transport: Transport): Transport;
  /** Why a request of this call failed, if there was no room for it. */
  readonly refusal: ToolError | undefined;
  /** Waits until the bytes of the call's request can be in memory. Resolves with a rejection if the signal aborts. */
  admitRequest(bytes: number): Promise<Rejection | undefined>;
  /** Waits until the call can run. Resolves with a rejection if the signal aborts before. */
  start(): Promise<Rejection | undefined>;
  /** Releases everything. */
  end(): void;
}

interface UserUse {
  /** Calls that run or wait. */
  calls: number;
  readonly pace: Pace;
}

/** Divides what this server can do at the same time among its users. */
export class Shares {
  readonly #monotonic: () => number;
  readonly #after: (milliseconds: number, work: () => void) => void;
  readonly #users = new Map<string, UserUse>();
  readonly #calls = new FairPermits(shareLimits.calls);
  readonly #requestBytes = new FairPermits(shareLimits.requestBytes);
  readonly #connections = new Map<string, FairPermits>();
  readonly #downloads = new FairPermits(shareLimits.downloads);
  readonly #medium = new FairPermits(shareLimits.mediumCalls);
  readonly #large = new FairPermits(shareLimits.largeCalls);
  #downloadedBytes = 0;

  /** `monotonic` is in milliseconds. `after` runs work after a time in milliseconds. */
  constructor(monotonic: () => number, after: (milliseconds: number, work: () => void) => void = runAfter) {
    this.#monotonic = monotonic;
    this.#after = after;
  }

  /** Admits a call of a user, or rejects it if too many of them wait. Its waits end when the signal aborts. */
  enter(user: string, signal: AbortSignal): CallShare | Rejection {
    const use = this.#users.get(user) ?? { calls: 0, pace: new Pace(shareLimits.kernel, this.#monotonic) };
    if (use.calls >= shareLimits.calls.perUser + shareLimits.waitingCalls.perUser) {
      return overLimit("calls in progress per person");
    }
    use.calls += 1;
    this.#users.set(user, use);
    return this.#share(user, use, signal);
  }

  #share(user: string, use: UserUse, signal: AbortSignal): CallShare {
    const held: (() => void)[] = [];
    const take = async (permits: FairPermits, count = 1): Promise<void> => {
      const free = await permits.take(user, signal, count);
      const since = this.#monotonic();
      const release = permits === this.#medium || permits === this.#large ? () => this.#rest(free, since) : free;
      if (isOver) {
        release();
      } else {
        held.push(release);
      }
    };
    const admit = async (permits: FairPermits, count: number, limit: string): Promise<Rejection | undefined> => {
      try {
        await take(permits, count);
        return undefined;
      } catch {
        return overLimit(limit);
      }
    };
    let downloadedBytes = 0;
    let receivedBytes = 0;
    let refusal: ToolError | undefined;
    let isOver = false;
    // Requests that a call sends at the same time share its permits.
    let medium: Promise<void> | undefined;
    let large: Promise<void> | undefined;
    let size: "small" | "medium" | "waiting" | "large" = "small";

    const becomeMedium = async (): Promise<void> => {
      medium ??= take(this.#medium);
      await medium;
      // Otherwise, the calls that waited would be processed at once, before anyone else's.
      await nextTurn();
      if (size === "small") {
        size = "medium";
      }
    };
    const becomeLarge = async (): Promise<void> => {
      size = "waiting";
      large ??= take(this.#large);
      await large;
      await nextTurn();
      size = "large";
    };
    const refuse = (): ToolError => {
      refusal = new ToolError("dependency", busy);
      return refusal;
    };
    const received = (bytes: number, isDownload: boolean): Promise<void> | undefined => {
      if (isDownload) {
        const more = Math.min(bytes, Math.max(0, receivedBytes + bytes - shareLimits.smallDownloadBytes));
        if (this.#downloadedBytes + more > shareLimits.downloadedBytes.inAll) {
          return Promise.reject(refuse());
        }
        receivedBytes += bytes;
        this.#downloadedBytes += more;
        downloadedBytes += more;
        return undefined;
      }
      // Requests that clean up after the end of a call are few, and must not wait for it.
      if (signal.aborted) {
        return undefined;
      }
      receivedBytes += bytes;
      return size === "large" || receivedBytes <= shareLimits.mediumBytes ? undefined : becomeLarge();
    };
    const send = async (transport: Transport, request: TransportRequest): Promise<DispatchResponse> => {
      const isDownload = request.maximumBytes > contentLimits.jsonBytes;
      const { origin } = request.url;
      const permits = isDownload ? this.#downloads : this.#connectionsTo(origin);
      // A call whose response is in memory needs no other permit, which it could get only from a call that waits for it
      // to end. Neither does a call that has ended, and that interrupts its code or shuts down its kernel.
      const isExempt = size === "medium" || size === "large" || signal.aborted;
      const release = isExempt ? () => {} : await permits.take(user, signal);
      let before = 0;
      try {
        const response = await transport.send({
          ...request,
          onReceived: (bytes, total) => {
            // After a retry, the count begins again.
            const more = bytes < before ? bytes : bytes - before;
            before = bytes;
            return received(more, isDownload) ?? request.onReceived?.(bytes, total);
          },
        });
        if (isDownload && size !== "large") {
          await becomeLarge();
        } else if (size === "small" && receivedBytes > shareLimits.smallBytes && !signal.aborted) {
          await becomeMedium();
        }
        return response;
      } catch (error) {
        if (size === "waiting" && !signal.aborted) {
          throw refuse();
        }
        throw error;
      } finally {
        release();
        if (permits !== this.#downloads && permits.isIdle) {
          this.#connections.delete(origin);
        }
      }
    };

    return {
      limited: (transport) => ({
        send: (request) => send(transport, request),
        ...(transport.openSocket === undefined
          ? {}
          : {
              openSocket: async (request) => {
                const response = await transport.openSocket?.(request);
                return response?.type === "opened"
                  ? { ...response, stream: new PacedStream(response.stream, use.pace) }
                  : response;
              },
            }),
        close: () => transport.close(),
      }),
      get refusal() {
        return refusal;
      },
      admitRequest: (bytes) => admit(this.#requestBytes, bytes, "bytes in progress per person"),
      start: () => admit(this.#calls, 1, "calls in progress per person"),
      end: () => {
        if (isOver) {
          return;
        }
        isOver = true;
        this.#downloadedBytes -= downloadedBytes;
        for (const release of held) {
          release();
        }
        use.calls -= 1;
        this.#discardIdle(user, use);
      },
    };
  }

  /** Frees a permit that has been held since a time, after its rest if other users have calls. */
  #rest(free: () => void, since: number): void {
    const { factor, maxMs } = shareLimits.longResponseRest;
    const restMs = this.#users.size < 2 ? 0 : Math.min(maxMs, factor * (this.#monotonic() - since));
    if (restMs === 0) {
      free();
    } else {
      this.#after(restMs, free);
    }
  }

  /** Discards what is known of a user without calls, but not before a further burst of messages is allowed anyway. */
  #discardIdle(user: string, use: UserUse): void {
    if (use.calls > 0 || this.#users.get(user) !== use) {
      return;
    }
    const { untilRestMs } = use.pace;
    if (untilRestMs === 0) {
      this.#users.delete(user);
    } else {
      this.#after(untilRestMs, () => this.#discardIdle(user, use));
    }
  }

  #connectionsTo(origin: string): FairPermits {
    const permits = this.#connections.get(origin) ?? new FairPermits(shareLimits.connections);
    this.#connections.set(origin, permits);
    return permits;
  }
}

function runAfter(milliseconds: number, work: () => void): void {
  setTimeout(work, milliseconds).unref();
}

function overLimit(limit: string): Rejection {
  return { rejection: "overLimit", limit, retryAfterSeconds: 1 };
}

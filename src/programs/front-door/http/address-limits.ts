import type { Socket } from "node:net";
import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { LimitConfiguration } from "../config/configuration.ts";
import type { StateStore } from "../shared-state/state-store.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { Rejection } from "./rejections.ts";
import { plainAddress, type TrustedProxies } from "./request-headers.ts";

/** The key of a client: an IPv4 address, or the /64 network in which an IPv6 client can choose its addresses. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) {
    return address;
  }
  const [head = "", tail] = address.toLowerCase().split("%", 1)[0]?.split("::") ?? [];
  const before = head === "" ? [] : head.split(":");
  const behind = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - behind.length);
  const groups = [...before, ...Array.from({ length: missing }, () => "0"), ...behind];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/**
 * Limits the open connections per address, so that one client can't use all of them. The limit is the configured
 * number, and at most half of the server's connections. Trusted proxies are not limited, because they carry many
 * clients.
 */
export class ConnectionLimit {
  readonly #max: number;
  readonly #proxies: TrustedProxies;
  readonly #onRefused: () => void;
  readonly #open = new Map<string, number>();

  constructor(
    { connectionsPerAddress, maximumConnections }: LimitConfiguration,
    proxies: TrustedProxies,
    onRefused: () => void,
  ) {
    this.#max = Math.min(connectionsPerAddress, Math.max(1, Math.floor(maximumConnections / 2)));
    this.#proxies = proxies;
    this.#onRefused = onRefused;
  }

  /** Counts a new connection, or destroys it if its address has too many. */
  add(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? "");
    if (this.#proxies.has(address)) {
      return;
    }
    const network = networkOf(address);
    const open = (this.#open.get(network) ?? 0) + 1;
    if (open > this.#max) {
      this.#onRefused();
      socket.destroy();
      return;
    }
    this.#open.set(network, open);
    socket.once("close", () => {
      const left = (this.#open.get(network) ?? 1) - 1;
      if (left === 0) {
        this.#open.delete(network);
      } else {
        this.#open.set(network, left);
      }
    });
  }
}

/**
 * The delay of a response in milliseconds. Per address: the number of delayed responses at which tokens are no longer
 * verified, and the maximum number of delayed responses.
 */
const slowedMilliseconds = 1000;
const maxVerified = 20;
const maxWaiting = 200;
const failedTokens = "failed tokens per address";

/**
 * Slows down an address that sends invalid tokens. Above the rate limit, each response is delayed for a second. Valid
 * tokens are not delayed, because many users can share an address. While too many responses are delayed, tokens without
 * a cached signature are rejected without verification, because verifying them costs more than sending them.
 */
export class FailedTokens {
  readonly #rate: RateLimiter;
  readonly #waiting = new Map<string, number>();

  constructor(
    { failedTokensPerMinute }: Pick<LimitConfiguration, "failedTokensPerMinute">,
    state: Pick<StateStore, "count">,
    monotonic: () => number,
  ) {
    const limit = { name: failedTokens, maxPerMinute: failedTokensPerMinute };
    this.#rate = new RateLimiter(limit, state, monotonic);
  }

  /** True while too many responses to the address are delayed. Meanwhile, its tokens are not verified. */
  isCrowded(address: string): boolean {
    return (this.#waiting.get(networkOf(address)) ?? 0) >= maxVerified;
  }

  /** Rejects a token without verification. The response is delayed, unless too many are. */
  async refuse(address: string, signal: AbortSignal): Promise<Rejection> {
    const network = networkOf(address);
    if ((this.#waiting.get(network) ?? 0) < maxWaiting) {
      await this.#hold(network, signal);
    }
    return { rejection: "overLimit", limit: failedTokens, retryAfterSeconds: 1 };
  }

  /**
   * Counts an invalid token. Resolves when the response can be sent. If counting fails, the response is also delayed.
   */
  async slowDown(address: string, signal: AbortSignal): Promise<void> {
    const network = networkOf(address);
    if ((await this.#rate.count(network)) !== undefined) {
      await this.#hold(network, signal);
    }
  }

  async #hold(network: string, signal: AbortSignal): Promise<void> {
    this.#waiting.set(network, (this.#waiting.get(network) ?? 0) + 1);
    // Stop waiting if the client disconnects.
    await delay(slowedMilliseconds, undefined, { signal }).catch(() => undefined);
    const left = (this.#waiting.get(network) ?? 1) - 1;
    if (left === 0) {
      this.#waiting.delete(network);
    } else {
      this.#waiting.set(network, left);
    }
  }
}

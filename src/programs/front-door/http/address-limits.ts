import type { Socket } from "node:net";
import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { LimitConfiguration } from "../config/configuration.ts";
import type { StateStore } from "../shared-state/state-store.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { Rejection } from "./rejections.ts";
import { plainAddress, type TrustedProxies } from "./request-headers.ts";

/** What counts as one client: an IPv4 address, or the /64 network that one IPv6 client chooses its addresses from. */
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
 * Limits the open connections of one address, so that one client cannot take them all: to the configured number, and to
 * half of what the server takes in total. Trusted proxies carry many clients and are not limited.
 */
export class ConnectionLimit {
  readonly #most: number;
  readonly #proxies: TrustedProxies;
  readonly #onRefused: () => void;
  readonly #open = new Map<string, number>();

  constructor(
    { connectionsPerAddress, maximumConnections }: LimitConfiguration,
    proxies: TrustedProxies,
    onRefused: () => void,
  ) {
    this.#most = Math.min(connectionsPerAddress, Math.max(1, Math.floor(maximumConnections / 2)));
    this.#proxies = proxies;
    this.#onRefused = onRefused;
  }

  /** Counts a new connection, or destroys it when its address has too many. */
  take(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? "");
    if (this.#proxies.has(address)) {
      return;
    }
    const network = networkOf(address);
    const open = (this.#open.get(network) ?? 0) + 1;
    if (open > this.#most) {
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

/** How long an answer is held back; how many tokens of one address are verified meanwhile, and how many answers wait. */
const slowedMilliseconds = 1000;
const mostVerified = 20;
const mostWaiting = 200;
const failedTokens = "failed tokens per address";

/**
 * Slows down an address that sends invalid tokens: above the rate each answer is held back for a second. Valid tokens of
 * the same address are not held back, for many people can share it. While too many answers wait, a token whose signature
 * is not known already is refused unread: the work would be the attacker's for the asking.
 */
export class FailedTokens {
  readonly #rate: RateLimiter;
  readonly #waiting = new Map<string, number>();

  constructor(
    { failedTokensPerMinute }: Pick<LimitConfiguration, "failedTokensPerMinute">,
    state: Pick<StateStore, "count">,
    monotonic: () => number,
  ) {
    const limit = { name: failedTokens, mostPerMinute: failedTokensPerMinute };
    this.#rate = new RateLimiter(limit, state, monotonic);
  }

  /** True while so many answers to that address wait that no further token of it is verified. */
  isCrowded(address: string): boolean {
    return (this.#waiting.get(networkOf(address)) ?? 0) >= mostVerified;
  }

  /** The rejection of a token that is not looked at; held back like any other, as long as not too many are. */
  async refuse(address: string, signal: AbortSignal): Promise<Rejection> {
    const network = networkOf(address);
    if ((this.#waiting.get(network) ?? 0) < mostWaiting) {
      await this.#hold(network, signal);
    }
    return { rejection: "overLimit", limit: failedTokens, retryAfterSeconds: 1 };
  }

  /** Counts an invalid token; ends when its answer may be sent. One that cannot be counted is held back, too. */
  async slowDown(address: string, signal: AbortSignal): Promise<void> {
    const network = networkOf(address);
    if ((await this.#rate.count(network)) !== undefined) {
      await this.#hold(network, signal);
    }
  }

  async #hold(network: string, signal: AbortSignal): Promise<void> {
    this.#waiting.set(network, (this.#waiting.get(network) ?? 0) + 1);
    // A client that goes away ends the wait.
    await delay(slowedMilliseconds, undefined, { signal }).catch(() => undefined);
    const left = (this.#waiting.get(network) ?? 1) - 1;
    if (left === 0) {
      this.#waiting.delete(network);
    } else {
      this.#waiting.set(network, left);
    }
  }
}

import { createHmac } from "node:crypto";
import { Valkey } from "iovalkey";
import { RateLimiterRedis } from "rate-limiter-flexible";
import type { SharedStateConfiguration } from "../config/configuration.ts";
import { ReplyGuard } from "./reply-guard.ts";
import { confirmationMilliseconds, type WindowCount, windowMilliseconds } from "./state-store.ts";

/** Why the store did not reply. Never contains a message from the store, which can include keys and passwords. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly reason: StoreFailure;

  constructor(reason: StoreFailure, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export type StoreFailure = "timeout" | "notConnected" | "refused" | "unexpectedResponse";

interface ClientOptions {
  readonly configuration: SharedStateConfiguration;
  /** Secret for hashing keys, so that they don't reveal users, addresses, or tokens. The same for all instances. */
  readonly keySecret: string;
  readonly revocationSeconds: number;
  /** Called when the connection becomes usable, and when it is lost, with the reason. */
  readonly onConnection: (
    state: { readonly isReady: true } | { readonly isReady: false; readonly detail: string },
  ) => void;
}

/**
 * Milliseconds for which used questions are stored. Longer than they are valid, because the clocks of servers differ.
 */
const usedMilliseconds = 2 * confirmationMilliseconds;
/** Stores a number for some seconds, unless a greater one is stored. */
const storeLater = `
  local stored = tonumber(redis.call("MGET", KEYS[1])[1] or "")
  if stored == nil or stored < tonumber(ARGV[1]) then
    redis.call("SET", KEYS[1], ARGV[1], "EX", ARGV[2])
  end
`;
/** Milliseconds between two attempts to connect. */
const reconnect = { first: 50, maxDelayMs: 1000 } as const;

/**
 * A client for a Valkey or Redis server. Every method throws a StoreError. All keys expire, and values have at most 20
 * characters.
 */
export class ValkeyClient {
  readonly #options: ClientOptions;
  readonly #client: Valkey;
  readonly #counter: RateLimiterRedis;
  /** The error of the last attempt to connect. */
  #detail = "not connected";
  /** Cancels the timer that closes the connection if an expected reply doesn't arrive. */
  #responded: (() => void) | undefined;

  constructor(options: ClientOptions) {
    const { configuration, onConnection } = options;
    this.#options = options;
    this.#client = new Valkey({ ...connectionOf(configuration), lazyConnect: true });
    // Only counts. The limits are checked in the same place as without a store.
    this.#counter = new RateLimiterRedis({
      storeClient: this.#client,
      keyPrefix: `${configuration.prefix}count`,
      points: 1,
      duration: windowMilliseconds / 1000,
    });
    this.#client.on("ready", () => {
      this.#expectData();
      onConnection({ isReady: true });
    });
    this.#client.on("close", () => {
      this.#expectNothing();
      onConnection({ isReady: false, detail: this.#detail });
    });
    this.#client.on("error", (error: unknown) => {
      this.#detail = storeErrorOf(error).message;
    });
    this.#client.on("connect", () => {
      this.#guard();
      // Registered after the client's parser, so that the queue contains only the commands without a reply.
      this.#client.stream.on("data", () => this.#expectData());
      this.#expectData();
    });
  }

  connect(): void {
    // Errors arrive as events, and the client reconnects by itself.
    this.#client.connect().catch(() => undefined);
  }

  /** Counts one in a window of one minute, which begins with the first request of the key. */
  async count(limit: string, key: string): Promise<WindowCount> {
    const digest = this.#digest(`count ${limit}`, key);
    const { consumedPoints, msBeforeNext } = await this.#ask(() => this.#counter.penalty(digest));
    if (!Number.isSafeInteger(consumedPoints) || consumedPoints < 1 || !Number.isFinite(msBeforeNext)) {
      throw new StoreError("unexpectedResponse", "its counts are wrong");
    }
    // If the server's clock was set back, more than a window can be left.
    return { counted: consumedPoints, millisecondsLeft: Math.min(windowMilliseconds, Math.max(0, msBeforeNext)) };
  }

  /** True for the first use of the id in any instance. */
  async use(id: string): Promise<boolean> {
    const key = this.#keyOf("used", id);
    return (await this.#ask(() => this.#client.set(key, "1", "PX", usedMilliseconds, "NX"))) === "OK";
  }

  /**
   * Stores a revocation, unless the store has a later one, because a repeated write can arrive after the next
   * revocation.
   */
  async revoke(name: string, since: number): Promise<void> {
    const { revocationSeconds } = this.#options;
    const key = this.#keyOf("revoked", name);
    await this.#ask(() => this.#client.eval(storeLater, 1, key, since, revocationSeconds));
  }

  async revokedSince(names: readonly string[]): Promise<readonly (number | undefined)[]> {
    const keys = names.map((name) => this.#keyOf("revoked", name));
    const found = await this.#ask(() => this.#client.mget(...keys));
    if (!Array.isArray(found) || found.length !== keys.length) {
      throw new StoreError("unexpectedResponse", "it returned other keys");
    }
    return found.map((value) => (value === null ? undefined : timeIn(value)));
  }

  close(): void {
    this.#client.disconnect();
  }

  async #ask<T>(command: () => Promise<T>): Promise<T> {
    // The client would throw the same error, but with a stack trace for each request during an outage.
    if (this.#client.status !== "ready") {
      throw new StoreError("notConnected", this.#detail);
    }
    try {
      const response = command();
      if (this.#responded === undefined) {
        this.#expectData();
      }
      return await withinTime(response, this.#options.configuration.timeLimitMilliseconds);
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  #keyOf(kind: "used" | "revoked", name: string): string {
    return `${this.#options.configuration.prefix}${kind}:${this.#digest(kind, name)}`;
  }

  #digest(kind: string, name: string): string {
    return createHmac("sha256", this.#options.keySecret).update(`state ${kind} ${name}`).digest("base64url");
  }

  /**
   * Closes the connection if a reply is expected and nothing arrives for four times the time limit. Otherwise, commands
   * would accumulate, and the client's ready check would wait forever. The client's own timeout would also close a
   * connection whose reply arrived while this process was busy.
   */
  #expectData(): void {
    this.#expectNothing();
    const { stream, commandQueue, status } = this.#client;
    const isReady = status === "ready";
    if (isReady && commandQueue.length === 0) {
      return;
    }
    this.#responded = onceRead(silence(this.#options.configuration), () => {
      this.#responded = undefined;
      if (this.#client.commandQueue.length > 0) {
        stream.destroy(late());
      } else {
        // A server that is still loading its data is checked again later.
        this.#expectData();
      }
    });
  }

  #expectNothing(): void {
    this.#responded?.();
    this.#responded = undefined;
  }

  /** Called before the client's parser listens, so that the guard receives each part first. */
  #guard(): void {
    const { stream } = this.#client;
    const guard = new ReplyGuard();
    stream.prependListener("data", (part: Buffer) => {
      if (!guard.accepts(part)) {
        this.#detail = "its answer is too large or malformed";
        // The parser still receives this part, and rejects zeros.
        part.fill(0);
        stream.destroy();
      }
    });
  }
}

/**
 * The connection options. Commands don't wait for a connection and are not retried, because a request is waiting for
 * them.
 */
function connectionOf(configuration: SharedStateConfiguration) {
  const { host, port, database, isSecure, username, password, certificateAuthority } = configuration;
  return {
    host,
    port,
    family: 0,
    db: database,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isSecure
      ? {
          tls: {
            servername: host,
            minVersion: "TLSv1.2" as const,
            ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
          },
        }
      : {}),
    connectTimeout: silence(configuration),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) =>
      Math.min(reconnect.maxDelayMs, reconnect.first * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2),
    // A server that became a replica rejects writes. The same address resolves to the new primary.
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  };
}

/** Milliseconds of silence after which a server is treated as gone. */
function silence({ timeLimitMilliseconds }: SharedStateConfiguration): number {
  return 4 * timeLimitMilliseconds;
}

/** Rejects on a timeout. A reply that has arrived by then is still used. */
async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let callOff = (): void => {};
  const tooLate = new Promise<never>((_, reject) => {
    callOff = onceRead(milliseconds, () => reject(late()));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    callOff();
  }
}

/**
 * Calls `act` when the time is over and the received data has been read, because in a busy process, timers run before
 * data is read. Returns a function that cancels this.
 */
function onceRead(milliseconds: number, act: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(act);
  }, milliseconds);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}

function late(): StoreError {
  return new StoreError("timeout", "it does not respond in time");
}

/** An invalid time counts as a revocation of all tokens. */
function timeIn(value: string): number {
  return /^\d{1,12}$/.test(value) ? Number(value) : Number.MAX_SAFE_INTEGER;
}

function storeErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) {
    return error;
  }
  const { message = "", code = "" } = error instanceof Error ? { message: error.message, code: codeOf(error) } : {};
  const [, refusal] = /^(?:Ready check failed: )?([A-Z]{2,20}) /.exec(message) ?? [];
  if (code === "ETIMEDOUT") {
    return late();
  }
  if (refusal !== undefined) {
    return new StoreError("refused", `it answers ${refusal}`);
  }
  return new StoreError("notConnected", code === "" ? "the connection was lost" : code);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" && /^[A-Z0-9_]{1,60}$/.test(error.code) ? error.code : "";
}

import { createHmac } from "node:crypto";
import { Valkey } from "iovalkey";
import { RateLimiterRedis } from "rate-limiter-flexible";
import type { SharedStateConfiguration } from "../config/configuration.ts";
import { ReplyGuard } from "./reply-guard.ts";
import { confirmationMilliseconds, type WindowCount, windowMilliseconds } from "./state-store.ts";

/** Why the store did not do what it was asked. No message of the store is repeated: it can have keys and passwords in it. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly reason: StoreFailure;

  constructor(reason: StoreFailure, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

export type StoreFailure = "timeout" | "notConnected" | "refused" | "unexpectedAnswer";

interface ClientOptions {
  readonly configuration: SharedStateConfiguration;
  /** Makes keys from which nobody can tell a person, an address, or a token. The same for all instances. */
  readonly keySecret: string;
  readonly revocationSeconds: number;
  /** Is told when the connection becomes usable, and when it is lost, with the reason. */
  readonly onConnection: (
    state: { readonly isReady: true } | { readonly isReady: false; readonly detail: string },
  ) => void;
}

/** Used questions are remembered for longer than they are valid: the clocks of instances and store differ. */
const usedMilliseconds = 2 * confirmationMilliseconds;
/** Milliseconds between two attempts to connect. */
const reconnect = { first: 50, longest: 1000 } as const;

/** Asks a Valkey or Redis server. Every method throws a StoreError; every key expires; no value is longer than 20 characters. */
export class ValkeyClient {
  readonly #options: ClientOptions;
  readonly #client: Valkey;
  readonly #counter: RateLimiterRedis;
  /** What the last attempt to connect failed with. */
  #detail = "not connected";
  /** Calls off the end of a connection whose server owes an answer. */
  #answered: (() => void) | undefined;

  constructor(options: ClientOptions) {
    const { configuration, onConnection } = options;
    this.#options = options;
    this.#client = new Valkey({ ...connectionOf(configuration), lazyConnect: true });
    // It only counts: what is too much is judged where limits without a store are judged, too.
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
      // After the client's parser, which knows then what is still to be answered.
      this.#client.stream.on("data", () => this.#expectData());
      this.#expectData();
    });
  }

  connect(): void {
    // Its failures come as events, and it tries again.
    this.#client.connect().catch(() => undefined);
  }

  /** Counts one in the minute that begins with the first of each key. */
  async count(limit: string, key: string): Promise<WindowCount> {
    const digest = this.#digest(`count ${limit}`, key);
    const { consumedPoints, msBeforeNext } = await this.#ask(() => this.#counter.penalty(digest));
    if (!Number.isSafeInteger(consumedPoints) || consumedPoints < 1 || !Number.isFinite(msBeforeNext)) {
      throw new StoreError("unexpectedAnswer", "it counts wrongly");
    }
    // More than a window is left where somebody has set the server's clock back.
    return { counted: consumedPoints, millisecondsLeft: Math.min(windowMilliseconds, Math.max(0, msBeforeNext)) };
  }

  /** True for the first use of that id by any instance. */
  async use(id: string): Promise<boolean> {
    const key = this.#keyOf("used", id);
    return (await this.#ask(() => this.#client.set(key, "1", "PX", usedMilliseconds, "NX"))) === "OK";
  }

  async revoke(name: string, since: number): Promise<void> {
    const { revocationSeconds } = this.#options;
    const key = this.#keyOf("revoked", name);
    await this.#ask(() => this.#client.set(key, String(since), "EX", revocationSeconds));
  }

  async revokedSince(names: readonly string[]): Promise<readonly (number | undefined)[]> {
    const keys = names.map((name) => this.#keyOf("revoked", name));
    const found = await this.#ask(() => this.#client.mget(...keys));
    if (!Array.isArray(found) || found.length !== keys.length) {
      throw new StoreError("unexpectedAnswer", "it answers to other keys");
    }
    return found.map((value) => (value === null ? undefined : timeIn(value)));
  }

  close(): void {
    this.#client.disconnect();
  }

  async #ask<T>(command: () => Promise<T>): Promise<T> {
    // The client would throw the same, with a stack for each request of an outage.
    if (this.#client.status !== "ready") {
      throw new StoreError("notConnected", this.#detail);
    }
    try {
      const answer = command();
      if (this.#answered === undefined) {
        this.#expectData();
      }
      return await withinTime(answer, this.#options.configuration.timeLimitMilliseconds);
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
   * Ends the connection where the server owes an answer and sends nothing for four times the limit: commands would pile up,
   * and the check whether it is ready would wait for ever. The client's own limit would end a connection, too, on which the
   * answer has arrived while this process was busy.
   */
  #expectData(): void {
    this.#expectNothing();
    const { stream, commandQueue, status } = this.#client;
    const isReady = status === "ready";
    if (isReady && commandQueue.length === 0) {
      return;
    }
    this.#answered = onceRead(silence(this.#options.configuration), () => {
      this.#answered = undefined;
      if (this.#client.commandQueue.length > 0) {
        stream.destroy(late());
      } else {
        // A server that is still loading its data is asked again later.
        this.#expectData();
      }
    });
  }

  #expectNothing(): void {
    this.#answered?.();
    this.#answered = undefined;
  }

  /** Is called before the client's parser begins to listen, so that the guard sees each part first. */
  #guard(): void {
    const { stream } = this.#client;
    const guard = new ReplyGuard();
    stream.prependListener("data", (part: Buffer) => {
      if (!guard.accepts(part)) {
        this.#detail = "its answer is too large or malformed";
        // The parser gets this part all the same; it refuses zeros.
        part.fill(0);
        stream.destroy();
      }
    });
  }
}

/** Nothing waits for a connection and nothing is sent twice: who asks has a request that waits. */
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
      Math.min(reconnect.longest, reconnect.first * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2),
    // A server that has become a replica takes no writes; the same address leads to the new primary.
    reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
  };
}

/** Milliseconds after which a server that says nothing counts as gone. */
function silence({ timeLimitMilliseconds }: SharedStateConfiguration): number {
  return 4 * timeLimitMilliseconds;
}

/** Fails when the time is up. What has arrived by then counts. */
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
 * Calls when the time is up and what has arrived by then is read; gives what calls that off. Where this process was busy for
 * longer, its timers run before it reads.
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
  return new StoreError("timeout", "it does not answer in time");
}

/** A value that is not a time counts as revoked whenever the token was issued. */
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

import type { Logger } from "pino";
import type { SharedStateConfiguration } from "../config/configuration.ts";
import type { Rejection } from "../http/rejections.ts";
import type { Metrics } from "../observability/metrics.ts";
import { MemoryStore } from "./memory-store.ts";
import type { RevocationTimes, StateStore, WindowCount } from "./state-store.ts";
import { StoreError, ValkeyClient } from "./valkey-client.ts";

interface SharedStoreOptions {
  readonly configuration: SharedStateConfiguration;
  readonly keySecret: string;
  readonly revocationSeconds: number;
  readonly monotonic: () => number;
  readonly metrics: Metrics;
  readonly log: Logger;
}

type Operation = "count" | "use" | "revoke" | "revokedSince" | "probe";

/** Number of consecutive failures after which the store is unavailable. A lost connection counts immediately. */
const maxFailures = 5;
/** Milliseconds between checks of an unavailable store, and between attempts to write to an available one. */
const probeMilliseconds = 500;
/** Maximum number of local changes that are written when the store is available again. */
const maxPending = 10_000;

/**
 * Stores the state on a server that all instances share. While the server doesn't reply, requests are rejected
 * (`closed`), or this instance's own state is used (`open`). The server is checked every half second until it is
 * available again, without a restart.
 */
export class SharedStore implements StateStore {
  readonly #options: SharedStoreOptions;
  readonly #client: ValkeyClient;
  /** This instance's own state. */
  readonly #own: MemoryStore;
  readonly #pending: (() => Promise<unknown>)[] = [];
  #isAvailable = false;
  #failures = 0;
  #probe: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isClosed = false;
  #isLooking = false;

  constructor(options: SharedStoreOptions) {
    const { configuration, keySecret, revocationSeconds, monotonic, metrics } = options;
    this.#options = options;
    this.#own = new MemoryStore({ revocationSeconds, monotonic });
    this.#client = new ValkeyClient({
      configuration,
      keySecret,
      revocationSeconds,
      onConnection: (state) => {
        if (state.isReady) {
          void this.#look();
        } else {
          metrics.sharedStateErrors.inc({ operation: "connection", reason: "notConnected" });
          this.#lost(state.detail);
        }
      },
    });
    metrics.watchSharedState(() => this.#isAvailable);
    this.#client.connect();
  }

  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  count(limit: string, key: string): Promise<WindowCount | Rejection> {
    return this.#shared(
      "count",
      () => this.#client.count(limit, key),
      () => this.#own.count(limit, key),
    );
  }

  async use(id: string): Promise<{ readonly isFirst: boolean } | Rejection> {
    return this.#shared(
      "use",
      async () => ({ isFirst: await this.#client.use(id) }),
      async () => {
        const own = await this.#own.use(id);
        if (own.isFirst) {
          this.#later(() => this.#client.use(id));
        }
        return own;
      },
    );
  }

  /** Revokes immediately in this instance. A rejection means that other instances don't have the revocation yet. */
  async revoke(name: string, since: number): Promise<Rejection | undefined> {
    const own = await this.#own.revoke(name, since);
    if (own !== undefined) {
      return own;
    }
    try {
      await this.#timed("revoke", () => this.#client.revoke(name, since));
      return undefined;
    } catch (error) {
      this.#later(() => this.#client.revoke(name, since));
      return unavailable(error);
    }
  }

  async revokedSince(names: readonly string[]): Promise<RevocationTimes | Rejection> {
    const own = await this.#own.revokedSince(names);
    return this.#shared(
      "revokedSince",
      async () => {
        const times = await this.#client.revokedSince(names);
        return { times: times.map((time, nth) => latest(time, own.times[nth])) };
      },
      async () => own,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#probe);
    clearTimeout(this.#retry);
    this.#client.close();
  }

  /**
   * Queries the store. If it doesn't reply, rejects the request or uses the local state, depending on the
   * configuration.
   */
  async #shared<T>(operation: Operation, remote: () => Promise<T>, local: () => Promise<T>): Promise<T | Rejection> {
    try {
      if (!this.#isAvailable) {
        throw new StoreError("notConnected", "it does not answer");
      }
      return await this.#timed(operation, remote);
    } catch (error) {
      if (this.#options.configuration.whenUnavailable === "closed") {
        return unavailable(error);
      }
      this.#options.metrics.sharedStateFallbacks.inc({ operation });
      return local();
    }
  }

  async #timed<T>(operation: Operation, remote: () => Promise<T>): Promise<T> {
    const { metrics } = this.#options;
    const end = metrics.sharedStateSeconds.startTimer({ operation });
    try {
      const response = await remote();
      this.#failures = 0;
      return response;
    } catch (error) {
      const { reason, message } =
        error instanceof StoreError ? error : new StoreError("unexpectedResponse", "it failed");
      metrics.sharedStateErrors.inc({ operation, reason });
      this.#failures += 1;
      if (this.#failures >= maxFailures || reason === "notConnected") {
        this.#lost(message);
      }
      throw error;
    } finally {
      end();
    }
  }

  #later(work: () => Promise<unknown>): void {
    if (this.#pending.length < maxPending) {
      this.#pending.push(work);
    }
    this.#writeSoon();
  }

  /** Writes the local changes to the store. If it is unavailable, they are written when it is available again. */
  #writeSoon(): void {
    if (this.#isClosed || !this.#isAvailable || this.#retry !== undefined) {
      return;
    }
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      if (this.#isAvailable) {
        this.#writePending().catch(() => this.#writeSoon());
      }
    }, probeMilliseconds);
    this.#retry.unref();
  }

  #writePending(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const [next] = this.#pending;
      await next?.();
      this.#pending.shift();
    }
  }

  #lost(detail: string): void {
    if (this.#isClosed || this.#probe !== undefined) {
      return;
    }
    const { log, configuration } = this.#options;
    this.#isAvailable = false;
    log.error(
      { alarm: "sharedStateUnavailable", whenUnavailable: configuration.whenUnavailable, detail },
      configuration.whenUnavailable === "closed"
        ? "the shared state is unavailable: requests are rejected until it is available again"
        : "the shared state is unavailable: this instance uses its own limits, confirmations, and revocations",
    );
    this.#probe = setInterval(() => void this.#look(), probeMilliseconds);
    this.#probe.unref();
  }

  /**
   * Checks the store with reads and writes, because a store that is full, or that replies only to pings, is
   * unavailable.
   */
  async #look(): Promise<void> {
    if (this.#isClosed || this.#isAvailable || this.#isLooking) {
      return;
    }
    this.#isLooking = true;
    try {
      await this.#timed("probe", async () => {
        await this.#client.count("probe", "");
        await this.#client.revokedSince(["probe"]);
      });
      await this.#writePending();
    } catch (error) {
      this.#lost(error instanceof StoreError ? error.message : "it failed");
      return;
    } finally {
      this.#isLooking = false;
    }
    clearInterval(this.#probe);
    this.#probe = undefined;
    this.#isAvailable = !this.#isClosed;
    this.#options.log.info("the shared state is available");
  }
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}

function unavailable(error: unknown): Rejection {
  return {
    rejection: "unavailable",
    reason: `shared state: ${error instanceof StoreError ? error.message : "it failed"}`,
  };
}

import { phrase } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import { Tunnel, type TunnelCompanion } from "./tunnel.ts";

/** Milliseconds to wait for a companion that starts, or that can't be reached for now. */
const openTimeoutMs = 30_000;

/** The tunnel of a workspace. It is opened when it is first asked for, and again after it has ended. */
export class SharedTunnel {
  readonly #companion: (signal: AbortSignal) => Promise<TunnelCompanion>;
  readonly #disposed = new AbortController();
  #opening: Promise<Tunnel> | undefined;
  #tunnel: Tunnel | undefined;

  constructor(companion: (signal: AbortSignal) => Promise<TunnelCompanion>) {
    this.#companion = companion;
  }

  /** Rejects with the reason why there is none, or with the signal's reason. */
  async get(signal: AbortSignal): Promise<Tunnel> {
    signal.throwIfAborted();
    if (this.#tunnel !== undefined && this.#tunnel.end === undefined) {
      return this.#tunnel;
    }
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([this.#opening, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Ends the tunnel and its connections. */
  dispose(): void {
    this.#disposed.abort(new WordedError(phrase`The connection was closed.`));
    this.#tunnel?.dispose();
  }

  async #open(): Promise<Tunnel> {
    const signal = AbortSignal.any([this.#disposed.signal, AbortSignal.timeout(openTimeoutMs)]);
    const tunnel = await Tunnel.open(await this.#companion(signal), signal);
    this.#tunnel = tunnel;
    if (this.#disposed.signal.aborted) {
      tunnel.dispose();
      this.#disposed.signal.throwIfAborted();
    }
    return tunnel;
  }
}

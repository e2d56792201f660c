import { setTimeout as delay } from "node:timers/promises";
import { type HttpExchange, sendJson } from "./http.ts";

/** Injected faults. Probabilities are between 0 and 1. */
export interface FaultOptions {
  /** Delay of every request, in milliseconds. */
  readonly latency?: number;
  /** Statuses that replace the real responses. */
  readonly failures?: readonly { readonly status: number; readonly probability: number }[];
  /** Probability of closing a connection without a response. */
  readonly cutProbability?: number;
  /** True to report missing content items in plain text with a JSON content type. */
  readonly plainText404?: boolean;
}

/** Switches for injected faults. They can be changed while the tenant runs. */
export class Faults {
  #latency: number;
  readonly #failures: Map<number, number>;
  #cutProbability: number;
  #plainText404: boolean;

  constructor(options: FaultOptions = {}) {
    this.#latency = options.latency ?? 0;
    this.#failures = new Map(options.failures?.map(({ status, probability }) => [status, probability]));
    this.#cutProbability = options.cutProbability ?? 0;
    this.#plainText404 = options.plainText404 ?? false;
  }

  /** True if missing content items are reported in plain text. */
  get sendsPlainText404(): boolean {
    return this.#plainText404;
  }

  /** Delays every request by this number of milliseconds. */
  latency(milliseconds: number): void {
    this.#latency = milliseconds;
  }

  /** Responds to this fraction of requests with the status. 0 turns it off. */
  fail(status: number, probability: number): void {
    this.#failures.set(status, probability);
  }

  /** Closes the connection of this fraction of requests. */
  cut(probability: number): void {
    this.#cutProbability = probability;
  }

  /** Reports missing content items in plain text, or as JSON. */
  plainText404(on: boolean): void {
    this.#plainText404 = on;
  }

  /** Applies the injected faults to a request. Returns true if the request was handled or its connection closed. */
  async inject(exchange: HttpExchange): Promise<boolean> {
    if (this.#latency > 0) {
      await delay(this.#latency);
    }
    if (Math.random() < this.#cutProbability) {
      exchange.request.socket.destroy();
      return true;
    }
    for (const [status, probability] of this.#failures) {
      if (Math.random() < probability) {
        sendJson(exchange, status, JSON.stringify({ message: `Fault on demand: ${status}`, reason: null }));
        return true;
      }
    }
    return false;
  }
}

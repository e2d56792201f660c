import { setTimeout as delay } from "node:timers/promises";
import { type HttpExchange, sendJson } from "./http.ts";

/** Injected faults. Probabilities are between 0 and 1. */
export interface FaultOptions {
  /** Milliseconds by which every request is delayed. */
  readonly latency?: number;
  /** Statuses that replace the real answers. */
  readonly failures?: readonly { readonly status: number; readonly probability: number }[];
  /** Probability that a connection is cut without a response. */
  readonly cutProbability?: number;
  /** Missing content items are reported in plain text with a JSON content type. */
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

  /** Delays every request by this many milliseconds. */
  latency(milliseconds: number): void {
    this.#latency = milliseconds;
  }

  /** Answers this share of requests with the status; 0 turns it off. */
  fail(status: number, probability: number): void {
    this.#failures.set(status, probability);
  }

  /** Cuts the connection of this share of requests. */
  cut(probability: number): void {
    this.#cutProbability = probability;
  }

  /** Reports missing content items in plain text, or as JSON. */
  plainText404(on: boolean): void {
    this.#plainText404 = on;
  }

  /** Applies the injected faults to a request. Returns true if the request was answered or cut. */
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

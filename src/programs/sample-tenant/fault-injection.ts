import { setTimeout as delay } from "node:timers/promises";
import { type HttpExchange, sendJson } from "./http.ts";

/** What goes wrong on purpose. Probabilities lie between 0 and 1. */
export interface FaultOptions {
  /** Milliseconds that every request waits. */
  readonly latency?: number;
  /** Answers with a status in place of the real ones. */
  readonly failures?: readonly { readonly status: number; readonly probability: number }[];
  /** Connections that are cut without an answer. */
  readonly cutProbability?: number;
  /** Missing content items are told in plain text under a JSON content type. */
  readonly plainText404?: boolean;
}

/** Switches for what goes wrong; they can be changed while the tenant runs. */
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

  /** True when missing content items are told in plain text. */
  get sendsPlainText404(): boolean {
    return this.#plainText404;
  }

  /** Lets every request wait that many milliseconds. */
  latency(milliseconds: number): void {
    this.#latency = milliseconds;
  }

  /** Answers that share of requests with the status; 0 ends it. */
  fail(status: number, probability: number): void {
    this.#failures.set(status, probability);
  }

  /** Cuts the connection of that share of requests. */
  cut(probability: number): void {
    this.#cutProbability = probability;
  }

  /** Tells missing content items in plain text, or as JSON. */
  plainText404(on: boolean): void {
    this.#plainText404 = on;
  }

  /** Does to a request what is set; true when it has been answered or cut. */
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

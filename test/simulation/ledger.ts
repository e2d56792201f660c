// What really happened in the kernel, to compare with what the windows show.
import type { IncomingMessage } from "../../src/api/kernels/wire/kernel-message.ts";
import { outputText } from "./model/kernel-messages.ts";
import type { KernelObserver, KernelOutcome } from "./model/kernel-observer.ts";
import { internalPrefix } from "./model/recorder-model.ts";

/** What the kernel did with one request to execute code. */
export interface KernelRun {
  /** How often the kernel took the request from its queue. */
  received: number;
  began: number;
  /** The outputs, in order: `out 12`, `clear`. Each text is unique. */
  readonly outputs: string[];
  /** The index of each output with a text. */
  readonly places: Map<string, number>;
  /** Number of outputs when it ended. Threads write later ones. */
  outputsAtEnd: number;
  /** True if the kernel had a recorder when it took the request. */
  readonly isRecorded: boolean;
  outcome: KernelOutcome | undefined;
  /** True if the process ended before the request was handled. */
  isLost: boolean;
  /** True while the kernel waits for input. */
  isAsking: boolean;
  readonly inputs: string[];
}

export class Ledger implements KernelObserver {
  readonly #runs = new Map<string, KernelRun>();
  /** Outputs that name no cell as their parent: a window may guess which one wrote them. */
  readonly unowned = new Set<string>();
  /** True if any code has failed. */
  hasFailed = false;
  hasUnownedClear = false;
  #running: KernelRun[] = [];
  hasEvicted = false;
  /** Number of processes that ended. */
  ends = 0;

  /** What the kernel did with a request; undefined if it never got it. */
  get(requestId: string): KernelRun | undefined {
    return this.#runs.get(requestId);
  }

  received(requestId: string, isRecorded: boolean): void {
    const run = this.#runs.get(requestId) ?? {
      received: 0,
      began: 0,
      outputs: [],
      places: new Map<string, number>(),
      outputsAtEnd: 0,
      isRecorded,
      outcome: undefined,
      isLost: false,
      isAsking: false,
      inputs: [],
    };
    run.received += 1;
    this.#runs.set(requestId, run);
    this.#running.push(run);
  }

  began(requestId: string): void {
    const run = this.#runs.get(requestId);
    if (run !== undefined) run.began += 1;
  }

  published(message: IncomingMessage): void {
    const token = tokenOf(message);
    if (token === undefined) return;
    const parent = message.parentHeader;
    const run = parent === undefined ? undefined : this.#runs.get(parent.msg_id);
    if (run !== undefined) {
      run.places.set(token, run.outputs.length);
      run.outputs.push(token);
    } else if (
      parent === undefined ||
      parent.msg_id.startsWith(internalPrefix) ||
      parent.msg_type === "kernel_info_request"
    ) {
      if (token.startsWith("clear")) this.hasUnownedClear = true;
      else this.unowned.add(token);
    }
  }

  finished(requestId: string, outcome: KernelOutcome): void {
    const run = this.#runs.get(requestId);
    if (run === undefined) return;
    run.outcome = outcome;
    this.hasFailed ||= outcome === "error" || outcome === "noReply";
    run.outputsAtEnd = run.outputs.length;
    run.isAsking = false;
    this.#running = this.#running.filter((other) => other !== run);
  }

  asked(requestId: string): void {
    const run = this.#runs.get(requestId);
    if (run !== undefined) run.isAsking = true;
  }

  answered(requestId: string, value: string): void {
    const run = this.#runs.get(requestId);
    if (run === undefined) return;
    run.isAsking = false;
    run.inputs.push(value);
  }

  evicted(): void {
    this.hasEvicted = true;
  }

  ended(): void {
    this.ends += 1;
    for (const run of this.#running) {
      run.isLost = true;
      run.outputsAtEnd = run.outputs.length;
      run.isAsking = false;
    }
    this.#running = [];
  }
}

/** The short form of an output; undefined for other messages. */
function tokenOf(message: IncomingMessage): string | undefined {
  const { msg_type } = message.header;
  const { content } = message;
  switch (msg_type) {
    case "stream":
      return `${content.name === "stderr" ? "err" : "out"} ${outputText(message)}`;
    case "display_data":
      return `display ${outputText(message)}`;
    case "update_display_data":
      return `update ${outputText(message)}`;
    case "execute_result":
      return `result ${outputText(message)}`;
    case "error":
      return `error ${outputText(message)}`;
    case "clear_output":
      return content.wait === true ? "clearlater" : "clear";
    default:
      return undefined;
  }
}

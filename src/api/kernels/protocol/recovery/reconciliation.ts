import type { IncomingMessage } from "../../wire/kernel-message.ts";
import type { Activity } from "../activity.ts";
import type { Awaited, Steps } from "../agenda.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import type { KernelRequests } from "../requests.ts";
import type { Losses } from "./losses.ts";
import type { RecordedOutput } from "./recorded-output.ts";
import type { RecorderReader } from "./recorder-reader.ts";
import type { RecoveryQueue } from "./recovery-queue.ts";

interface ReconciliationParts {
  readonly activity: Activity;
  readonly requests: KernelRequests;
  readonly executions: Executions;
  readonly queue: RecoveryQueue;
  readonly losses: Losses;
  readonly reader: RecorderReader;
  readonly recorded: RecordedOutput;
}

/** Executions to settle: those of earlier sockets than this one. */
interface Due {
  readonly socket: number;
  /** True if no output is missing. */
  readonly isComplete: boolean;
}

/**
 * Settles executions whose final messages may be lost. The kernel replies to a request on its main shell after it has
 * handled everything that was sent before: what has no reply by then gets none.
 */
export class Reconciliation {
  readonly #parts: ReconciliationParts;
  #due: Due | undefined;
  /** Number of quiet ticks since the kernel was last asked, and how many pass before it is asked again. */
  #quietTicks = 0;
  #askAfterTicks = 1;
  #isAsking = false;

  constructor(parts: ReconciliationParts) {
    this.#parts = parts;
  }

  /** True if executions are to be settled. */
  get isDue(): boolean {
    return this.#due !== undefined;
  }

  /** Drops what is due, because the connection broke or the process ended. */
  cancel(): void {
    this.#due = undefined;
  }

  /** Sends a request on the main shell. */
  sendBarrier(): Awaited<IncomingMessage> {
    const passed = this.#parts.requests.request("shell", "kernel_info_request", {}, { idle: true });
    passed.onResult(() => this.#parts.activity.infer("idle"));
    return passed;
  }

  /**
   * Settles the executions of earlier sockets when the kernel has processed them, but after recoveries, because their
   * output must come first. Until then, the kernel is busy, because an idle one would have replied.
   */
  settleWhen(passed: Awaited<IncomingMessage>, { socket, isComplete }: Due): void {
    if (passed.isPending) {
      this.#parts.activity.infer("busy");
    }
    passed.onResult(() => {
      this.#due = { socket, isComplete: isComplete && this.#due?.isComplete !== false };
      this.#parts.queue.add(() => this.settle(isComplete));
    });
  }

  /**
   * Settles executions that are due, unless the server has dropped output since then. The recovery of that output
   * settles them. `isComplete`: the last recovery found all output.
   */
  *settle(isComplete: boolean): Steps<void> {
    if (this.#due === undefined) {
      return;
    }
    const due = { ...this.#due, isComplete: isComplete && this.#due.isComplete };
    this.#due = due;
    if (!this.#parts.losses.areWaiting) {
      this.#due = undefined;
      yield* this.#end(({ socket }) => socket !== undefined && socket < due.socket, due.isComplete);
    }
  }

  /** Takes note of an execution's message: the kernel is asked at the next quiet tick. */
  noteMessage(): void {
    this.#quietTicks = 0;
    this.#askAfterTicks = 1;
  }

  /** Takes note that nothing has arrived for a while. True if the kernel should be asked now: less and less often. */
  noteQuiet(): boolean {
    this.#quietTicks += 1;
    if (this.#quietTicks < this.#askAfterTicks) {
      return false;
    }
    this.#quietTicks = 0;
    this.#askAfterTicks *= 2;
    return true;
  }

  /** Asks the kernel whether it has handled executions: both final messages can get lost on an open socket. */
  ask(sent: readonly ExecutionRecord[]): void {
    if (this.#isAsking) {
      return;
    }
    this.#isAsking = true;
    const passed = this.sendBarrier();
    passed.onSettled(() => {
      this.#isAsking = false;
    });
    const { queue, losses } = this.#parts;
    passed.onResult(() => queue.add(() => this.#end((record) => sent.includes(record), !losses.areWaiting)));
  }

  /**
   * Ends executions, because the kernel has processed them, and no more replies follow. Those of an earlier window end
   * after they were replayed. `isComplete`: no output is missing.
   */
  *#end(isHandled: (record: ExecutionRecord) => boolean, isComplete: boolean): Steps<void> {
    const { executions, recorded, reader } = this.#parts;
    const unsettled = (): readonly ExecutionRecord[] =>
      executions.pending.filter((record) => !record.awaitsReplay && isHandled(record));
    const isRead = unsettled().length === 0 || (yield* recorded.complete());
    const isRecorded = isComplete && isRead && reader.isInstalled;
    for (const record of unsettled()) {
      if (record.hasReply) {
        if (record.isWaitingForIdle) {
          // Its last output may be lost together with the idle status.
          executions.reportGap([record], { type: "notDelivered" });
        }
        executions.endWithReply(record);
      } else if (isRecorded && record.isRecorded && record.isIdleWithoutReply) {
        executions.loseReply(record);
      } else if (isRecorded && record.isRecorded && !record.isReceived) {
        executions.end(record, { type: "notReceived" });
      } else {
        executions.reportGap([record], { type: "connectionLost" });
        executions.end(record, { type: "unknown" });
      }
    }
    yield* executions.deliveries.flush();
  }
}

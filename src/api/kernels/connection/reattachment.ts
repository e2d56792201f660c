import type { Clock } from "../../clock.ts";
import { errorMessage } from "../../error-message.ts";
import type { Log } from "../../http/log.ts";
import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import type { GapReason } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import type { OutputGate } from "../recorder/output-gate.ts";
import { type OutputLoss, OutputRecovery } from "../recorder/output-recovery.ts";
import { PublishedSequence } from "../recorder/published-sequence.ts";
import { KernelRecorder } from "../recorder/recorder.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { informationOf } from "../wire/message-events.ts";
import { ExecutionReconciliation } from "./execution-reconciliation.ts";
import { HeldMessages } from "./held-messages.ts";
import { KernelBarrier } from "./kernel-barrier.ts";
import { isIPython } from "./kernel-evaluation.ts";
import { type KernelRequests, ReplyLostError } from "./kernel-requests.ts";

export interface ReattachmentParts {
  readonly requests: KernelRequests;
  readonly table: ExecutionTable;
  readonly gate: OutputGate;
  readonly recorder: "on" | "off";
  /** Id of the last recorded message that an earlier window received. */
  readonly earlierId: string | undefined;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

export interface ReattachmentListener {
  onInformation(information: KernelInformation): void;
  /** Executions can be sent. If there is a recorder, it will have all of their output. */
  onPrepared(socket: number): void;
  /** The kernel replied on its main shell (`idle`), or only on another channel (`busy`). */
  onSeen(activity: "busy" | "idle"): void;
  flush(): void | Promise<void>;
}

/**
 * Prepares each new socket: requests the kernel's information, installs the recorder, recovers lost output from it, and
 * settles executions of earlier sockets when the kernel has processed them.
 */
export class Reattachment {
  readonly #parts: ReattachmentParts;
  readonly #listener: ReattachmentListener;
  readonly #recovery: OutputRecovery;
  readonly #reconciliation: ExecutionReconciliation;
  readonly #sequence = new PublishedSequence();
  #recorder: KernelRecorder | undefined;
  /** True if it is known that the kernel has no recorder for lost output. */
  #isUnrecorded = false;
  #loss: OutputLoss | undefined;
  #resumed: readonly ExecutionRecord[] = [];
  /** Executions of an earlier window whose late output is read from the recorder. */
  #late: ReadonlySet<ExecutionRecord> = new Set();
  /** Set when the kernel has processed what was sent before this socket. `isComplete`: no output is missing. */
  #due: { readonly socket: number; readonly isComplete: boolean } | undefined;
  readonly #held: HeldMessages;
  /** Id of the last recorded message that an earlier window received; undefined if the kernel has a new recorder. */
  #earlierId: string | undefined;
  /** Serializes recoveries. */
  #work: Promise<void> = Promise.resolve();

  constructor(parts: ReattachmentParts, listener: ReattachmentListener) {
    this.#parts = parts;
    this.#listener = listener;
    this.#earlierId = parts.earlierId;
    const { gate, table, log, clock } = parts;
    this.#held = new HeldMessages({
      table,
      clock,
      pass: (message) => gate.handle(message),
      flush: () => listener.flush(),
    });
    this.#reconciliation = new ExecutionReconciliation({
      table,
      complete: (records) => this.#complete(records),
      flush: () => listener.flush(),
    });
    this.#recovery = new OutputRecovery(
      gate,
      {
        flush: () => listener.flush(),
        touch: (record) => table.touch(record),
        read: ({ header }) => this.#sequence.advance(header.publishedNumber),
        recordOf: (message) => table.recordOf(message),
        latest: () => table.latest,
      },
      log,
    );
  }

  /** Starts preparing a new socket. Executions have the number of the socket on which they were sent. */
  attach(socket: number): void {
    const { requests, gate } = this.#parts;
    if (this.#isUnrecorded) {
      // Show the gap before the messages that the server buffered. It covers the output that is missing before them.
      this.#reportLoss();
      this.#resetSequence();
    } else if (this.#loss !== undefined && this.#recorder?.isConcurrent === true) {
      gate.hold();
    }
    const barrier = new KernelBarrier(requests, (activity) => this.#listener.onSeen(activity));
    const { passed } = barrier;
    const introduced = barrier.introduction();
    this.#enqueue(async () => {
      const information = informationOf((await introduced).content);
      this.#listener.onInformation(information);
      await this.#prepareRecorder(information);
      // Without a recorder, the first reply proves that the kernel's messages arrive.
      (this.#recorder === undefined ? passed : introduced).then(
        () => this.#listener.onPrepared(socket),
        () => {},
      );
      const isComplete = await this.#recover();
      barrier.expect();
      await this.#reconciliation.askAgain(socket);
      this.#settleWhen(passed, socket, isComplete);
    });
    // Prevents an unhandled rejection: the socket can break before the queued work awaits this.
    introduced.catch(() => {});
  }

  /** Starts again after the kernel's process, including its recorder, was replaced. */
  restart(socket: number): void {
    this.#resetSequence();
    this.abandon();
    this.attach(socket);
  }

  /** Records a possible loss of output, because the socket broke. Executions are settled on the next socket. */
  lose(): void {
    this.#due = undefined;
    const { table } = this.#parts;
    const sent = table.pending.filter(({ phase }) => phase !== "queued");
    const affected = new Set([...(this.#loss?.affected ?? []), ...sent]);
    const mark = this.#loss === undefined ? this.#mark() : this.#loss.mark;
    this.#loss = { mark, affected, reason: { type: "connectionLost" } };
  }

  /** Abandons recovery, because the kernel ended and nothing is left to read. */
  abandon(): void {
    this.#due = undefined;
    this.#late = new Set();
    this.#held.release();
    this.#parts.gate.release();
    this.#reportLoss();
    this.#recorder = undefined;
  }

  #reportLoss(): void {
    for (const record of this.#loss?.affected ?? []) {
      record.gap(this.#loss?.reason ?? { type: "connectionLost" });
      this.#parts.table.touch(record);
    }
    this.#loss = undefined;
  }

  /** Called with each published message before it is passed on. Recovers earlier messages that did not arrive. */
  notePublished(message: IncomingMessage): void {
    if (this.#sequence.handle(message.header.publishedNumber)) {
      this.noticeDrop(message, { type: "notDelivered" });
    }
  }

  /** Records and recovers a loss, because output was dropped before this message or together with it. */
  noticeDrop(message: IncomingMessage, reason: GapReason): void {
    const { gate, table } = this.#parts;
    if (table.isEmpty) {
      // Only other clients use the kernel. Their output is not recovered.
      return;
    }
    this.#recovery.noticeDrop();
    if (this.#recovery.isFilling || this.#loss !== undefined) {
      // It is recovered together with the earlier loss.
      return;
    }
    const record = table.recordOf(message);
    const affected = new Set([...table.pending, ...(record === undefined ? [] : [record])]);
    this.#loss = { mark: this.#mark(), affected, reason };
    if (this.#isUnrecorded) {
      this.#reportLoss();
      return;
    }
    if (this.#recorder?.isConcurrent === true) {
      gate.hold();
    }
    this.#enqueue(async () => {
      const isComplete = await this.#recover();
      await this.#settle({ isComplete });
    });
  }

  /** Runs the work after all queued recoveries, and after the recorder's messages of the execution were delivered. */
  afterRecovery(record: ExecutionRecord, work: () => void): void {
    this.#enqueue(async () => {
      if (record.phase !== "ended") {
        await this.#complete([record]);
      }
      work();
      await this.#listener.flush();
    });
  }

  /** Holds the messages of executions of an earlier window until the recorder has been read. */
  hold(records: readonly ExecutionRecord[]): void {
    this.#held.hold(records);
  }

  /** Resumes executions of an earlier window. */
  resume(records: readonly ExecutionRecord[], isConnected: boolean): void {
    this.#resumed = [...this.#resumed, ...records];
    if (isConnected) {
      const barrier = new KernelBarrier(this.#parts.requests, (activity) => this.#listener.onSeen(activity));
      this.#enqueue(async () => {
        const isComplete = await this.#recover();
        barrier.expect();
        // Executions that this window has sent meanwhile come after the request, or their replies are on their way.
        this.#settleWhen(barrier.passed, 1, isComplete);
      });
    }
  }

  /**
   * Continues the output of executions that ended in an earlier window. First reads what that window did not receive
   * from the recorder.
   */
  resumeLate(records: readonly ExecutionRecord[], isConnected: boolean): void {
    if (this.#earlierId === undefined || records.length === 0) {
      this.#held.release();
      return;
    }
    this.#late = new Set([...this.#late, ...records]);
    if (isConnected) {
      this.#enqueue(async () => {
        await this.#recover();
      });
    }
  }

  /** Id of the last message that was delivered if nothing is missing before it. */
  get deliveredId(): string | undefined {
    const isRecovered = this.#loss === undefined && this.#late.size === 0 && this.#resumed.length === 0;
    return isRecovered ? this.#parts.gate.deliveredId : undefined;
  }

  /** Keeps a message of an execution that has not been resumed yet. */
  append(message: IncomingMessage): void {
    this.#held.append(message);
  }

  /** Handles a message of an execution. */
  handle(message: IncomingMessage): void {
    this.#held.handle(message);
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      if (!(error instanceof ReplyLostError || error instanceof AggregateError)) {
        this.#parts.log.error(`a kernel's output could not be recovered: ${String(error)}`);
      }
    });
  }

  async #prepareRecorder(information: KernelInformation): Promise<void> {
    const { requests, recorder, log } = this.#parts;
    if (recorder === "off" || !isIPython(information)) {
      this.#isUnrecorded = true;
      this.#recorder = undefined;
      return;
    }
    const candidate = new KernelRecorder(requests, information);
    try {
      const wasInstalled = await candidate.install();
      if (!wasInstalled) {
        this.#resetSequence();
      }
      if (!wasInstalled && this.#loss !== undefined) {
        // The new recorder doesn't contain the output that was lost before.
        await this.#recovery.fill(this.#loss, undefined);
        this.#loss = undefined;
      }
      this.#recorder = candidate;
      this.#isUnrecorded = false;
    } catch (error) {
      if (error instanceof ReplyLostError) {
        throw error;
      }
      this.#recorder = undefined;
      this.#isUnrecorded = true;
      log.warn(`the kernel's recorder was not installed: ${errorMessage(error)}`);
    }
  }

  /** Recovers all output. Resolves with true if nothing is missing. */
  async #recover(): Promise<boolean> {
    let isComplete = true;
    await this.#takeUpLate();
    const resumed = new Set(this.#resumed);
    if (resumed.size > 0) {
      // Replay first, because it replaces the cells' output, including what was lost.
      isComplete = await this.#takeUp(resumed);
      this.#resumed = this.#resumed.filter((record) => !resumed.has(record));
    }
    const loss = this.#loss;
    if (loss !== undefined) {
      this.#loss = undefined;
      const affected = new Set([...loss.affected].filter((record) => !resumed.has(record)));
      isComplete = (await this.#filled({ ...loss, affected })) && isComplete;
    }
    if (this.#loss === undefined) {
      this.#parts.gate.release();
    }
    await this.#listener.flush();
    return isComplete;
  }

  /** Recovers a loss. If the connection breaks again, the loss stays recorded. */
  async #filled(loss: OutputLoss): Promise<boolean> {
    try {
      return await this.#recovery.fill(loss, this.#recorder);
    } catch (error) {
      this.#loss = { ...loss, affected: new Set([...loss.affected, ...(this.#loss?.affected ?? [])]) };
      throw error;
    }
  }

  async #takeUpLate(): Promise<void> {
    const records = this.#late;
    if (records.size === 0) {
      return;
    }
    if (this.#recorder !== undefined && this.#earlierId !== undefined) {
      await this.#recovery.continueAfter(this.#earlierId, records, this.#recorder);
    }
    this.#late = new Set([...this.#late].filter((record) => !records.has(record)));
    this.#held.release();
  }

  /** The id from which to read the recorder if output is missing from now on. */
  #mark(): string | undefined {
    return this.#parts.gate.mark() ?? this.#earlierId;
  }

  /** Restarts the numbers of the published messages, because the kernel has a new recorder. */
  #resetSequence(): void {
    this.#sequence.reset();
    this.#parts.gate.resetOrder();
    this.#earlierId = undefined;
  }

  async #takeUp(records: ReadonlySet<ExecutionRecord>): Promise<boolean> {
    const { table } = this.#parts;
    const recorder = this.#recorder;
    if (recorder?.isConcurrent === false) {
      // The kernel replies only when it is idle. Don't hold messages for that long.
      this.#held.release();
    }
    const isComplete =
      recorder !== undefined &&
      (await this.#recovery.replay(records, recorder, {
        isResumed: true,
        keepsHolding: () => this.#loss !== undefined,
      }));
    if (recorder === undefined) {
      for (const record of records) {
        if (record.phase !== "ended") {
          record.gap({ type: "connectionLost" });
          table.touch(record);
        }
      }
    }
    this.#held.release();
    return isComplete;
  }

  /** Delivers messages that were lost since the recorder was read. */
  async #complete(records: readonly ExecutionRecord[]): Promise<void> {
    const { gate } = this.#parts;
    const recorder = this.#recorder;
    if (recorder === undefined) {
      return;
    }
    if (recorder.isConcurrent) {
      gate.hold();
    }
    try {
      await this.#recovery.complete(new Set(records), recorder);
    } finally {
      if (this.#loss === undefined) {
        gate.release();
      }
    }
  }

  /**
   * Settles executions when the kernel has processed them, but after recoveries, because their output must come first.
   */
  #settleWhen(passed: Promise<IncomingMessage>, socket: number, isComplete: boolean): void {
    passed.then(
      () => {
        this.#due = { socket, isComplete: isComplete && this.#due?.isComplete !== false };
        this.#enqueue(() => this.#settle({ isComplete }));
      },
      () => {},
    );
  }

  /**
   * Settles executions that are due, unless the server has dropped output since then. The recovery of that output
   * settles them. `isComplete`: the last recovery found all output.
   */
  async #settle({ isComplete }: { readonly isComplete: boolean }): Promise<void> {
    if (this.#due === undefined) {
      return;
    }
    const due = { ...this.#due, isComplete: isComplete && this.#due.isComplete };
    this.#due = this.#loss === undefined ? undefined : due;
    if (this.#loss === undefined) {
      await this.#reconciliation.settle(due.socket, due.isComplete && this.#recorder !== undefined);
    }
  }
}

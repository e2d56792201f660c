import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../http/log.ts";
import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import type { KernelInformation } from "../models.ts";
import type { OutputGate } from "../recorder/output-gate.ts";
import { type OutputLoss, OutputRecovery } from "../recorder/output-recovery.ts";
import { KernelRecorder } from "../recorder/recorder.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { informationOf } from "../wire/message-events.ts";
import { type KernelRequests, ReplyLostError } from "./kernel-requests.ts";

export interface ReattachmentParts {
  readonly requests: KernelRequests;
  readonly table: ExecutionTable;
  readonly gate: OutputGate;
  readonly recorder: "on" | "off";
  readonly log: Log;
}

export interface ReattachmentListener {
  onInformation(information: KernelInformation): void;
  /** Executions can be sent: the recorder will have all of their output, where there is one. */
  onPrepared(socket: number): void;
  flush(): void | Promise<void>;
}

/** Milliseconds after which a kernel that has not answered is asked again. */
const introductionTime = 5000;
/** Bytes of messages that wait for the cells of an earlier window. */
const mostUnclaimed = 32 * 1024 * 1024;

/**
 * What has to be done on each new socket: the kernel introduces itself, its recorder is installed, what was lost is read
 * from it, and what was sent on an earlier socket is settled when the kernel has come past it.
 */
export class Reattachment {
  readonly #parts: ReattachmentParts;
  readonly #listener: ReattachmentListener;
  readonly #recovery: OutputRecovery;
  #recorder: KernelRecorder | undefined;
  /** True when it is known that nothing in the kernel keeps what is lost. */
  #isUnrecorded = false;
  #loss: OutputLoss | undefined;
  #resumed: readonly ExecutionRecord[] = [];
  #unclaimed: IncomingMessage[] = [];
  #unclaimedBytes = 0;
  /** One recovery at a time. */
  #work: Promise<void> = Promise.resolve();

  constructor(parts: ReattachmentParts, listener: ReattachmentListener) {
    this.#parts = parts;
    this.#listener = listener;
    const { gate, table, log } = parts;
    this.#recovery = new OutputRecovery(
      gate,
      {
        flush: () => listener.flush(),
        touch: (record) => table.touch(record),
        recordOf: (message) => table.recordOf(message),
      },
      log,
    );
  }

  /** A socket is open. Its number is compared with those on which executions were sent. */
  attach(socket: number): void {
    const { requests, gate } = this.#parts;
    if (this.#isUnrecorded) {
      // Before what the server buffered, where the gap is.
      this.#reportLoss();
    } else if (this.#loss !== undefined && this.#recorder?.isConcurrent === true) {
      gate.hold();
    }
    // On the shell channel the answer comes when everything that was sent before is done: after that no reply comes.
    const passed = requests.request("shell", "kernel_info_request", {}, { idle: true });
    const introduced = this.#introduce(passed);
    this.#enqueue(async () => {
      const information = informationOf((await introduced).content);
      this.#listener.onInformation(information);
      await this.#prepareRecorder(information);
      // Without a recorder nobody knows that the kernel's reports arrive until one did.
      (this.#recorder === undefined ? passed : introduced).then(
        () => this.#listener.onPrepared(socket),
        () => {},
      );
      const isComplete = await this.#recover();
      await this.#askAgain(socket);
      this.#settleWhen(passed, socket, isComplete);
    });
    // They fail with the socket, which may be before anyone waits for them.
    passed.catch(() => {});
    introduced.catch(() => {});
  }

  /** On the control channel a busy kernel answers, too. One that is just starting may not have heard the question. */
  async #introduce(passed: Promise<IncomingMessage>): Promise<IncomingMessage> {
    const { requests } = this.#parts;
    const answers = [passed];
    for (;;) {
      answers.push(requests.request("control", "kernel_info_request", {}));
      const answer = await Promise.race([Promise.any(answers), pause(introductionTime, undefined, { ref: false })]);
      if (answer !== undefined) {
        return answer;
      }
    }
  }

  /** The kernel's process was replaced: its recorder is gone with it. */
  restart(socket: number): void {
    this.abandon();
    this.attach(socket);
  }

  /** The socket broke: from here on output may be missing. */
  lose(): void {
    const { gate, table } = this.#parts;
    const sent = table.pending.filter(({ phase }) => phase !== "queued");
    const affected = new Set([...(this.#loss?.affected ?? []), ...sent]);
    const mark = this.#loss === undefined ? gate.mark() : this.#loss.mark;
    this.#loss = { mark, affected, reason: { type: "connectionLost" } };
  }

  /** The kernel ended: nothing is left to read. */
  abandon(): void {
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

  /** The server dropped output. */
  noticeDrop(message: IncomingMessage): void {
    const { gate, table } = this.#parts;
    this.#recovery.noticeDrop();
    if (this.#recovery.isFilling || this.#loss !== undefined) {
      // What was dropped now will be read with what was lost before.
      return;
    }
    const record = table.recordOf(message);
    const affected = new Set([...table.pending, ...(record === undefined ? [] : [record])]);
    this.#loss = { mark: gate.mark(), affected, reason: { type: "rateLimit" } };
    if (this.#isUnrecorded) {
      this.#reportLoss();
      return;
    }
    if (this.#recorder?.isConcurrent === true) {
      gate.hold();
    }
    this.#enqueue(async () => {
      await this.#recover();
    });
  }

  /** Runs the work behind every recovery that is under way. */
  afterRecovery(work: () => void): void {
    this.#enqueue(async () => {
      work();
      await this.#listener.flush();
    });
  }

  /** Takes executions of an earlier window up again. */
  resume(records: readonly ExecutionRecord[], isConnected: boolean): void {
    this.#resumed = [...this.#resumed, ...records];
    if (isConnected) {
      const passed = this.#parts.requests.request("shell", "kernel_info_request", {}, { idle: true });
      passed.catch(() => {});
      this.#enqueue(async () => {
        const isComplete = await this.#recover();
        // What this window sent meanwhile is behind the question, or on its way.
        this.#settleWhen(passed, 1, isComplete);
      });
    }
  }

  /** Keeps a message of an execution that was not resumed yet. */
  keep(message: IncomingMessage): void {
    this.#unclaimedBytes += message.byteLength;
    if (this.#unclaimedBytes <= mostUnclaimed) {
      this.#unclaimed.push(message);
    }
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
    const isPython = information.languageName === "python" && information.implementation === "ipython";
    if (recorder === "off" || !isPython) {
      this.#isUnrecorded = true;
      this.#recorder = undefined;
      return;
    }
    const candidate = new KernelRecorder(requests, information);
    try {
      const wasInstalled = await candidate.install();
      if (!wasInstalled && this.#loss !== undefined) {
        // What was lost before is not in it.
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
      log.warn(`the kernel's recorder was not installed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** True when nothing is missing. */
  async #recover(): Promise<boolean> {
    let isComplete = true;
    const loss = this.#loss;
    if (loss !== undefined) {
      this.#loss = undefined;
      isComplete = await this.#filled(loss);
    }
    if (this.#loss === undefined) {
      this.#parts.gate.release();
    }
    const resumed = new Set(this.#resumed);
    if (resumed.size > 0) {
      isComplete = (await this.#takeUp(resumed)) && isComplete;
      this.#resumed = this.#resumed.filter((record) => !resumed.has(record));
    }
    await this.#listener.flush();
    return isComplete;
  }

  /** Answers that were sent on an earlier socket may be lost with it. */
  async #askAgain(socket: number): Promise<void> {
    const { table } = this.#parts;
    for (const record of table.pending) {
      if (record.askAgain(socket)) {
        table.touch(record);
      }
    }
    await this.#listener.flush();
  }

  /** Fills a loss; it stays one when the connection breaks again meanwhile. */
  async #filled(loss: OutputLoss): Promise<boolean> {
    try {
      return await this.#recovery.fill(loss, this.#recorder);
    } catch (error) {
      this.#loss = { ...loss, affected: new Set([...loss.affected, ...(this.#loss?.affected ?? [])]) };
      throw error;
    }
  }

  async #takeUp(records: ReadonlySet<ExecutionRecord>): Promise<boolean> {
    const { gate, table } = this.#parts;
    const recorder = this.#recorder;
    const isComplete = recorder !== undefined && (await this.#recovery.replay(records, recorder));
    if (recorder === undefined) {
      for (const record of records) {
        if (record.phase !== "ended") {
          record.gap({ type: "connectionLost" });
          table.touch(record);
        }
      }
    }
    const kept = this.#unclaimed;
    this.#unclaimed = [];
    this.#unclaimedBytes = 0;
    for (const message of kept) {
      if (table.recordOf(message) !== undefined) {
        gate.take(message);
      }
    }
    return isComplete;
  }

  /** When the kernel has come past everything that was sent on earlier sockets, none of it gets a reply. */
  #settleWhen(passed: Promise<IncomingMessage>, socket: number, isComplete: boolean): void {
    // Behind every recovery that is under way: the output of what is settled has to come first.
    const settle = async (): Promise<void> => {
      const { table } = this.#parts;
      for (const record of this.#loss === undefined ? table.pending : []) {
        if (record.phase === "queued" || record.socket >= socket) {
          continue;
        }
        if (record.hasReply) {
          record.endWithReply();
          table.touch(record);
        } else if (isComplete && this.#recorder !== undefined && !record.hasTrace) {
          table.end(record, { type: "notReceived" });
        } else {
          record.gap({ type: "connectionLost" });
          table.end(record, { type: "unknown" });
        }
      }
      await this.#listener.flush();
    };
    passed.then(
      () => this.#enqueue(settle),
      () => {},
    );
  }
}

import { errorMessage } from "../../error-message.ts";
import { phrase } from "../../phrase.ts";
import type { GapReason } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import { KernelRecorder } from "../recorder/recorder.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { informationOf } from "../wire/message-events.ts";
import type { Activity } from "./activity.ts";
import { type Agenda, Awaited, run, type Steps, step } from "./agenda.ts";
import type { ExecutionRecord } from "./execution.ts";
import type { Executions } from "./executions.ts";
import type { Output } from "./output.ts";
import { PublishedSequence } from "./published-sequence.ts";
import { type OutputLoss, RecordedOutput } from "./recorded-output.ts";
import { hasSubshells, isIPython, type KernelRequests, ReplyLostError } from "./requests.ts";

interface RecoveryParts {
  readonly agenda: Agenda;
  readonly activity: Activity;
  readonly requests: KernelRequests;
  readonly executions: Executions;
  readonly output: Output;
  readonly recorder: "on" | "off";
  /** Id of the last recorded message that an earlier window received. */
  readonly earlierId: string | undefined;
}

/** What a recovery has found out. */
export type RecoveryEvent =
  | { readonly type: "information"; readonly information: KernelInformation; readonly session: string }
  /** The kernel's process was replaced, and nothing else has reported that. */
  | { readonly type: "replaced" }
  /** The kernel's messages of the last connection were read, as far as they can be. */
  | { readonly type: "recovered" }
  /** Executions can be sent on this socket. If there is a recorder, it will have all of their output. */
  | { readonly type: "prepared"; readonly socket: number };

/** The recorder in the kernel. `none`: it is known that the kernel has none for lost output. */
type RecorderState =
  | { readonly type: "unknown" }
  | { readonly type: "none" }
  | { readonly type: "installed"; readonly recorder: KernelRecorder };

/** Executions to settle when the kernel has processed what was sent before a socket. */
interface Reconciliation {
  readonly socket: number;
  /** True if no output is missing. */
  readonly isComplete: boolean;
}

/**
 * Prepares each new socket: requests the kernel's information, installs the recorder, recovers lost output from it, and
 * settles executions of earlier sockets when the kernel has processed them. One recovery follows the other.
 */
export class Recovery {
  readonly #parts: RecoveryParts;
  readonly #recorded: RecordedOutput;
  readonly #sequence = new PublishedSequence();
  #recorder: RecorderState = { type: "unknown" };
  #loss: OutputLoss | undefined;
  /** The executions that know that the server drops output; undefined while it drops none that can't be recovered. */
  #droppingKnownBy: ReadonlySet<ExecutionRecord> | undefined;
  /** The loss that is being recovered. */
  #filled: OutputLoss | undefined;
  #resumed: readonly ExecutionRecord[] = [];
  /** Executions of an earlier window whose late output is read from the recorder. */
  #late: ReadonlySet<ExecutionRecord> = new Set();
  #reconciliation: Reconciliation | undefined;
  /** True if the kernel has said that it has subshells. */
  #isConcurrent = false;
  #isIPython = false;
  /** Number of calls of `probe` since the last one that asked the kernel, and how many of them it skips. */
  #quietTicks = 0;
  #probeAfterTicks = 1;
  /** True while the kernel is asked whether it has handled its executions. */
  #isProbing = false;
  /** Id of the last recorded message that an earlier window received; undefined if the kernel has a new recorder. */
  #earlierId: string | undefined;
  /** The recoveries that wait for the current one; undefined if there is none. */
  #queue: (() => Steps<void>)[] | undefined;
  #events: RecoveryEvent[] = [];

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
    this.#earlierId = parts.earlierId;
    const { agenda, executions, output } = parts;
    this.#recorded = new RecordedOutput({ agenda, executions, output, sequence: this.#sequence });
  }

  /** What was found out since the last call. */
  takeEvents(): readonly RecoveryEvent[] {
    const events = this.#events;
    if (events.length > 0) {
      this.#events = [];
    }
    return events;
  }

  get #installed(): KernelRecorder | undefined {
    return this.#recorder.type === "installed" ? this.#recorder.recorder : undefined;
  }

  /** Starts preparing a new socket. Executions have the number of the socket on which they were sent. */
  attach(socket: number): void {
    const { requests, output } = this.#parts;
    if (this.#recorder.type === "none") {
      // Show the gap before the messages that the server buffered. It covers the output that is missing before them.
      this.#reportLoss();
      this.#resetSequence();
    } else if (this.#loss !== undefined && this.#installed?.isConcurrent === true) {
      output.hold();
    }
    const passed = this.#sendBarrier();
    // A busy kernel replies on its control channel, too.
    const introduced = this.#firstOf([passed, requests.request("control", "kernel_info_request", {})]);
    this.#enqueue(() => this.#prepare(socket, passed, introduced));
  }

  *#prepare(socket: number, passed: Awaited<IncomingMessage>, introduced: Awaited<IncomingMessage>): Steps<void> {
    const { header, content } = yield* step(introduced);
    const information = informationOf(content);
    this.#events.push({ type: "information", information, session: header.session });
    if (!hasSubshells(information)) {
      // The kernel installs the recorder only when it is idle. Don't hold messages, or ask again, that late.
      if (this.#recorder.type === "unknown") {
        this.#parts.output.release();
      }
      this.#events.push({ type: "recovered" });
      yield* this.#askAgain(socket);
    }
    yield* this.#prepareRecorder(information);
    // Without a recorder, the first reply proves that the kernel's messages arrive.
    (this.#installed === undefined ? passed : introduced).onResult(() => {
      this.#events.push({ type: "prepared", socket });
    });
    const isComplete = yield* this.#recover();
    this.#expect(passed);
    this.#events.push({ type: "recovered" });
    yield* this.#askAgain(socket);
    this.#settleWhen(passed, { socket, isComplete });
  }

  /** Starts again after the kernel's process, including its recorder, was replaced. */
  restart(socket: number | undefined): void {
    this.#resetSequence();
    this.abandon();
    if (socket !== undefined) {
      this.attach(socket);
    }
  }

  /** Records a possible loss of output, because the socket broke. Executions are settled on the next socket. */
  lose(): void {
    this.#reconciliation = undefined;
    const sent = this.#parts.executions.pending.filter(({ phase }) => phase !== "queued");
    const affected = new Set([...(this.#loss?.affected ?? []), ...sent]);
    const mark = this.#loss === undefined ? this.#mark() : this.#loss.mark;
    this.#loss = { mark, affected, reason: { type: "connectionLost" } };
  }

  /** Abandons recovery, because the kernel ended and nothing is left to read. */
  abandon(): void {
    const { output } = this.#parts;
    this.#reconciliation = undefined;
    this.#late = new Set();
    output.releaseEarlier();
    output.release();
    if (this.#filled !== undefined) {
      const { affected, reason } = this.#filled;
      this.#loss = { mark: undefined, affected: new Set([...affected, ...(this.#loss?.affected ?? [])]), reason };
      this.#filled = undefined;
    }
    this.#reportLoss();
    for (const record of this.#resumed) {
      record.gap({ type: "connectionLost" });
      this.#parts.executions.deliveries.touch(record);
    }
    this.#resumed = [];
    this.#discardRecorder();
  }

  #discardRecorder(): void {
    if (this.#recorder.type === "installed") {
      this.#recorder = { type: "unknown" };
    }
    this.#parts.executions.isRecording = false;
  }

  #reportLoss(): void {
    for (const record of this.#loss?.affected ?? []) {
      record.gap(this.#loss?.reason ?? { type: "connectionLost" });
      this.#parts.executions.deliveries.touch(record);
    }
    this.#loss = undefined;
  }

  /** Takes note of each published message before it is passed on. Recovers earlier messages that did not arrive. */
  notePublished(message: IncomingMessage): void {
    const record = this.#parts.executions.recordOf(message);
    if (record !== undefined) {
      this.#quietTicks = 0;
      this.#probeAfterTicks = 1;
    }
    if (this.#droppingKnownBy !== undefined && message.header.msg_type === "status") {
      this.#noteDropping(record, message.content.execution_state === "idle");
    }
    if (this.#sequence.handle(message.header.publishedNumber)) {
      this.noticeDrop(message, { type: "notDelivered" });
    }
  }

  /** Records and recovers a loss, because output was dropped before this message or together with it. */
  noticeDrop(message: IncomingMessage, reason: GapReason): void {
    const { executions } = this.#parts;
    if (executions.isEmpty) {
      // Only other clients use the kernel. Their output is not recovered.
      return;
    }
    const record = executions.recordOf(message);
    const affected = new Set([...executions.pending, ...(record === undefined ? [] : [record])]);
    this.#recorded.noticeDrop(affected);
    if (this.#recorded.isFilling) {
      // It is read together with the earlier loss.
      return;
    }
    if (this.#loss !== undefined) {
      // It is recovered together with the earlier loss.
      this.#loss = { ...this.#loss, affected: new Set([...this.#loss.affected, ...affected]) };
      this.#holdIfConcurrent();
      return;
    }
    this.#loss = { mark: this.#mark(), affected, reason };
    if (this.#recorder.type === "none") {
      this.#droppingKnownBy = affected;
      this.#reportLoss();
      return;
    }
    this.#holdIfConcurrent();
    this.#enqueue(() => this.#recoverDrop());
  }

  /** The server reports once that it drops output, and continues until the kernel is idle again. */
  #noteDropping(record: ExecutionRecord | undefined, isIdle: boolean): void {
    if (record !== undefined && this.#droppingKnownBy?.has(record) === false) {
      record.gap({ type: "rateLimit" });
      this.#parts.executions.deliveries.touch(record);
      this.#droppingKnownBy = new Set([...this.#droppingKnownBy, record]);
    }
    if (isIdle) {
      this.#droppingKnownBy = undefined;
    }
  }

  /** Without subshells, the kernel is read only when it is idle, which is too long to hold messages back. */
  #holdIfConcurrent(): void {
    const isInstalling = this.#recorder.type === "unknown" && this.#isConcurrent;
    if (isInstalling || this.#installed?.isConcurrent === true) {
      this.#parts.output.hold();
    }
  }

  *#recoverDrop(): Steps<void> {
    const isComplete = yield* this.#recover();
    yield* this.#settle(isComplete);
  }

  /** Resolves when all messages of the pending executions that the recorder has were delivered. */
  completed(): Awaited<void> {
    const { agenda, executions } = this.#parts;
    const completed = new Awaited<void>(agenda);
    const complete = function* (this: Recovery): Steps<void> {
      yield* this.#complete(executions.pending);
      completed.resolve(undefined);
    };
    this.#enqueue(complete.bind(this));
    return completed;
  }

  /** Runs the work after all queued recoveries, and after the recorder's messages of the execution were delivered. */
  afterRecovery(record: ExecutionRecord, work: () => void): void {
    this.#enqueue(() => this.#completeBefore(record, work));
  }

  *#completeBefore(record: ExecutionRecord, work: () => void): Steps<void> {
    if (!record.isEnded) {
      yield* this.#complete([record]);
    }
    work();
    yield* this.#flush();
  }

  /** Resumes executions of an earlier window. */
  resume(records: readonly ExecutionRecord[], isConnected: boolean): void {
    this.#resumed = [...this.#resumed, ...records];
    if (isConnected) {
      const passed = this.#sendBarrier();
      this.#enqueue(() => this.#recoverResumed(passed));
    }
  }

  *#recoverResumed(passed: Awaited<IncomingMessage>): Steps<void> {
    const isComplete = yield* this.#recover();
    this.#expect(passed);
    // Executions that this window has sent meanwhile come after the request, or their replies are on their way.
    this.#settleWhen(passed, { socket: 1, isComplete });
  }

  /**
   * Continues the output of executions that ended in an earlier window. First reads what that window did not receive
   * from the recorder.
   */
  resumeLate(records: readonly ExecutionRecord[], isConnected: boolean): void {
    if (this.#earlierId === undefined || records.length === 0) {
      this.#parts.output.releaseEarlier();
      return;
    }
    this.#late = new Set([...this.#late, ...records]);
    if (isConnected) {
      this.#enqueue(() => this.#recoverLate());
    }
  }

  *#recoverLate(): Steps<void> {
    yield* this.#recover();
  }

  /** Id of the last message that was delivered if nothing is missing before it. */
  get deliveredId(): string | undefined {
    const { output } = this.#parts;
    const isInOrder = this.#loss === undefined || output.isHolding;
    if (!isInOrder || this.#late.size > 0 || this.#resumed.length > 0) {
      return undefined;
    }
    // A later window takes the recorder that has this message for older than all executions.
    const isRecorded = this.#parts.executions.pending.every((record) => record.phase === "queued" || record.isRecorded);
    return isRecorded ? output.deliveredId : undefined;
  }

  #enqueue(recovery: () => Steps<void>): void {
    if (this.#queue !== undefined) {
      this.#queue.push(recovery);
      return;
    }
    this.#queue = [recovery];
    const { agenda } = this.#parts;
    agenda.defer(() => run(agenda, this.#work()));
  }

  *#work(): Steps<void> {
    for (let next = this.#queue?.shift(); next !== undefined; next = this.#queue?.shift()) {
      try {
        yield* next();
      } catch (error) {
        if (!(error instanceof ReplyLostError)) {
          const text = `a kernel's output could not be recovered: ${String(error)}`;
          this.#parts.agenda.add({ type: "log", level: "error", text });
        }
      }
    }
    this.#queue = undefined;
  }

  /** Sends a request on the shell channel. The kernel replies to it after everything that was sent before. */
  #sendBarrier(): Awaited<IncomingMessage> {
    const passed = this.#parts.requests.request("shell", "kernel_info_request", {}, { idle: true });
    passed.onResult(() => this.#parts.activity.infer("idle"));
    return passed;
  }

  /** Infers that the kernel is busy if it has not replied, because an idle kernel would have. */
  #expect(passed: Awaited<IncomingMessage>): void {
    if (passed.isPending) {
      this.#parts.activity.infer("busy");
    }
  }

  #firstOf(replies: readonly Awaited<IncomingMessage>[]): Awaited<IncomingMessage> {
    const first = new Awaited<IncomingMessage>(this.#parts.agenda);
    let left = replies.length;
    for (const reply of replies) {
      reply.onResult(
        (message) => first.resolve(message),
        (error) => {
          left -= 1;
          if (left === 0) {
            first.reject(error);
          }
        },
      );
    }
    return first;
  }

  *#prepareRecorder(information: KernelInformation): Steps<void> {
    const { requests, recorder, agenda, executions } = this.#parts;
    this.#isIPython = isIPython(information);
    this.#isConcurrent = recorder === "on" && this.#isIPython && hasSubshells(information);
    if (recorder === "off" || !isIPython(information)) {
      this.#recorder = { type: "none" };
      return;
    }
    const candidate = new KernelRecorder(requests, information);
    try {
      const wasInstalled = yield* candidate.install();
      if (!wasInstalled && this.#recorder.type === "installed") {
        this.#events.push({ type: "replaced" });
        throw new ReplyLostError(phrase`The kernel was restarted.`);
      }
      executions.isRecording = true;
      if (!wasInstalled) {
        yield* this.#begin();
      }
      this.#recorder = { type: "installed", recorder: candidate };
    } catch (error) {
      if (error instanceof ReplyLostError) {
        throw error;
      }
      this.#recorder = { type: "none" };
      agenda.add({
        type: "log",
        level: "warn",
        text: `the kernel's recorder was not installed: ${errorMessage(error)}`,
      });
    }
  }

  /** The recorder is new: what the kernel published before is not in it. */
  *#begin(): Steps<void> {
    const { output, executions } = this.#parts;
    this.#earlierId = undefined;
    output.resetOrder();
    const sent = executions.pending.filter(({ phase }) => phase !== "queued");
    for (const record of sent) {
      record.markRecorded(false);
    }
    const resumed = this.#resumed.filter(({ isEnded }) => !isEnded);
    const affected = new Set([...(this.#loss?.affected ?? []), ...resumed]);
    const reason = this.#loss?.reason ?? { type: "connectionLost" };
    this.#loss = undefined;
    this.#resumed = this.#resumed.filter(({ isEnded }) => isEnded);
    output.releaseEarlier();
    if (affected.size > 0) {
      yield* this.#recorded.fill({ mark: undefined, affected, reason }, undefined);
    }
    if (this.#sequence.begin()) {
      this.#loss = { mark: undefined, affected: new Set(sent), reason: { type: "notDelivered" } };
    }
  }

  /** Recovers all output. True if nothing is missing. */
  *#recover(): Steps<boolean> {
    if (this.#recorder.type === "unknown") {
      // The connection broke before the kernel replied. The next one recovers the output.
      throw new ReplyLostError(phrase`The kernel isn't connected.`);
    }
    let isComplete = true;
    yield* this.#takeUpLate();
    const resumed = new Set(this.#resumed);
    if (resumed.size > 0) {
      // Replay first, because it replaces the cells' output, including what was lost.
      isComplete = yield* this.#takeUp(resumed);
      this.#resumed = this.#resumed.filter((record) => !resumed.has(record));
    }
    const loss = this.#loss;
    if (loss !== undefined) {
      this.#loss = undefined;
      const affected = new Set([...loss.affected].filter((record) => !resumed.has(record)));
      isComplete = (yield* this.#fill({ ...loss, affected })) && isComplete;
    }
    if (this.#loss === undefined) {
      this.#parts.output.release();
    }
    yield* this.#flush();
    return isComplete;
  }

  /** Recovers a loss. If the connection breaks again, the loss stays recorded. */
  *#fill(loss: OutputLoss): Steps<boolean> {
    this.#filled = loss;
    try {
      const isComplete = yield* this.#recorded.fill(loss, this.#installed);
      this.#reportUnrecorded(loss);
      this.#filled = undefined;
      return isComplete;
    } catch (error) {
      if (this.#filled === undefined) {
        // The kernel ended meanwhile.
        throw error;
      }
      this.#filled = undefined;
      this.#loss = { ...loss, affected: new Set([...loss.affected, ...(this.#loss?.affected ?? [])]) };
      throw error;
    }
  }

  /**
   * Reports a loss to the executions of which the recorder does not have everything. A message whose number is missing
   * was recorded.
   */
  #reportUnrecorded({ affected, reason }: OutputLoss): void {
    if (this.#installed === undefined || reason.type === "notDelivered") {
      return;
    }
    for (const record of affected) {
      if (record.isPartlyRecorded) {
        record.gap(reason);
        this.#parts.executions.deliveries.touch(record);
      }
    }
  }

  *#takeUpLate(): Steps<void> {
    const records = this.#late;
    if (records.size === 0) {
      return;
    }
    if (this.#installed !== undefined && this.#earlierId !== undefined) {
      yield* this.#recorded.continueAfter(this.#earlierId, records, this.#installed);
    }
    this.#late = new Set([...this.#late].filter((record) => !records.has(record)));
    this.#parts.output.releaseEarlier();
  }

  /** The id from which to read the recorder if output is missing from now on. */
  #mark(): string | undefined {
    return this.#parts.output.mark ?? this.#earlierId;
  }

  /** Restarts the numbers of the published messages, because the kernel has a new recorder. */
  #resetSequence(): void {
    this.#sequence.reset();
    this.#parts.output.resetOrder();
    this.#earlierId = undefined;
  }

  *#takeUp(records: ReadonlySet<ExecutionRecord>): Steps<boolean> {
    const { executions, output } = this.#parts;
    const recorder = this.#installed;
    if (recorder?.isConcurrent === false) {
      // The kernel replies only when it is idle. Don't hold messages for that long.
      output.releaseEarlier();
    }
    const isComplete =
      recorder !== undefined &&
      (yield* this.#recorded.replay(records, recorder, {
        isResumed: true,
        earlierId: this.#earlierId,
        keepsHolding: () => this.#loss !== undefined,
      }));
    if (recorder === undefined) {
      for (const record of records) {
        // An earlier window has shown what has ended there.
        if (!record.isEnded || record.outcome !== undefined) {
          record.gap({ type: "connectionLost" });
          executions.deliveries.touch(record);
        }
      }
    }
    output.releaseEarlier();
    return isComplete;
  }

  /** Delivers messages that were lost since the recorder was read. True if the recorder has everything. */
  *#complete(records: readonly ExecutionRecord[]): Steps<boolean> {
    const { output } = this.#parts;
    const recorder = this.#installed;
    if (recorder === undefined) {
      return false;
    }
    if (recorder.isConcurrent) {
      output.hold();
    }
    try {
      return yield* this.#recorded.complete(new Set(records), recorder);
    } finally {
      if (this.#loss === undefined) {
        output.release();
      }
    }
  }

  /**
   * Settles executions when the kernel has processed them, but after recoveries, because their output must come first.
   */
  #settleWhen(passed: Awaited<IncomingMessage>, { socket, isComplete }: Reconciliation): void {
    passed.onResult(() => {
      this.#reconciliation = { socket, isComplete: isComplete && this.#reconciliation?.isComplete !== false };
      this.#enqueue(() => this.#settle(isComplete));
    });
  }

  /**
   * Settles executions that are due, unless the server has dropped output since then. The recovery of that output
   * settles them. `isComplete`: the last recovery found all output.
   */
  *#settle(isComplete: boolean): Steps<void> {
    if (this.#reconciliation === undefined) {
      return;
    }
    const reconciliation = { ...this.#reconciliation, isComplete: isComplete && this.#reconciliation.isComplete };
    this.#reconciliation = this.#loss === undefined ? undefined : reconciliation;
    if (this.#loss === undefined) {
      const { socket } = reconciliation;
      const isHandled = (record: ExecutionRecord): boolean => record.socket !== undefined && record.socket < socket;
      yield* this.#end(isHandled, reconciliation.isComplete);
    }
  }

  /**
   * Asks the kernel whether it has handled its executions, because nothing has arrived for a while: both final messages
   * can get lost. Call this regularly while nothing arrives. Asks less and less often until an execution has output.
   */
  probe(): void {
    const { executions } = this.#parts;
    // Another kernel may reply before it has handled what it has begun.
    const sent = executions.pending.filter(
      ({ phase, isReceived }) => phase !== "queued" && (this.#isIPython || !isReceived),
    );
    this.#quietTicks += 1;
    if (this.#recorder.type === "unknown" || sent.length === 0 || this.#quietTicks < this.#probeAfterTicks) {
      return;
    }
    this.#quietTicks = 0;
    this.#probeAfterTicks *= 2;
    if (this.#installed?.isConcurrent === true) {
      // For example, a request for input can be missing, for which the kernel waits.
      this.#loss ??= { mark: this.#mark(), affected: new Set(), reason: { type: "notDelivered" } };
      this.#enqueue(() => this.#recoverDrop());
    }
    if (this.#isProbing) {
      return;
    }
    this.#isProbing = true;
    const passed = this.#sendBarrier();
    passed.onSettled(() => {
      this.#isProbing = false;
    });
    passed.onResult(() => this.#enqueue(() => this.#end((record) => sent.includes(record), this.#loss === undefined)));
  }

  /** Repeats input requests whose replies were sent on an earlier socket and may be lost. */
  *#askAgain(socket: number): Steps<void> {
    const { executions } = this.#parts;
    for (const record of executions.pending) {
      if (record.askAgain(socket)) {
        executions.deliveries.touch(record);
      }
    }
    yield* this.#flush();
  }

  /**
   * Ends executions, because the kernel has processed them, and no more replies follow. `isComplete`: no output is
   * missing.
   */
  *#end(isHandled: (record: ExecutionRecord) => boolean, isComplete: boolean): Steps<void> {
    const { executions } = this.#parts;
    const unsettled = (): readonly ExecutionRecord[] => executions.pending.filter(isHandled);
    const withoutReply = unsettled().filter(({ hasReply }) => !hasReply);
    const isRead = withoutReply.length === 0 || (yield* this.#complete(withoutReply));
    const isRecorded = isComplete && isRead && this.#installed !== undefined;
    for (const record of unsettled()) {
      if (record.hasReply) {
        executions.endWithReply(record);
      } else if (isRecorded && record.isRecorded && record.isIdleWithoutReply) {
        executions.loseReply(record);
      } else if (isRecorded && record.isRecorded && !record.isReceived) {
        executions.end(record, { type: "notReceived" });
      } else {
        record.gap({ type: "connectionLost" });
        executions.end(record, { type: "unknown" });
      }
    }
    yield* this.#flush();
  }

  *#flush(): Steps<void> {
    yield* step(this.#parts.executions.deliveries.flushed());
  }
}

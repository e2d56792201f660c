import { errorMessage } from "../../../error-message.ts";
import { phrase } from "../../../phrase.ts";
import type { GapReason } from "../../executions/executions.ts";
import type { KernelInformation } from "../../models.ts";
import { KernelRecorder } from "../../recorder/recorder.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import { informationOf, isBeginning } from "../../wire/message-events.ts";
import { overlap } from "../../wire/recent-ids.ts";
import type { Activity } from "../activity.ts";
import { type Agenda, Awaited, firstOf, type Steps, step } from "../agenda.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import { hasSubshells, isIPython } from "../kernel-features.ts";
import type { Output } from "../output.ts";
import { type KernelRequests, ReplyLostError } from "../requests.ts";
import { EarlierExecutions } from "./earlier-executions.ts";
import { Losses } from "./losses.ts";
import { PublishedSequence } from "./published-sequence.ts";
import { Reconciliation } from "./reconciliation.ts";
import { RecordedOutput } from "./recorded-output.ts";
import { RecorderReader } from "./recorder-reader.ts";
import { RecoveryQueue } from "./recovery-queue.ts";

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

/**
 * Prepares each new socket: requests the kernel's information, installs the recorder, recovers lost output from it, and
 * settles executions of earlier sockets when the kernel has processed them. One recovery follows the other.
 */
export class Recovery {
  readonly #parts: RecoveryParts;
  readonly #queue: RecoveryQueue;
  readonly #losses: Losses;
  readonly #sequence = new PublishedSequence();
  readonly #reader: RecorderReader;
  readonly #recorded: RecordedOutput;
  readonly #reconciliation: Reconciliation;
  readonly #earlier: EarlierExecutions;
  /** Undefined until the kernel has replied. */
  #information: KernelInformation | undefined;
  /** Executions whose beginning has arrived, or was noticed to be missing. */
  readonly #begun = new WeakSet<ExecutionRecord>();
  #events: RecoveryEvent[] = [];
  /** The newest number of a published message at the last probe. */
  #probedNumber = 0;

  constructor(parts: RecoveryParts) {
    const { agenda, executions, output, earlierId } = parts;
    this.#parts = parts;
    const queue = new RecoveryQueue(agenda);
    const losses = new Losses(executions);
    const reader = new RecorderReader(executions, this.#sequence);
    const recorded = new RecordedOutput({ agenda, executions, output, losses, reader });
    this.#queue = queue;
    this.#losses = losses;
    this.#reader = reader;
    this.#recorded = recorded;
    this.#reconciliation = new Reconciliation({ ...parts, queue, losses, reader, recorded });
    this.#earlier = new EarlierExecutions({ executions, output, losses, reader, recorded }, earlierId);
  }

  /** Number of executions that are recovered, and of recoveries that wait. */
  get size(): number {
    const due = this.#reconciliation.isDue ? 1 : 0;
    return this.#losses.size + due + this.#earlier.size + this.#queue.size;
  }

  /** What was found out since the last call. */
  takeEvents(): readonly RecoveryEvent[] {
    const events = this.#events;
    if (events.length > 0) {
      this.#events = [];
    }
    return events;
  }

  /** Starts preparing a new socket. Executions have the number of the socket on which they were sent. */
  attach(socket: number): void {
    const { agenda, requests, output } = this.#parts;
    if (this.#reader.state === "none") {
      // Show the gap before the messages that the server buffered. It covers the output that is missing before them.
      this.#losses.report();
      this.#resetSequence();
    } else if (this.#losses.areWaiting && this.#reader.isConcurrent) {
      output.hold();
    }
    const passed = this.#reconciliation.sendBarrier();
    // A busy kernel replies on its control channel, too.
    const introduced = firstOf(agenda, [passed, requests.request("control", "kernel_info_request", {})]);
    this.#queue.add(() => this.#prepare(socket, passed, introduced));
  }

  *#prepare(socket: number, passed: Awaited<IncomingMessage>, introduced: Awaited<IncomingMessage>): Steps<void> {
    const { header, content } = yield* step(introduced);
    const information = informationOf(content);
    this.#information = information;
    this.#sequence.follow(header.session);
    this.#parts.output.follow(header.session);
    this.#events.push({ type: "information", information, session: header.session });
    if (!hasSubshells(information)) {
      // The kernel installs the recorder only when it is idle. Don't hold messages, or ask again, that late.
      if (this.#reader.state === "unknown") {
        this.#parts.output.release();
      }
      this.#events.push({ type: "recovered" });
      yield* this.#askAgain(socket);
    }
    yield* this.#prepareRecorder(information);
    // Without a recorder, the first reply proves that the kernel's messages arrive.
    (this.#reader.isInstalled ? introduced : passed).onResult(() => {
      this.#events.push({ type: "prepared", socket });
    });
    const isComplete = yield* this.#recover();
    this.#events.push({ type: "recovered" });
    yield* this.#askAgain(socket);
    this.#reconciliation.settleWhen(passed, { socket, isComplete });
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
    this.#reconciliation.cancel();
    const sent = this.#parts.executions.pending.filter(({ phase }) => phase !== "queued");
    this.#losses.add({ mark: this.#mark(), affected: new Set(sent), reason: { type: "connectionLost" } });
  }

  /** Abandons recovery, because the kernel ended and nothing is left to read. */
  abandon(): void {
    const { output, executions } = this.#parts;
    this.#queue.stopCurrent();
    this.#reconciliation.cancel();
    output.releaseEarlier();
    output.release();
    this.#losses.reportAll();
    this.#earlier.abandon();
    this.#reader.discard();
    executions.isRecording = false;
  }

  /** Reports what is missing in executions that have ended, because no later window recovers it. It settles the others. */
  dispose(): void {
    this.#queue.stop();
    this.#reconciliation.cancel();
    this.#losses.reportEnded();
    this.#earlier.reportEnded();
    if (!this.#parts.output.isHolding) {
      // What was delivered meanwhile must not be delivered again.
      this.#losses.clear();
      this.#earlier.clear();
    }
  }

  /** Takes note of each published message before it is passed on. Recovers earlier messages that did not arrive. */
  notePublished(message: IncomingMessage): void {
    const record = this.#parts.executions.recordOf(message);
    if (record !== undefined) {
      this.#reconciliation.noteMessage();
    }
    this.#losses.noteStatus(message);
    const lacksBeginning = record !== undefined && this.#lacksBeginning(record, message);
    if (this.#sequence.handle(message.header) || lacksBeginning) {
      this.noticeDrop(message, { type: "notDelivered" });
    }
  }

  /**
   * True if this is the first message of an execution that this window has sent, but not its beginning. If it is also the
   * first one with a number, no number shows that messages before it are missing.
   */
  #lacksBeginning(record: ExecutionRecord, message: IncomingMessage): boolean {
    if (this.#begun.has(record)) {
      return false;
    }
    this.#begun.add(record);
    const isOwn = record.phase === "sent" && record.socket !== 0;
    return isOwn && message.header.publishedNumber !== undefined && !isBeginning(message);
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
    this.#recorded.noticeDrop();
    if (this.#recorded.isFilling) {
      // It is read together with the earlier loss.
      this.#losses.addToCurrent(affected);
      return;
    }
    const isQueued = this.#losses.areWaiting;
    this.#losses.add({ mark: this.#mark(), affected, reason });
    if (!isQueued && this.#reader.state === "none") {
      this.#losses.reportDropping(affected);
      return;
    }
    this.#holdIfConcurrent();
    if (!isQueued) {
      this.#queue.add(() => this.#recoverDrop());
    }
  }

  /** Without subshells, the kernel is read only when it is idle, which is too long to hold messages back. */
  #holdIfConcurrent(): void {
    const { recorder, output } = this.#parts;
    const information = this.#information;
    const isInstalling = this.#reader.state === "unknown" && recorder === "on" && information !== undefined;
    if (this.#reader.isConcurrent || (isInstalling && isIPython(information) && hasSubshells(information))) {
      output.hold();
    }
  }

  *#recoverDrop(): Steps<void> {
    const isComplete = yield* this.#recover();
    yield* this.#reconciliation.settle(isComplete);
  }

  *#recoverUnread(): Steps<void> {
    const isComplete = yield* this.#recorded.complete("unread");
    yield* this.#reconciliation.settle(isComplete);
  }

  /** Resolves when all messages of the pending executions that the recorder has were delivered. */
  completed(): Awaited<void> {
    const completed = new Awaited<void>(this.#parts.agenda);
    const complete = function* (this: Recovery): Steps<void> {
      yield* this.#recorded.complete();
      completed.resolve(undefined);
    };
    this.#queue.add(complete.bind(this));
    return completed;
  }

  /** Runs the work after all queued recoveries, and after the recorder's messages of the execution were delivered. */
  afterRecovery(record: ExecutionRecord, work: () => void): void {
    this.#queue.add(() => this.#completeBefore(record, work));
  }

  *#completeBefore(record: ExecutionRecord, work: () => void): Steps<void> {
    if (!record.isEnded) {
      yield* this.#recorded.complete();
    }
    work();
    yield* this.#parts.executions.deliveries.flush();
  }

  /** Resumes executions of an earlier window. */
  resume(records: readonly ExecutionRecord[], isConnected: boolean): void {
    this.#earlier.resume(records);
    if (isConnected) {
      const passed = this.#reconciliation.sendBarrier();
      this.#queue.add(() => this.#recoverResumed(passed));
    }
  }

  *#recoverResumed(passed: Awaited<IncomingMessage>): Steps<void> {
    const isComplete = yield* this.#recover();
    // Executions that this window has sent meanwhile come after the request, or their replies are on their way.
    this.#reconciliation.settleWhen(passed, { socket: 1, isComplete });
  }

  /**
   * Continues the output of executions that ended in an earlier window. First reads what that window did not receive
   * from the recorder.
   */
  resumeLate(records: readonly ExecutionRecord[], isConnected: boolean): void {
    if (this.#earlier.resumeLate(records) && isConnected) {
      this.#queue.add(() => this.#recoverLate());
    }
  }

  *#recoverLate(): Steps<void> {
    yield* this.#recover();
  }

  /** Id of the last message that was delivered if nothing is missing before it. */
  get deliveredId(): string | undefined {
    const { output, executions } = this.#parts;
    const isInOrder = !this.#losses.areWaiting || output.isHolding;
    if (!isInOrder || this.#earlier.size > 0) {
      return undefined;
    }
    // A later window takes the recorder that has this message for older than all executions.
    const isRecorded = executions.pending.every((record) => record.phase === "queued" || record.isRecorded);
    return isRecorded ? output.deliveredId : undefined;
  }

  *#prepareRecorder(information: KernelInformation): Steps<void> {
    const { requests, recorder, agenda, executions } = this.#parts;
    if (recorder === "off" || !isIPython(information)) {
      this.#reader.use(undefined);
      return;
    }
    const candidate = new KernelRecorder(requests, information);
    try {
      const wasInstalled = yield* candidate.install();
      if (!wasInstalled && this.#reader.isInstalled) {
        this.#events.push({ type: "replaced" });
        throw new ReplyLostError(phrase`The kernel was restarted.`);
      }
      executions.isRecording = true;
      if (!wasInstalled) {
        yield* this.#begin();
      }
      this.#reader.use(candidate);
    } catch (error) {
      if (error instanceof ReplyLostError) {
        throw error;
      }
      this.#reader.use(undefined);
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
    this.#reader.restart();
    this.#earlier.resetDelivered();
    output.resetOrder();
    const sent = executions.pending.filter(({ phase }) => phase !== "queued");
    for (const record of sent) {
      record.markRecorded(false);
    }
    const affected = this.#earlier.takeUnrecorded();
    if (affected.size > 0) {
      this.#losses.add({ mark: undefined, affected: new Set(affected), reason: { type: "connectionLost" } });
    }
    output.releaseEarlier();
    this.#losses.report();
    yield* executions.deliveries.flush();
    if (this.#sequence.begin()) {
      this.#losses.add({ mark: undefined, affected: new Set(sent), reason: { type: "notDelivered" } });
    }
  }

  /** Recovers all output. True if nothing is missing. */
  *#recover(): Steps<boolean> {
    if (this.#reader.state === "unknown") {
      // The connection broke before the kernel replied. The next one recovers the output.
      throw new ReplyLostError(phrase`The kernel isn't connected.`);
    }
    // First, because a replay replaces the cells' output, including what was lost.
    let isComplete = yield* this.#earlier.takeUp();
    if (this.#losses.areWaiting) {
      isComplete = (yield* this.#fill()) && isComplete;
    }
    if (!this.#losses.areWaiting) {
      this.#parts.output.release();
    }
    yield* this.#parts.executions.deliveries.flush();
    return isComplete;
  }

  /** Recovers the loss that waits. If the connection breaks, it waits again. */
  *#fill(): Steps<boolean> {
    const loss = this.#losses.begin();
    try {
      const isComplete = loss === undefined || (yield* this.#recorded.fill(loss));
      if (loss !== undefined && this.#reader.isInstalled && loss.reason.type !== "notDelivered") {
        // The recorder does not have everything of them. It has a message whose number is missing.
        const partly = [...loss.affected].filter(({ isPartlyRecorded }) => isPartlyRecorded);
        this.#parts.executions.reportGap(partly, loss.reason);
      }
      this.#losses.end();
      return isComplete;
    } catch (error) {
      this.#losses.restore();
      throw error;
    }
  }

  /** The id from which to read the recorder if output is missing from now on. */
  #mark(): string | undefined {
    return this.#parts.output.mark ?? this.#earlier.deliveredId;
  }

  /** Restarts the numbers of the published messages, because the kernel has a new recorder. */
  #resetSequence(): void {
    this.#probedNumber = 0;
    this.#sequence.reset();
    this.#parts.output.resetOrder();
    this.#earlier.resetDelivered();
  }

  /**
   * Reads the recorder, and asks the kernel whether it has handled its executions. Call this regularly while nothing
   * arrives.
   */
  probe(): void {
    // Another kernel may reply before it has handled what it has begun.
    const isPython = this.#information !== undefined && isIPython(this.#information);
    const sent = this.#parts.executions.pending.filter(
      ({ phase, isReceived }) => phase !== "queued" && (isPython || !isReceived),
    );
    if (this.#reader.state === "unknown" || sent.length === 0 || !this.#reconciliation.noteQuiet()) {
      return;
    }
    if (this.#reader.isConcurrent) {
      // For example, a request for input can be missing, for which the kernel waits. It has no number, and can be older
      // than the mark if threads of the kernel have published much since the last probe.
      const { newest } = this.#sequence;
      const isMarkLater = newest > this.#probedNumber + overlap;
      this.#probedNumber = newest;
      if (isMarkLater) {
        this.#queue.add(() => this.#recoverUnread());
      } else {
        this.#losses.add({ mark: this.#mark(), affected: new Set(), reason: { type: "notDelivered" } });
        this.#queue.add(() => this.#recoverDrop());
      }
    }
    this.#reconciliation.ask(sent);
  }

  /** Repeats input requests whose replies were sent on an earlier socket and may be lost. */
  *#askAgain(socket: number): Steps<void> {
    const { executions } = this.#parts;
    for (const record of executions.pending) {
      if (record.askAgain(socket)) {
        executions.deliveries.touch(record);
      }
    }
    yield* executions.deliveries.flush();
  }
}

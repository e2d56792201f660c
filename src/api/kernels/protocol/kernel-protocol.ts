import { errorMessage } from "../../error-message.ts";
import { phrase, type Text } from "../../phrase.ts";
import type { ConnectionTimes } from "../connection/connection.ts";
import type { ConnectionState, KernelActivity, KernelEnd } from "../connection/connection-state.ts";
import type { JournalEntry, KernelJournal } from "../executions/execution-journal.ts";
import type { KernelInformation } from "../models.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { stringField } from "../wire/message-codec.ts";
import { commOf } from "../wire/message-events.ts";
import { Activity } from "./activity.ts";
import { Agenda, type Awaited } from "./agenda.ts";
import { Comms } from "./comms.ts";
import type { CallResult, Effect, TimerPurpose } from "./effect.ts";
import { ExecutionRecord, type ExecutionView } from "./execution.ts";
import { Executions } from "./executions.ts";
import { FinalMessages } from "./final-messages.ts";
import type { Call, Input } from "./input.ts";
import { KernelProcess } from "./kernel-process.ts";
import { Link, type LinkEvent } from "./link.ts";
import { isCapture, Output } from "./output.ts";
import { Recovery } from "./recovery.ts";
import { isInternal, isThreadOutput, KernelRequests } from "./requests.ts";
import { Sending } from "./sending.ts";

export interface ProtocolOptions {
  readonly kernelId: string;
  /** What is stored of the kernel. Continues the session of an earlier window, whose messages the server replays. */
  readonly journal: KernelJournal;
  /** Makes the message ids of this connection unique among all that use the session. */
  readonly instance: string;
  /** Random number from 0 to 1, for the jitter of the pauses between attempts to connect. */
  readonly random: () => number;
  /** Whether to keep output in the kernel. Python kernels only. */
  readonly recorder: "on" | "off";
  readonly times?: Partial<ConnectionTimes> | undefined;
  /** Maximum size of a message to the server, in bytes. Default: 10 MB, the default of Jupyter Server. */
  readonly maxSentBytes?: number | undefined;
}

/** Start of the two messages with which Jupyter Server reports dropped output. */
const dropNotice = /^IOPub (?:message|data) rate exceeded/;
const activities: ReadonlySet<string> = new Set(["starting", "idle", "busy", "restarting", "dead"]);

/**
 * The connection to one kernel, without input and output: takes what happens, one input at a time, and returns what to
 * do. Has no clock, timers, promises, or random numbers of its own. README.md shows the way of a message.
 */
export class KernelProtocol {
  readonly #kernelId: string;
  readonly #sessionId: string;
  readonly #agenda: Agenda;
  readonly #link: Link;
  readonly #requests: KernelRequests;
  readonly #comms: Comms;
  readonly #executions: Executions;
  readonly #output: Output;
  readonly #activity: Activity;
  readonly #recovery: Recovery;
  readonly #sending: Sending;
  readonly #finalMessages: FinalMessages;
  readonly #process: KernelProcess;
  /** The calls that wait for an interrupt, by the number of its request; undefined for an interrupt of our own. */
  readonly #interrupts = new Map<number, number | undefined>();
  #isPresent = true;
  /** True if the server has replaced the process while it performs a restart: the new process can have other ports. */
  #isReopenDue = false;
  /** The delivery of the last messages' events. */
  #flushed: Awaited<void> | undefined;

  constructor({ kernelId, journal, instance, random, recorder, times, maxSentBytes }: ProtocolOptions, now: number) {
    const { sessionId, deliveredId: earlierId } = journal;
    this.#kernelId = kernelId;
    this.#sessionId = sessionId;
    const agenda = new Agenda(now);
    const link = new Link(agenda, { kernelId, random, times, maxSentBytes });
    const requests = new KernelRequests(agenda, link, { sessionId, instance });
    const comms = new Comms(agenda, link, requests);
    const executions = new Executions(agenda, kernelId, journal);
    const output = new Output(agenda, executions, comms);
    const activity = new Activity(agenda);
    const sending = new Sending({ agenda, link, requests, executions });
    const recovery = new Recovery({ agenda, activity, requests, executions, output, recorder, earlierId });
    this.#agenda = agenda;
    this.#link = link;
    this.#requests = requests;
    this.#comms = comms;
    this.#executions = executions;
    this.#output = output;
    this.#activity = activity;
    this.#sending = sending;
    this.#recovery = recovery;
    this.#finalMessages = new FinalMessages({ agenda, link, requests, executions, recovery });
    this.#process = new KernelProcess({ agenda, link, requests, executions, comms, output, sending, recovery });
  }

  get state(): ConnectionState {
    return this.#link.state;
  }

  get activity(): KernelActivity {
    return this.#activity.current;
  }

  /** Undefined until the kernel's first reply. */
  get information(): KernelInformation | undefined {
    return this.#process.information;
  }

  /** Executions that have not ended, in sending order. */
  get pending(): readonly ExecutionView[] {
    return this.#executions.pending;
  }

  /** Entries of an earlier window that no `resume` has taken over, in sending order. */
  get unclaimed(): readonly JournalEntry[] {
    return this.#executions.unclaimed;
  }

  /** True until the events of the last messages are delivered. Meanwhile, the driver reads no more from the socket. */
  get isPaused(): boolean {
    return this.#flushed?.isPending === true;
  }

  /** Number of timers that run. */
  get timerCount(): number {
    return this.#agenda.timerCount;
  }

  /** Handles what has happened. `now`: milliseconds since 1970. Returns what to do, in order. */
  handle(input: Input, now: number): readonly Effect[] {
    this.#agenda.begin(now);
    this.#take(input);
    do {
      this.#agenda.runDeferred();
      this.#proceed();
      this.#executions.journal.noteDelivered(this.#recovery.deliveredId);
      this.#restIfQuiet();
      this.#executions.deliver();
    } while (this.#agenda.hasDeferred);
    return this.#agenda.takeEffects();
  }

  #take(input: Input): void {
    switch (input.type) {
      case "retry":
        this.#linked(this.#link.retry());
        break;
      case "presence":
        this.#isPresent = input.isPresent;
        this.#linked(input.isPresent ? this.#link.wake() : []);
        break;
      case "listening":
        this.#output.hasCaptureListener = input.capturedOutput;
        this.#executions.deliveries.hasForeignListener = input.foreign;
        break;
      case "deleteSubshell":
        this.#requests.deleteSubshell(input.subshell);
        break;
      case "inputReply":
        this.#sending.replyToInput(input.messageId, input.value);
        break;
      case "dispose":
        this.#dispose();
        break;
      case "kernelChecked":
        this.#linked(this.#link.checked(input.check, input.result));
        break;
      case "opened":
        this.#linked(this.#link.opened(input.socket, input.protocol));
        break;
      case "refused":
        this.#linked(this.#link.refused(input.socket, input.refusal));
        break;
      case "closed":
        this.#linked(this.#link.closed(input.socket, input.reason));
        break;
      case "messages":
        this.#takeMessages(input.socket, input.messages);
        break;
      case "timer":
        this.#expire(this.#agenda.takeTimer(input.timer), input.bytesReceived);
        break;
      case "posted":
        this.#posted(input.post, input.error);
        break;
      case "journalWritten":
        this.#executions.journal.written(input.error);
        break;
      case "delivered":
        this.#executions.deliveries.delivered();
        break;
      default:
        this.#call(input);
    }
  }

  #call(input: Call): void {
    const { call } = input;
    switch (input.type) {
      case "execute":
        this.#wake();
        this.#execute(input);
        break;
      case "resume":
        this.#resume(input);
        break;
      case "deleteExecutions":
        this.#settleDone(call, this.#executions.delete(input.messageIds));
        break;
      case "interrupt":
        this.#executions.dropQueued();
        for (const record of this.#executions.pending) {
          record.markUnwanted();
        }
        this.#interrupts.set(this.#process.interrupt(), call);
        break;
      case "cancel":
        this.#cancel(call, this.#executions.get(input.messageId));
        break;
      case "restart":
        this.#process.restart(call);
        break;
      case "comm":
        this.#wake();
        this.#settle(call, this.#sendComm(input));
        break;
      case "request":
        this.#wake();
        this.#settleWith(
          call,
          this.#requests.request(input.channel, input.requestType, input.content),
          (reply): CallResult => ({ type: "reply", reply }),
        );
        break;
      case "createSubshell":
        this.#wake();
        this.#settleWith(call, this.#requests.startSubshell(), (id): CallResult => ({ type: "subshell", id }));
        break;
      case "finishWriting":
        this.#settleDone(call, this.#executions.journal.finish());
        break;
    }
  }

  /** Handles messages in order. Skips invalid ones. */
  #takeMessages(socket: number, messages: readonly IncomingMessage[]): void {
    const received = this.#link.received(socket);
    if (received === undefined) {
      return;
    }
    this.#linked(received);
    for (const message of messages) {
      try {
        this.#route(message);
      } catch (error) {
        this.#log("warn", errorMessage(error));
      }
    }
    const { deliveries } = this.#executions;
    this.#flushed = deliveries.areWaiting ? deliveries.flushed() : undefined;
  }

  #route(message: IncomingMessage): void {
    this.#process.noteSession(message.header.session, this.#sessionId);
    if (message.channel === "iopub") {
      this.#recovery.notePublished(message);
    }
    const comm = commOf(message);
    if (comm !== undefined) {
      this.#agenda.add({ type: "emit", event: { name: "comm", value: comm } });
      this.#comms.handleReply(comm);
      if (isCapture(message)) {
        // In the same order as outputs, which may be held back.
        this.#routeToExecution(message);
      }
      return;
    }
    if (message.channel === "iopub" && this.#takeDropNotice(message)) {
      return;
    }
    if (isInternal(message)) {
      this.#requests.handle(message);
      this.#comms.handle(message);
      if (isThreadOutput(message)) {
        this.#output.take(message);
      }
      return;
    }
    if (message.channel === "iopub" && this.#takeNotice(message)) {
      return;
    }
    if (!this.#routeToExecution(message)) {
      if (isThreadOutput(message)) {
        this.#output.take(message);
      } else {
        this.#executions.deliveries.takeForeign(message);
      }
    }
  }

  /** Returns false if the message belongs to no execution of this client. */
  #routeToExecution(message: IncomingMessage): boolean {
    if (this.#executions.recordOf(message) !== undefined) {
      this.#output.take(message);
      return true;
    }
    const isUnclaimed = this.#executions.isUnclaimed(message.parentHeader?.msg_id ?? "");
    if (isUnclaimed) {
      this.#output.takeUnclaimed(message);
    }
    return isUnclaimed;
  }

  /** Returns true for a notice of the server that it drops output, whichever request it belongs to. */
  #takeDropNotice(message: IncomingMessage): boolean {
    const { header, content, longText } = message;
    const isNotice =
      header.msg_type === "stream" &&
      header.session === this.#sessionId &&
      longText === undefined &&
      dropNotice.test(stringField(content.text));
    if (isNotice) {
      this.#recovery.noticeDrop(message, { type: "rateLimit" });
    }
    return isNotice;
  }

  /**
   * Handles messages about the kernel, and messages from the server, whose header has this client's session. Returns
   * true if nobody else needs the message.
   */
  #takeNotice(message: IncomingMessage): boolean {
    const { header, content } = message;
    const isFromServer = header.session === this.#sessionId;
    switch (header.msg_type) {
      case "status": {
        const activity = stringField(content.execution_state);
        if (isActivity(activity)) {
          this.#takeActivity(activity, isFromServer);
        }
        return isFromServer;
      }
      case "shutdown_reply":
        if (content.restart === true) {
          this.#process.replaced();
        } else {
          this.#end("shutDown");
        }
        return true;
      default:
        return false;
    }
  }

  #takeActivity(activity: KernelActivity, isFromServer: boolean): void {
    this.#activity.report(activity);
    if (isFromServer && activity === "restarting") {
      if (this.#process.replaced()) {
        this.#linked(this.#link.reopen());
      } else {
        this.#isReopenDue = true;
      }
    } else if (isFromServer && activity === "dead") {
      this.#end("died");
    }
  }

  #end(end: KernelEnd): void {
    this.#linked(this.#link.end(end));
  }

  /** Acts on changes of the link. */
  #linked(events: readonly LinkEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case "state":
          if (event.state.type === "kernelDead") {
            this.#activity.report("dead");
            this.#process.ended(event.state.end);
          }
          this.#agenda.add({ type: "emit", event: { name: "state", value: event.state } });
          break;
        case "opened":
          this.#sending.prepare(event.socket);
          this.#recovery.attach(event.socket);
          this.#comms.flush();
          break;
        case "lost":
          this.#lost(event.reason);
          break;
      }
    }
  }

  #lost(reason: Text): void {
    this.#sending.lose();
    this.#recovery.lose();
    this.#requests.lose(reason);
    this.#comms.lose();
    this.#activity.report("unknown");
  }

  #expire(purpose: TimerPurpose | undefined, bytesReceived: number): void {
    switch (purpose?.name) {
      case "reconnect":
        this.#linked(this.#link.retry());
        break;
      case "checkStarting":
        this.#link.checkStarting();
        break;
      case "ping":
        this.#link.ping(bytesReceived, this.isPaused);
        if (this.#link.isQuiet) {
          this.#recovery.probe();
        }
        break;
      case "checkRunning":
        this.#link.checkRunning(!this.isPaused && this.#isPresent && this.#executions.pending.length > 0);
        break;
      case "preparation":
        this.#sending.prepared();
        break;
      case "withdrawal":
        this.#process.stopWithdrawing();
        break;
      case "heldMessages":
        this.#output.releaseEarlier();
        break;
      case "writeJournal":
        this.#executions.journal.writeNow();
        break;
      case "repeatRequest":
        this.#requests.repeat(purpose.request);
        break;
      case "missingReply":
        this.#finalMessages.askForReply(purpose.messageId);
        break;
      case "missingIdle":
        this.#finalMessages.askForIdle(purpose.messageId);
        break;
      case "codeStart":
        if (this.#executions.get(purpose.messageId)?.isUnwanted === true && !this.#process.isRestarting) {
          this.#interrupts.set(this.#process.interrupt(), undefined);
        }
        break;
      case undefined:
        break;
    }
  }

  /** Acts on what the last messages and steps have changed. */
  #proceed(): void {
    for (const progress of this.#output.takeProgress()) {
      switch (progress.type) {
        case "began":
          this.#sending.interruptSoon(progress.record);
          break;
        case "ended":
          this.#dropQueueAfter(progress.record);
          break;
        default:
          this.#finalMessages.note(progress);
      }
    }
    for (const event of this.#recovery.takeEvents()) {
      switch (event.type) {
        case "information":
          this.#process.introduced(event.information, event.session === this.#sessionId ? undefined : event.session);
          this.#agenda.add({ type: "emit", event: { name: "information", value: event.information } });
          break;
        case "prepared":
          this.#sending.prepared(event.socket);
          break;
        case "recovered":
          this.#sending.sendInputReplies();
          break;
        case "replaced":
          this.#process.replaced();
          break;
      }
    }
  }

  /** Drops the unsent executions after a failed one. The kernel does the same with those in its queue. */
  #dropQueueAfter({ outcome, stopOnError }: ExecutionRecord): void {
    // Executions that are queued during a restart are for the new process.
    if (outcome?.type === "error" && stopOnError && !this.#process.isRestarting) {
      this.#executions.dropQueued();
    }
  }

  #execute({ call, executions: submitted }: Extract<Call, { readonly type: "execute" }>): void {
    const records = submitted.map(
      ({ entry, code, stopOnError, run, sink }) =>
        new ExecutionRecord(entry, sink, { request: { code, run }, stopOnError }),
    );
    this.#settleWith(call, this.#executions.add(records), (): CallResult => {
      for (const record of records) {
        record.markJournaled();
      }
      const outcome = this.#process.endOfUnsent;
      if (outcome === undefined) {
        this.#sending.sendQueued();
      } else {
        for (const record of records) {
          this.#executions.end(record, outcome);
        }
      }
      return { type: "executions", executions: records };
    });
  }

  #resume({ call, sinks, late }: Extract<Call, { readonly type: "resume" }>): void {
    if (!late) {
      this.#wake();
    }
    const records = this.#executions.claim(sinks, late);
    // Hold their messages from now on, because writing the journal takes time.
    this.#output.holdEarlier(records);
    this.#settleWith(call, this.#executions.add(records), (): CallResult => {
      const isConnected = this.state.type === "connected";
      if (late) {
        this.#recovery.resumeLate(records, isConnected);
      } else {
        this.#recovery.resume(records, isConnected);
        if (this.state.type === "kernelDead") {
          this.#executions.endPending({ keepsQueued: this.#process.isRestarting });
        }
      }
      return { type: "executions", executions: records };
    });
  }

  #cancel(call: number, record: ExecutionRecord | undefined): void {
    if (record?.phase === "running") {
      this.#interrupts.set(this.#process.interrupt(), call);
      return;
    }
    if (record?.phase === "queued") {
      this.#executions.end(record, { type: "dropped" });
    }
    record?.markUnwanted();
    this.#settle(call, { type: "done" });
  }

  #sendComm({ comm }: Extract<Call, { readonly type: "comm" }>): CallResult {
    try {
      return { type: "sent", messageId: this.#comms.send(comm) };
    } catch (error) {
      return { type: "failed", error: asError(error) };
    }
  }

  /** Handles the server's response to an interrupt or a restart. */
  #posted(post: number, error: Error | undefined): void {
    if (this.#interrupts.has(post)) {
      const call = this.#interrupts.get(post);
      this.#interrupts.delete(post);
      if (call !== undefined) {
        this.#settle(call, error === undefined ? { type: "done" } : { type: "failed", error });
      } else if (error !== undefined) {
        this.#log("warn", String(error));
      }
    } else if (this.#process.restarted(post, error)) {
      // Reconnects if the kernel had ended before, or if the server had lost its process.
      this.#linked(this.#isReopenDue ? this.#link.reopen() : this.#link.retry());
      this.#isReopenDue = false;
    }
  }

  #dispose(): void {
    this.#linked(this.#link.dispose());
    this.#requests.lose(phrase`The connection was closed.`);
    this.#executions.journal.finish();
    this.#agenda.cancelTimersExcept("writeJournal");
  }

  #wake(): void {
    this.#linked(this.#link.wake());
  }

  /**
   * Rests while nobody is present and the kernel runs nothing. An open socket answers the server's pings, which counts
   * as activity: a hub would never stop the server of a window that somebody left open.
   */
  #restIfQuiet(): void {
    if (this.#isPresent) {
      return;
    }
    const { type } = this.state;
    const isIdle = type === "connected" ? this.activity === "idle" : type !== "connecting";
    const isQuiet = isIdle && this.#requests.isQuiet && !this.#process.isRestarting;
    if (isQuiet && this.#executions.pending.length === 0) {
      this.#linked(this.#link.rest());
    }
  }

  #settle(call: number, result: CallResult): void {
    this.#agenda.add({ type: "settle", call, result });
  }

  #settleDone(call: number, awaited: Awaited<unknown>): void {
    this.#settleWith(call, awaited, (): CallResult => ({ type: "done" }));
  }

  #settleWith<T>(call: number, awaited: Awaited<T>, resultOf: (value: T) => CallResult): void {
    awaited.onResult(
      (value) => this.#settle(call, resultOf(value)),
      (error) => this.#settle(call, { type: "failed", error: asError(error) }),
    );
  }

  #log(level: "info" | "warn", text: string): void {
    this.#agenda.add({ type: "log", level, text: `kernel ${this.#kernelId}: ${text}` });
  }
}

function isActivity(text: string): text is KernelActivity {
  return activities.has(text);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

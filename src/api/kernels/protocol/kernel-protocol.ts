import { errorMessage } from "../../error-message.ts";
import { phrase, type Text } from "../../phrase.ts";
import type { ConnectionTimes } from "../connection/connection.ts";
import type { ConnectionState, KernelActivity } from "../connection/connection-state.ts";
import type { JournalEntry, KernelJournal } from "../executions/execution-journal.ts";
import type { KernelInformation } from "../models.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { Activity } from "./activity.ts";
import { Agenda, type Awaited } from "./agenda.ts";
import { Calls, needsKernel } from "./calls.ts";
import { Comms } from "./comms.ts";
import type { Effect, TimerPurpose } from "./effect.ts";
import type { ExecutionRecord, ExecutionView } from "./execution/execution.ts";
import { Executions } from "./execution/executions.ts";
import type { Input } from "./input.ts";
import { KernelProcess } from "./kernel-process.ts";
import { Link, type LinkEvent } from "./link.ts";
import { MessageRouter, type ProcessNotice } from "./message-router.ts";
import { Output } from "./output.ts";
import { FinalMessages } from "./recovery/final-messages.ts";
import { Recovery } from "./recovery/recovery.ts";
import { KernelRequests } from "./requests.ts";
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

/** The timers of an open socket. */
const linkTimers: ReadonlySet<TimerPurpose["name"]> = new Set(["ping", "checkRunning"]);

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
  readonly #calls: Calls;
  readonly #router: MessageRouter;
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
    const parts = { agenda, link, requests, comms, executions, output, activity, sending, recovery };
    const process = new KernelProcess(parts);
    this.#process = process;
    this.#calls = new Calls({ ...parts, process });
    this.#router = new MessageRouter({ ...parts, process, sessionId });
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

  /** True while something that was sent waits for messages of the kernel. */
  get awaitsMessages(): boolean {
    return this.#executions.areAwaited || !this.#requests.isQuiet || this.#comms.areAwaited;
  }

  /** Number of items in each table that is empty while nothing runs and nothing is recovered. */
  get sizes(): Readonly<Record<string, number>> {
    return {
      timers: this.#agenda.countTimers(linkTimers),
      requests: this.#requests.size,
      comms: this.#comms.size,
      pending: this.#executions.pending.length,
      journal: this.#executions.journal.size,
      deliveries: this.#executions.deliveries.size,
      output: this.#output.size,
      recovery: this.#recovery.size,
      restarts: this.#process.size,
      interrupts: this.#calls.size,
    };
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
        if (needsKernel(input)) {
          this.#linked(this.#link.wake());
        }
        this.#calls.take(input);
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
        this.#noticed(this.#router.route(message));
      } catch (error) {
        this.#agenda.add({ type: "log", level: "warn", text: `kernel ${this.#kernelId}: ${errorMessage(error)}` });
      }
    }
    const { deliveries } = this.#executions;
    this.#flushed = deliveries.areWaiting ? deliveries.flushed() : undefined;
  }

  #noticed(notice: ProcessNotice | undefined): void {
    switch (notice?.type) {
      case "ended":
        this.#linked(this.#link.end(notice.end));
        break;
      case "restarted":
        if (this.#process.replaced()) {
          this.#linked(this.#link.reopen());
        } else {
          this.#isReopenDue = true;
        }
        break;
    }
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
        this.#calls.interruptUnwanted(purpose.messageId);
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

  /** Handles the server's response to an interrupt or a restart. */
  #posted(post: number, error: Error | undefined): void {
    if (!this.#calls.posted(post, error) && this.#process.restarted(post, error)) {
      // Reconnects if the kernel had ended before, or if the server had lost its process.
      this.#linked(this.#isReopenDue ? this.#link.reopen() : this.#link.retry());
      this.#isReopenDue = false;
    }
  }

  #dispose(): void {
    const reason = phrase`The connection was closed.`;
    this.#linked(this.#link.dispose());
    this.#recovery.dispose();
    this.#process.dispose(reason);
    this.#calls.dispose();
    this.#requests.lose(reason);
    this.#executions.journal.finish();
    this.#agenda.cancelTimersExcept("writeJournal");
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
}

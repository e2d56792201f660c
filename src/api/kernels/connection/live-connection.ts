import type { Log } from "../../http/log.ts";
import { phrase, type Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { JournalEntry, KernelJournal } from "../executions/execution-journal.ts";
import { ExecutionTable } from "../executions/execution-table.ts";
import type {
  Execution,
  ExecutionOutcome,
  ExecutionRequest,
  ExecutionSink,
  ForeignActivity,
} from "../executions/executions.ts";
import { KernelServer } from "../kernel-server.ts";
import type { KernelInformation } from "../models.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import { OutputGate } from "../recorder/output-gate.ts";
import type { Fields, IncomingMessage } from "../wire/kernel-message.ts";
import { CommTraffic } from "./comm-traffic.ts";
import type { CommMessage, SentComm } from "./comms.ts";
import type { KernelConnection, KernelConnectionOptions, KernelEvent, Subscription } from "./connection.ts";
import { ConnectionListeners } from "./connection-listeners.ts";
import type { ConnectionState, KernelActivity } from "./connection-state.ts";
import { ExecutionInterrupts } from "./execution-interrupts.ts";
import { ExecutionSender } from "./execution-sender.ts";
import { ForeignActivities } from "./foreign-activity.ts";
import { IdleRest } from "./idle-rest.ts";
import { KernelProcess } from "./kernel-process.ts";
import { KernelRequests } from "./kernel-requests.ts";
import { KernelLink } from "./link/kernel-link.ts";
import { LostReplies } from "./lost-replies.ts";
import { MessageRouter } from "./message-router.ts";
import { OutputDelivery } from "./output-delivery.ts";
import { Reattachment } from "./reattachment.ts";
import { ReportedActivity } from "./reported-activity.ts";

export { sourceHashOf } from "./execution-sender.ts";

const connectionClosed = phrase`The connection was closed.`;

/** Implements KernelConnection. */
export class LiveKernelConnection implements KernelConnection {
  readonly kernelId: string;
  readonly #link: KernelLink;
  readonly #server: KernelServer;
  readonly #requests: KernelRequests;
  readonly #table: ExecutionTable;
  readonly #gate: OutputGate;
  readonly #router: MessageRouter;
  readonly #reattachment: Reattachment;
  readonly #foreign = new ForeignActivities();
  readonly #listeners: ConnectionListeners;
  readonly #sender: ExecutionSender;
  readonly #interrupts: ExecutionInterrupts;
  readonly #delivery: OutputDelivery;
  readonly #comms: CommTraffic;
  readonly #ready = Promise.withResolvers<KernelInformation>();
  readonly #process: KernelProcess;
  readonly #idleRest: IdleRest | undefined;
  readonly #activity = new ReportedActivity((activity) => {
    this.#listeners.emit("kernel", { type: "activity", activity });
    this.#idleRest?.check();
  });

  constructor(options: KernelConnectionOptions, journal: KernelJournal, log: Log) {
    const { kernelId, client } = options;
    const { sessionId } = journal;
    this.kernelId = kernelId;
    this.#listeners = new ConnectionListeners(kernelId, log);
    this.#server = new KernelServer(client);
    this.#table = new ExecutionTable(options.journal, { ...journal, kernelId }, log);
    this.#requests = new KernelRequests(sessionId, (message) => this.#link.send(message), options.clock);
    this.#comms = new CommTraffic(
      this.#requests,
      (message) => this.#link.send(message),
      (messageId) => this.#listeners.emit("commHandled", messageId),
    );
    this.#sender = new ExecutionSender({
      table: this.#table,
      requests: this.#requests,
      send: (message) => this.#link.send(message),
      end: () => this.#endOfUnsent(),
      flush: () => this.#flush(),
    });
    this.#interrupts = new ExecutionInterrupts({
      table: this.#table,
      log,
      interrupt: () => this.#server.interrupt(kernelId),
      isRestarting: () => this.#process.isRestarting,
      flush: () => this.#flush(),
    });
    this.#gate = new OutputGate((message, isReplayed) =>
      this.#delivery.deliver(message, { isReplayed, isRecovered: isReplayed || this.#gate.isHolding }),
    );
    this.#reattachment = new Reattachment(
      {
        requests: this.#requests,
        table: this.#table,
        gate: this.#gate,
        log,
        recorder: options.recorder,
        clock: options.clock,
        earlierId: journal.deliveredId,
      },
      {
        onInformation: (information) => this.#introduce(information),
        onPrepared: (socket) => this.#sender.sendQueued(socket),
        onSeen: (activity) => this.#activity.assume(activity),
        flush: () => this.#flush(),
      },
    );
    this.#process = new KernelProcess({
      table: this.#table,
      requests: this.#requests,
      sender: this.#sender,
      reattachment: this.#reattachment,
      listeners: this.#listeners,
      restart: () => this.#server.restart(kernelId),
      reopen: () => this.#link.reopen(),
      clearComms: () => this.#clearComms(),
      endOfUnsent: () => this.#endOfUnsent(),
      flush: () => this.#flush(),
    });
    const lostReplies = new LostReplies({
      requests: this.#requests,
      table: this.#table,
      socket: () => this.#sender.socket,
      afterRecovery: (record, work) => this.#reattachment.afterRecovery(record, work),
    });
    this.#delivery = new OutputDelivery({
      table: this.#table,
      comms: this.#comms,
      listeners: this.#listeners,
      lostReplies,
      interrupts: this.#interrupts,
    });
    this.#router = new MessageRouter(
      { kernelId, sessionId, table: this.#table, log },
      {
        onInternal: (message) => {
          this.#requests.handle(message);
          this.#comms.handle(message);
        },
        onExecution: (message) => this.#reattachment.handle(message),
        onUnclaimed: (message) => this.#reattachment.append(message),
        onForeign: (message) => this.#foreign.handle(message),
        onComm: (message) => {
          this.#listeners.emit("comm", message);
          this.#comms.handleReply(message);
        },
        onActivity: (activity) => this.#activity.report(activity),
        onPublished: (message) => this.#reattachment.notePublished(message),
        onDropped: (message) => this.#reattachment.noticeDrop(message, { type: "rateLimit" }),
        onRestarted: (by) => this.#process.replaced(by),
        onEnded: (end) => this.#link.end(end),
      },
    );
    this.#link = new KernelLink(
      {
        client,
        kernelId,
        sessionId,
        log,
        times: options.times,
        messageBytes: options.messageBytes,
        maxSentBytes: options.maxSentBytes,
        clock: options.clock,
        isRunning: () => this.pending.length > 0 && options.presence?.isPresent !== false,
      },
      {
        onState: (state) => this.#changeState(state),
        onOpen: () => this.#opened(),
        onMessages: (messages) => this.#take(messages),
        onLost: (reason) => this.#lost(reason),
      },
    );
    this.#idleRest =
      options.presence &&
      new IdleRest({
        presence: options.presence,
        isQuiet: () => this.#isQuiet(),
        rest: () => this.#link.rest(),
        wake: () => this.#link.wake(),
      });
    // Prevents an unhandled rejection if nobody calls `ready`.
    this.#ready.promise.catch(() => {});
    this.#link.retry();
  }

  get state(): ConnectionState {
    return this.#link.state;
  }

  get activity(): KernelActivity {
    return this.#activity.current;
  }

  get information(): KernelInformation | undefined {
    return this.#process.information;
  }

  get pending(): readonly Execution[] {
    return this.#table.pending;
  }

  get closed(): Promise<void> {
    return this.#link.closed.then(() => this.#table.finishWriting());
  }

  onState(listener: (state: ConnectionState) => void): Subscription {
    return this.#listeners.add("state", listener);
  }

  onKernel(listener: (event: KernelEvent) => void): Subscription {
    return this.#listeners.add("kernel", listener);
  }

  onComm(listener: (message: CommMessage) => void): Subscription {
    return this.#listeners.add("comm", listener);
  }

  onCommHandled(listener: (messageId: string) => void): Subscription {
    return this.#listeners.add("commHandled", listener);
  }

  onCapturedOutput(listener: (output: CapturedOutput) => void): Subscription {
    return this.#listeners.add("capturedOutput", listener);
  }

  onForeign(listener: (activity: ForeignActivity) => void | Promise<void>): Subscription {
    return this.#foreign.listen(listener);
  }

  ready(): Promise<KernelInformation> {
    return this.#ready.promise;
  }

  retry(): void {
    this.#link.retry();
  }

  execute(requests: readonly ExecutionRequest[]): Promise<readonly Execution[]> {
    this.#link.wake();
    return this.#sender.execute(requests);
  }

  async resume(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<readonly Execution[]> {
    this.#link.wake();
    const records = this.#table.claim(sinkFor);
    // Hold their messages from now on, because writing the journal takes time.
    this.#reattachment.hold(records);
    await this.#table.add(records);
    this.#reattachment.resume(records, this.state.type === "connected");
    if (this.state.type === "kernelDead") {
      this.#table.endPending({ keepsQueued: this.#process.isRestarting });
      await this.#flush();
    }
    return records;
  }

  async resumeLateOutput(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<void> {
    const records = this.#table.claim(sinkFor);
    for (const record of records) {
      record.hasOnlyLateOutput = true;
    }
    // Hold their messages meanwhile, because earlier ones wait already.
    this.#reattachment.hold(records);
    await this.#table.add(records);
    this.#reattachment.resumeLate(records, this.state.type === "connected");
    await this.#flush();
  }

  deleteExecutions(messageIds: readonly string[]): Promise<void> {
    return this.#table.delete(messageIds);
  }

  sendInputReply(messageId: string, value: string): void {
    this.#sender.sendInputReply(messageId, value);
  }

  interrupt(): Promise<void> {
    return this.#interrupts.interruptAll();
  }

  cancel(messageId: string): Promise<void> {
    return this.#interrupts.cancel(messageId);
  }

  async restart(): Promise<void> {
    await this.#process.restart();
    // Reconnects if the kernel had ended before.
    this.#link.retry();
  }

  sendComm(message: SentComm): string {
    this.#link.wake();
    return this.#comms.send(message);
  }

  request(channel: "shell" | "control", type: string, content: Fields): Promise<IncomingMessage> {
    this.#link.wake();
    return this.#requests.request(channel, type, content);
  }

  createSubshell(): Promise<string | undefined> {
    this.#link.wake();
    return this.#requests.createSubshell();
  }

  deleteSubshell(subshell: string): void {
    this.#requests.deleteSubshell(subshell);
  }

  dispose(): void {
    this.#idleRest?.dispose();
    this.#link.dispose();
    void this.#table.finishWriting();
    this.#requests.lose(connectionClosed);
    this.#ready.reject(new WordedError(connectionClosed));
  }

  /** True if nothing runs or waits, and the kernel has said so, unless there is no connection anyway. */
  #isQuiet(): boolean {
    const isIdle = this.state.type === "connected" ? this.activity === "idle" : this.state.type !== "connecting";
    return isIdle && this.pending.length === 0 && this.#requests.isQuiet && !this.#process.isRestarting;
  }

  /** The outcome of executions that can no longer be sent; undefined while they can. */
  #endOfUnsent(): ExecutionOutcome | undefined {
    switch (this.state.type) {
      case "kernelDead":
        return this.#process.isRestarting ? undefined : { type: "kernelEnded" };
      case "disposed":
        return { type: "dropped" };
      default:
        return undefined;
    }
  }

  #opened(): void {
    this.#reattachment.attach(this.#sender.open());
    this.#comms.flush();
  }

  #lost(reason: Text): void {
    this.#sender.lose();
    this.#reattachment.lose();
    this.#requests.lose(reason);
    this.#comms.lose();
    this.#activity.report("unknown");
  }

  #take(messages: readonly IncomingMessage[]): void | Promise<void> {
    this.#router.takeAll(messages);
    return this.#flush();
  }

  #flush(): void | Promise<void> {
    this.#table.noteDelivered(this.#reattachment.deliveredId);
    const own = this.#table.flush();
    const foreign = this.#foreign.flush();
    this.#idleRest?.check();
    return own === undefined && foreign === undefined ? undefined : Promise.all([own, foreign]).then(() => {});
  }

  #introduce(information: KernelInformation): void {
    this.#process.introduced(information);
    this.#ready.resolve(information);
  }

  #changeState(state: ConnectionState): void {
    if (state.type === "kernelDead") {
      this.#activity.report("dead");
      this.#process.ended(state.end);
    }
    this.#listeners.emit("state", state);
  }

  /** Discards all comms, because the kernel's process ended. */
  #clearComms(): void {
    this.#delivery.clear();
    this.#comms.drop();
  }
}

import type { Log } from "../../http/log.ts";
import { phrase, type Text } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { JournalEntry, KernelJournal } from "../executions/execution-journal.ts";
import { ExecutionRecord } from "../executions/execution-record.ts";
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
import { DroppedReplies } from "./dropped-replies.ts";
import { ExecutionInterrupts } from "./execution-interrupts.ts";
import { ExecutionSender } from "./execution-sender.ts";
import { ForeignActivities } from "./foreign-activity.ts";
import { KernelLink } from "./kernel-link.ts";
import { KernelRequests } from "./kernel-requests.ts";
import { MessageRouter } from "./message-router.ts";
import { OutputDelivery } from "./output-delivery.ts";
import { Reattachment } from "./reattachment.ts";

export { sourceHashOf } from "./execution-sender.ts";

const connectionClosed = phrase`The connection was closed.`;

/** The one implementation of KernelConnection: link, table of executions, gate and recovery put together. */
export class LiveKernelConnection implements KernelConnection {
  readonly kernelId: string;
  readonly #log: Log;
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
  #information: KernelInformation | undefined;
  #activity: KernelActivity = "unknown";
  #isRestarting = false;
  #isRestartAnnounced = false;

  constructor(options: KernelConnectionOptions, { sessionId, entries }: KernelJournal, log: Log) {
    const { kernelId, client } = options;
    this.kernelId = kernelId;
    this.#log = log;
    this.#listeners = new ConnectionListeners(kernelId, log);
    this.#server = new KernelServer(client);
    this.#table = new ExecutionTable(options.journal, { kernelId, sessionId, entries }, log);
    this.#requests = new KernelRequests(sessionId, (message) => this.#link.send(message));
    this.#comms = new CommTraffic(
      this.#requests,
      (message) => this.#link.send(message),
      (messageId) => this.#listeners.emit("commHandled", messageId),
    );
    this.#sender = new ExecutionSender({
      ...{ table: this.#table, requests: this.#requests },
      send: (message) => this.#link.send(message),
      end: () => this.#endOfUnsent(),
      flush: () => this.#flush(),
    });
    this.#interrupts = new ExecutionInterrupts({
      ...{ table: this.#table, log },
      interrupt: () => this.#server.interrupt(kernelId),
      flush: () => this.#flush(),
    });
    this.#gate = new OutputGate((message, isReplayed) =>
      this.#delivery.deliver(message, { isReplayed, isRecovered: isReplayed || this.#gate.isHolding }),
    );
    this.#reattachment = new Reattachment(
      { requests: this.#requests, table: this.#table, gate: this.#gate, recorder: options.recorder, log },
      {
        onInformation: (information) => this.#learn(information),
        onPrepared: (socket) => this.#sender.sendQueued(socket),
        flush: () => this.#flush(),
      },
    );
    const droppedReplies = new DroppedReplies({
      ...{ requests: this.#requests, table: this.#table },
      socket: () => this.#sender.socket,
      afterRecovery: (work) => this.#reattachment.afterRecovery(work),
    });
    this.#delivery = new OutputDelivery({
      ...{ table: this.#table, comms: this.#comms, listeners: this.#listeners },
      ...{ droppedReplies, interrupts: this.#interrupts },
    });
    this.#router = new MessageRouter(sessionId, this.#table, {
      onInternal: (message) => {
        this.#requests.take(message);
        this.#comms.take(message);
      },
      onExecution: (message) => this.#gate.take(message),
      onUnclaimed: (message) => this.#reattachment.keep(message),
      onForeign: (message) => this.#foreign.take(message),
      onComm: (message) => this.#listeners.emit("comm", message),
      onActivity: (activity) => this.#setActivity(activity),
      onDropped: (message) => this.#reattachment.noticeDrop(message),
      onRestarted: () => (this.#isRestarting ? undefined : this.#restarted(true)),
      onEnded: (end) => this.#link.end(end),
    });
    this.#link = new KernelLink(
      {
        ...{ client, kernelId, sessionId, log },
        ...(options.times === undefined ? {} : { times: options.times }),
        ...(options.messageBytes === undefined ? {} : { messageBytes: options.messageBytes }),
        ...(options.clock === undefined ? {} : { clock: options.clock }),
      },
      {
        onState: (state) => this.#changeState(state),
        onOpen: () => this.#opened(),
        onMessages: (messages) => this.#take(messages),
        onLost: ({ reason }) => this.#lost(reason),
      },
    );
    // Who does not ask for it is not bothered with its failure.
    this.#ready.promise.catch(() => {});
    this.#link.retry();
  }

  get state(): ConnectionState {
    return this.#link.state;
  }

  get activity(): KernelActivity {
    return this.#activity;
  }

  get information(): KernelInformation | undefined {
    return this.#information;
  }

  get pending(): readonly Execution[] {
    return this.#table.pending;
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
    return this.#sender.execute(requests);
  }

  async resume(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<readonly Execution[]> {
    const records = this.#table.claim().flatMap((entry) => {
      const sink = sinkFor(entry);
      return sink === undefined ? [] : [new ExecutionRecord(entry, sink)];
    });
    await this.#table.add(records);
    this.#reattachment.resume(records, this.state.type === "connected");
    if (this.state.type === "kernelDead") {
      this.#table.endPending({ keepsQueued: this.#isRestarting });
      await this.#flush();
    }
    return records;
  }

  forget(messageIds: readonly string[]): Promise<void> {
    return this.#table.forget(messageIds);
  }

  answerInput(messageId: string, value: string): void {
    this.#sender.answerInput(messageId, value);
  }

  interrupt(): Promise<void> {
    return this.#interrupts.interruptAll();
  }

  cancel(messageId: string): Promise<void> {
    return this.#interrupts.cancel(messageId);
  }

  async restart(): Promise<void> {
    this.#isRestarting = true;
    try {
      await this.#server.restart(this.kernelId);
      this.#restarted(false);
    } finally {
      this.#isRestarting = false;
    }
    // A kernel that had ended is there again.
    this.#link.retry();
  }

  sendComm(message: SentComm): string {
    return this.#comms.send(message);
  }

  request(channel: "shell" | "control", type: string, content: Fields): Promise<IncomingMessage> {
    return this.#requests.request(channel, type, content);
  }

  dispose(): void {
    this.#link.dispose();
    this.#requests.lose(connectionClosed);
    this.#ready.reject(new WordedError(connectionClosed));
  }

  /** How executions end that can no longer be sent. */
  #endOfUnsent(): ExecutionOutcome | undefined {
    switch (this.state.type) {
      case "kernelDead":
        return { type: "kernelEnded" };
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
    this.#setActivity("unknown");
  }

  #take(messages: readonly IncomingMessage[]): void | Promise<void> {
    for (const message of messages) {
      try {
        this.#router.take(message);
      } catch (error) {
        this.#log.warn(`kernel ${this.kernelId}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return this.#flush();
  }

  #flush(): void | Promise<void> {
    const own = this.#table.flush();
    const foreign = this.#foreign.flush();
    return own === undefined && foreign === undefined ? undefined : Promise.all([own, foreign]).then(() => {});
  }

  #learn(information: KernelInformation): void {
    this.#isRestartAnnounced = false;
    this.#information = information;
    this.#ready.resolve(information);
  }

  /** The server, the kernel that ends and the answer to the request all tell of one restart. */
  #restarted(isAutomatic: boolean): void {
    const running = this.#table.endPending({ keepsQueued: this.#isRestarting });
    this.#requests.lose(phrase`The kernel was restarted.`);
    this.#forgetComms();
    if (!this.#isRestartAnnounced || running.length > 0) {
      this.#isRestartAnnounced = true;
      this.#listeners.emit("kernel", { type: "restarted", isAutomatic, running });
    }
    this.#sender.restart();
    this.#reattachment.restart(this.#sender.socket);
    void this.#flush();
  }

  #changeState(state: ConnectionState): void {
    if (state.type === "kernelDead") {
      this.#reattachment.abandon();
      const running = this.#table.endPending({ keepsQueued: this.#isRestarting });
      this.#requests.lose(phrase`The kernel ended.`);
      this.#forgetComms();
      this.#table.removeJournal();
      this.#setActivity("dead");
      this.#listeners.emit("kernel", { type: "ended", end: state.end, running });
      void this.#flush();
    }
    this.#listeners.emit("state", state);
  }

  /** The kernel's process is gone, and its comms with it. */
  #forgetComms(): void {
    this.#delivery.forget();
    this.#comms.drop();
  }

  #setActivity(activity: KernelActivity): void {
    if (this.#activity !== activity) {
      this.#activity = activity;
      this.#listeners.emit("kernel", { type: "activity", activity });
    }
  }
}

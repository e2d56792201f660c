import { createHash, randomUUID } from "node:crypto";
import type { Log } from "../../http/log.ts";
import type { JournalEntry, KernelJournal } from "../executions/execution-journal.ts";
import { ExecutionRecord } from "../executions/execution-record.ts";
import { ExecutionTable } from "../executions/execution-table.ts";
import type { Execution, ExecutionRequest, ExecutionSink, ForeignActivity } from "../executions/executions.ts";
import { KernelServer } from "../kernel-server.ts";
import type { KernelInformation } from "../models.ts";
import { type CapturedOutput, OutputCaptures } from "../recorder/output-captures.ts";
import { OutputGate } from "../recorder/output-gate.ts";
import type { Fields, IncomingMessage, OutgoingMessage } from "../wire/kernel-message.ts";
import { CommTraffic } from "./comm-traffic.ts";
import type { CommMessage, SentComm } from "./comms.ts";
import type { KernelConnection, KernelConnectionOptions, KernelEvent, Subscription } from "./connection.ts";
import type { ConnectionState, KernelActivity, KernelEnd } from "./connection-state.ts";
import { DroppedReplies } from "./dropped-replies.ts";
import { ForeignActivities } from "./foreign-activity.ts";
import { KernelLink } from "./kernel-link.ts";
import { KernelRequests } from "./kernel-requests.ts";
import { MessageRouter } from "./message-router.ts";
import { Reattachment } from "./reattachment.ts";

/** Milliseconds that executions wait at most until the kernel has introduced itself and its recorder is there. */
const longestPreparation = 3000;

/**
 * Milliseconds within which a kernel that has taken an execution runs its code. An interrupt before that would reach the kernel
 * itself, which then gives no answer.
 */
const codeBeginsWithin = 100;

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
  readonly #droppedReplies: DroppedReplies;
  readonly #foreign = new ForeignActivities();
  readonly #stateListeners = new Set<(state: ConnectionState) => void>();
  readonly #kernelListeners = new Set<(event: KernelEvent) => void>();
  readonly #commListeners = new Set<(message: CommMessage) => void>();
  readonly #handledListeners = new Set<(messageId: string) => void>();
  readonly #captureListeners = new Set<(output: CapturedOutput) => void>();
  readonly #captures = new OutputCaptures();
  readonly #comms: CommTraffic;
  readonly #ready = Promise.withResolvers<KernelInformation>();
  #information: KernelInformation | undefined;
  #activity: KernelActivity = "unknown";
  #socket = 0;
  /** The socket on which executions are sent as they come; 0 for none. */
  #sendingOn = 0;
  #isRestarting = false;
  #isRestartAnnounced = false;
  /** One call of `execute` is recorded and sent before the next. */
  #sending: Promise<unknown> = Promise.resolve();

  constructor(options: KernelConnectionOptions, { sessionId, entries }: KernelJournal, log: Log) {
    const { kernelId, client } = options;
    this.kernelId = kernelId;
    this.#log = log;
    this.#server = new KernelServer(client);
    this.#table = new ExecutionTable(options.journal, { kernelId, sessionId, entries }, log);
    this.#requests = new KernelRequests(sessionId, (message) => this.#link.send(message));
    this.#comms = new CommTraffic(
      this.#requests,
      (message) => this.#link.send(message),
      (messageId) => this.#emit(this.#handledListeners, messageId),
    );
    this.#gate = new OutputGate((message, isReplayed) => this.#deliver(message, isReplayed));
    this.#reattachment = new Reattachment(
      { requests: this.#requests, table: this.#table, gate: this.#gate, recorder: options.recorder, log },
      {
        onInformation: (information) => this.#learn(information),
        onPrepared: (socket) => this.#sendQueued(socket),
        flush: () => this.#flush(),
      },
    );
    this.#droppedReplies = new DroppedReplies({
      ...{ requests: this.#requests, table: this.#table },
      socket: () => this.#socket,
      afterRecovery: (work) => this.#reattachment.afterRecovery(work),
    });
    this.#router = new MessageRouter(sessionId, this.#table, {
      onInternal: (message) => {
        this.#requests.take(message);
        this.#comms.take(message);
      },
      onExecution: (message) => this.#gate.take(message),
      onUnclaimed: (message) => this.#reattachment.keep(message),
      onForeign: (message) => this.#foreign.take(message),
      onComm: (message) => this.#emit(this.#commListeners, message),
      onActivity: (activity) => this.#setActivity(activity),
      onDropped: (message) => this.#reattachment.noticeDrop(message),
      onRestarted: () => (this.#isRestarting ? undefined : this.#restarted(true)),
      onEnded: (end) => this.#ended(end),
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
    return subscribed(this.#stateListeners, listener);
  }

  onKernel(listener: (event: KernelEvent) => void): Subscription {
    return subscribed(this.#kernelListeners, listener);
  }

  onComm(listener: (message: CommMessage) => void): Subscription {
    return subscribed(this.#commListeners, listener);
  }

  onCommHandled(listener: (messageId: string) => void): Subscription {
    return subscribed(this.#handledListeners, listener);
  }

  onCapturedOutput(listener: (output: CapturedOutput) => void): Subscription {
    return subscribed(this.#captureListeners, listener);
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
    const send = async (): Promise<readonly Execution[]> => {
      const records = requests.map(recordOf);
      await this.#table.add(records);
      const end =
        this.state.type === "kernelDead" ? "kernelEnded" : this.state.type === "disposed" ? "dropped" : undefined;
      for (const record of records) {
        record.isWrittenDown = true;
        if (end === undefined) {
          this.#send(record);
        } else {
          this.#table.end(record, { type: end });
          void this.#flush();
        }
      }
      return records;
    };
    const sending = this.#sending.then(send, send);
    this.#sending = sending.catch(() => {});
    return sending;
  }

  async resume(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<readonly Execution[]> {
    const records = this.#table.claim().flatMap((entry) => {
      const sink = sinkFor(entry);
      return sink === undefined ? [] : [new ExecutionRecord(entry, sink)];
    });
    await this.#table.add(records);
    this.#reattachment.resume(records, this.state.type === "connected");
    if (this.state.type === "kernelDead") {
      this.#endPending();
      await this.#flush();
    }
    return records;
  }

  forget(messageIds: readonly string[]): Promise<void> {
    return this.#table.forget(messageIds);
  }

  answerInput(messageId: string, value: string): void {
    const record = this.#table.get(messageId);
    const parentHeader = record?.inputHeader;
    if (record === undefined || parentHeader === undefined) {
      return;
    }
    const header = this.#requests.header("input_reply");
    if (this.#link.send({ channel: "stdin", header, parentHeader, content: { value, status: "ok" } })) {
      record.markAnswered(this.#socket);
    }
  }

  async interrupt(): Promise<void> {
    for (const record of this.#table.pending) {
      if (record.phase === "queued") {
        this.#table.end(record, { type: "dropped" });
      } else if (record.phase === "sent") {
        record.isUnwanted = true;
      }
    }
    await this.#flush();
    await this.#server.interrupt(this.kernelId);
  }

  async cancel(messageId: string): Promise<void> {
    const record = this.#table.get(messageId);
    switch (record?.phase) {
      case "queued":
        this.#table.end(record, { type: "dropped" });
        await this.#flush();
        break;
      case "sent":
        record.isUnwanted = true;
        break;
      case "running":
        await this.#server.interrupt(this.kernelId);
        break;
    }
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
    this.#requests.lose("the connection was closed");
    this.#ready.reject(new Error("the connection was closed"));
  }

  /** Sends it unless it was sent before, or may not be sent yet. */
  #send(record: ExecutionRecord): void {
    if (record.phase !== "queued" || !record.isWrittenDown || this.#sendingOn !== this.#socket) {
      return;
    }
    const content = {
      ...{ code: record.code ?? "", silent: false, store_history: true, user_expressions: {} },
      ...{ allow_stdin: true, stop_on_error: record.stopOnError },
    };
    const header = this.#requests.header("execute_request", record.entry.messageId);
    const { cellId } = record.entry;
    const message: OutgoingMessage = {
      ...{ channel: "shell", header, content },
      metadata: cellId === undefined ? {} : { cellId },
    };
    if (this.#link.send(message)) {
      record.markSent(this.#socket);
    }
  }

  #opened(): void {
    this.#socket += 1;
    const socket = this.#socket;
    this.#reattachment.attach(socket);
    this.#comms.flush();
    // A kernel that does not introduce itself may run cells all the same.
    setTimeout(() => this.#sendQueued(socket), longestPreparation).unref();
  }

  #sendQueued(socket: number): void {
    if (socket !== this.#socket || this.#sendingOn === socket) {
      return;
    }
    this.#sendingOn = socket;
    for (const record of this.#table.pending) {
      this.#send(record);
    }
  }

  #lost(reason: string): void {
    this.#sendingOn = 0;
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

  #deliver(message: IncomingMessage, isReplayed: boolean): void {
    const captured = this.#captures.take(message, isReplayed);
    if (captured === "noted") {
      return;
    }
    if (captured !== undefined && this.#captureListeners.size > 0) {
      this.#emit(this.#captureListeners, captured);
      return;
    }
    const cell = this.#table.get(this.#comms.cellOf(message) ?? "");
    const record = this.#table.recordOf(message) ?? cell ?? this.#table.latest;
    if (record === undefined) {
      return;
    }
    const before = record.phase;
    this.#table.take(record, message);
    if (!isReplayed && !this.#gate.isHolding) {
      this.#droppedReplies.notice(record, message);
    }
    if (record.isUnwanted && before !== "running" && record.phase === "running") {
      // It was interrupted while it was queued, and began all the same.
      setTimeout(() => this.#interruptUnwanted(record), codeBeginsWithin);
    }
    if (before !== "ended" && record.phase === "ended") {
      this.#dropQueueAfter(record);
    }
  }

  #interruptUnwanted({ phase }: ExecutionRecord): void {
    if (phase === "running") {
      this.#server.interrupt(this.kernelId).catch((error: unknown) => this.#log.warn(String(error)));
    }
  }

  /** What waits to be sent behind a failed execution is not sent, as the kernel does not run what it had got. */
  #dropQueueAfter(record: ExecutionRecord): void {
    void record.ended.then(({ type }) => {
      if (type === "error" && record.stopOnError) {
        for (const queued of this.#table.pending.filter(({ phase }) => phase === "queued")) {
          this.#table.end(queued, { type: "dropped" });
        }
        return this.#flush();
      }
      return undefined;
    });
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
    const running = this.#endPending();
    this.#requests.lose("the kernel was restarted");
    this.#forgetComms();
    if (!this.#isRestartAnnounced || running.length > 0) {
      this.#isRestartAnnounced = true;
      this.#emit(this.#kernelListeners, { type: "restarted", isAutomatic, running });
    }
    this.#sendingOn = 0;
    this.#reattachment.restart(this.#socket);
    const socket = this.#socket;
    setTimeout(() => this.#sendQueued(socket), longestPreparation).unref();
    void this.#flush();
  }

  #ended(end: KernelEnd): void {
    this.#link.end(end);
  }

  #changeState(state: ConnectionState): void {
    if (state.type === "kernelDead") {
      this.#reattachment.abandon();
      const running = this.#endPending();
      this.#requests.lose("the kernel ended");
      this.#forgetComms();
      this.#table.removeJournal();
      this.#setActivity("dead");
      this.#emit(this.#kernelListeners, { type: "ended", end: state.end, running });
      void this.#flush();
    }
    this.#emit(this.#stateListeners, state);
  }

  /** The kernel's process is gone, and its comms with it. */
  #forgetComms(): void {
    this.#captures.clear();
    this.#comms.drop();
  }

  /** Ends what is pending with the kernel; gives what it had been sent. */
  #endPending(): readonly JournalEntry[] {
    const pending = this.#table.pending;
    const sent = pending.filter(({ phase }) => phase !== "queued").map(({ entry }) => entry);
    for (const record of pending) {
      if (record.phase === "queued" && this.#isRestarting) {
        continue;
      }
      this.#table.end(record, { type: record.phase === "queued" ? "dropped" : "kernelEnded" });
    }
    return sent;
  }

  #setActivity(activity: KernelActivity): void {
    if (this.#activity !== activity) {
      this.#activity = activity;
      this.#emit(this.#kernelListeners, { type: "activity", activity });
    }
  }

  #emit<T>(listeners: ReadonlySet<(value: T) => void>, value: T): void {
    for (const listener of listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#log.error(`a listener of kernel ${this.kernelId} failed: ${String(error)}`);
      }
    }
  }
}

function subscribed<T>(listeners: Set<T>, listener: T): Subscription {
  listeners.add(listener);
  return { dispose: () => listeners.delete(listener) };
}

function recordOf({ code, cellId, cellIndex, stopOnError = true, sink }: ExecutionRequest): ExecutionRecord {
  const entry: JournalEntry = {
    ...{ messageId: randomUUID(), cellId, cellIndex, sourceHash: sourceHashOf(code) },
    ...{ sentAt: Date.now(), isFinished: false },
  };
  return new ExecutionRecord(entry, sink, { code, stopOnError });
}

/** The hash of a cell's source that a journal's entry has. */
export function sourceHashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

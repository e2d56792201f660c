import { createHash, randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../../clock.ts";
import type { Log } from "../../http/log.ts";
import { phrase } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { CommMessage, SentComm } from "../connection/comms.ts";
import type { KernelConnection, KernelConnectionOptions, KernelEvent, Subscription } from "../connection/connection.ts";
import type { ConnectionState, KernelActivity } from "../connection/connection-state.ts";
import type { ExecutionJournal, JournalEntry, KernelJournal } from "../executions/execution-journal.ts";
import type { Execution, ExecutionRequest, ExecutionSink, ForeignActivity } from "../executions/executions.ts";
import { KernelServer } from "../kernel-server.ts";
import type { KernelInformation } from "../models.ts";
import type { CallResult, Effect, JournalWrite } from "../protocol/effect.ts";
import type { ExecutionView } from "../protocol/execution.ts";
import type { Input, SubmittedExecution } from "../protocol/input.ts";
import { KernelProtocol } from "../protocol/kernel-protocol.ts";
import type { CapturedOutput } from "../recorder/output-captures.ts";
import type { Fields, IncomingMessage } from "../wire/kernel-message.ts";
import { ConnectionListeners } from "./connection-listeners.ts";
import { KernelSockets } from "./kernel-sockets.ts";
import { Sinks } from "./sinks.ts";

interface WaitingCall {
  resolve(result: CallResult): void;
  reject(error: Error): void;
}

/**
 * Implements KernelConnection: tells the kernel's protocol what happens, and performs its effects. Has no rules of its
 * own, and no state other than handles of what runs: timers, requests, sockets, and the promises of callers.
 */
export class KernelDriver implements KernelConnection {
  readonly kernelId: string;
  readonly #options: KernelConnectionOptions;
  readonly #protocol: KernelProtocol;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #server: KernelServer;
  readonly #sockets: KernelSockets;
  readonly #listeners: ConnectionListeners;
  readonly #sinks: Sinks;
  readonly #timers = new Map<number, () => void>();
  readonly #calls = new Map<number, WaitingCall>();
  #lastCall = 0;
  readonly #ready = Promise.withResolvers<KernelInformation>();
  readonly #presence: Subscription | undefined;
  /** Set while reading from the socket is paused. */
  #pause: PromiseWithResolvers<void> | undefined;
  /** Effects that wait until those before them were performed; undefined if none is being performed. */
  #effects: Effect[] | undefined;

  constructor(options: KernelConnectionOptions, journal: KernelJournal, log: Log) {
    const { kernelId, client, clock = systemClock, presence, recorder, times, maxSentBytes, messageBytes } = options;
    const { sessionId } = journal;
    this.kernelId = kernelId;
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    this.#server = new KernelServer(client);
    this.#listeners = new ConnectionListeners(kernelId, log);
    this.#sinks = new Sinks(log);
    this.#sockets = new KernelSockets(
      { client, kernelId, sessionId, times, messageBytes, log },
      {
        onInput: (input) => void this.#handle(input),
        onMessages: (socket, messages) => this.#takeMessages(socket, messages),
      },
    );
    const instance = randomUUID();
    const random = (): number => Math.random();
    this.#protocol = new KernelProtocol(
      { kernelId, journal, instance, random, recorder, times, maxSentBytes },
      clock.now(),
    );
    // Prevents an unhandled rejection if nobody calls `ready`.
    this.#ready.promise.catch(() => {});
    const notePresence = (): void => {
      this.#handle({ type: "presence", isPresent: presence?.isPresent !== false });
    };
    this.#presence = presence?.onChange(notePresence);
    notePresence();
    this.#handle({ type: "retry" });
  }

  get state(): ConnectionState {
    return this.#protocol.state;
  }

  get activity(): KernelActivity {
    return this.#protocol.activity;
  }

  get information(): KernelInformation | undefined {
    return this.#protocol.information;
  }

  get pending(): readonly Execution[] {
    return this.#protocol.pending.map((view) => this.#executionOf(view));
  }

  get closed(): Promise<void> {
    return this.#sockets.closed.then(() => this.#callDone((call) => ({ type: "finishWriting", call })));
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
    const subscription = this.#listeners.add("capturedOutput", listener);
    return this.#listening(() => subscription.dispose());
  }

  onForeign(listener: (activity: ForeignActivity) => void | Promise<void>): Subscription {
    return this.#listening(this.#sinks.listenToForeign(listener));
  }

  ready(): Promise<KernelInformation> {
    return this.#ready.promise;
  }

  retry(): void {
    this.#handle({ type: "retry" });
  }

  async execute(requests: readonly ExecutionRequest[]): Promise<readonly Execution[]> {
    const run = randomUUID();
    const executions = requests.map((request) => this.#submitted(request, run));
    const ids = executions.map(({ entry }) => entry.messageId);
    return await this.#callExecutions(ids, (call) => ({ type: "execute", call, executions }));
  }

  async resume(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<readonly Execution[]> {
    return await this.#resume(sinkFor, false);
  }

  async resumeLateOutput(sinkFor: (entry: JournalEntry) => ExecutionSink | undefined): Promise<void> {
    await this.#resume(sinkFor, true);
  }

  async deleteExecutions(messageIds: readonly string[]): Promise<void> {
    await this.#callDone((call) => ({ type: "deleteExecutions", call, messageIds }));
  }

  sendInputReply(messageId: string, value: string): void {
    this.#handle({ type: "inputReply", messageId, value });
  }

  async interrupt(): Promise<void> {
    await this.#callDone((call) => ({ type: "interrupt", call }));
  }

  async cancel(messageId: string): Promise<void> {
    await this.#callDone((call) => ({ type: "cancel", call, messageId }));
  }

  async restart(): Promise<void> {
    await this.#callDone((call) => ({ type: "restart", call }));
  }

  sendComm(comm: SentComm): string {
    this.#lastCall += 1;
    const call = this.#lastCall;
    const effects = this.#handle({ type: "comm", call, comm });
    const settled = effects.find((effect) => effect.type === "settle" && effect.call === call);
    if (settled?.type !== "settle" || settled.result.type !== "sent") {
      throw settled?.type === "settle" && settled.result.type === "failed" ? settled.result.error : unexpected();
    }
    return settled.result.messageId;
  }

  async request(channel: "shell" | "control", requestType: string, content: Fields): Promise<IncomingMessage> {
    const result = await this.#call((call) => ({ type: "request", call, channel, requestType, content }));
    if (result.type !== "reply") {
      throw unexpected();
    }
    return result.reply;
  }

  async createSubshell(): Promise<string | undefined> {
    const result = await this.#call((call) => ({ type: "createSubshell", call }));
    if (result.type !== "subshell") {
      throw unexpected();
    }
    return result.id;
  }

  deleteSubshell(subshell: string): void {
    this.#handle({ type: "deleteSubshell", subshell });
  }

  dispose(): void {
    this.#presence?.dispose();
    this.#handle({ type: "dispose" });
    this.#sockets.dispose();
    this.#ready.reject(new WordedError(phrase`The connection was closed.`));
  }

  async #resume(
    sinkFor: (entry: JournalEntry) => ExecutionSink | undefined,
    late: boolean,
  ): Promise<readonly Execution[]> {
    const sinks = new Map<string, ExecutionSink>();
    const running: string[] = [];
    for (const entry of this.#protocol.unclaimed.toReversed()) {
      const sink = sinkFor(entry);
      if (sink !== undefined) {
        sinks.set(entry.messageId, sink);
        running.push(...(entry.isFinished ? [] : [entry.messageId]));
      }
    }
    return await this.#callExecutions(running, (call) => ({ type: "resume", call, sinks, late }));
  }

  #submitted({ code, cellId, cellIndex, stopOnError = true, sink }: ExecutionRequest, run: string): SubmittedExecution {
    const messageId = randomUUID();
    const sourceHash = sourceHashOf(code);
    const entry: JournalEntry = {
      messageId,
      cellId,
      cellIndex,
      sourceHash,
      sentAt: this.#clock.now(),
      isFinished: false,
    };
    return { entry, code, stopOnError, run, sink };
  }

  /** Reading from the socket pauses until the sinks have received the messages' events. */
  #takeMessages(socket: number, messages: readonly IncomingMessage[]): Promise<void> | undefined {
    this.#handle({ type: "messages", socket, messages });
    if (!this.#protocol.isPaused) {
      return undefined;
    }
    this.#pause ??= Promise.withResolvers();
    return this.#pause.promise;
  }

  /** Tells the protocol what has happened, and performs the effects. */
  #handle(input: Input): readonly Effect[] {
    const effects = this.#protocol.handle(input, this.#clock.now());
    if (this.#effects !== undefined) {
      // A listener or a sink has caused the input. The effects before come first.
      this.#effects.push(...effects);
      return effects;
    }
    if (effects.length === 0) {
      return effects;
    }
    const performed = [...effects];
    this.#effects = performed;
    // Includes the effects that are added meanwhile.
    for (const effect of performed) {
      this.#perform(effect);
    }
    this.#effects = undefined;
    return effects;
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case "checkKernel":
        this.#sockets.check(effect.check);
        break;
      case "openSocket":
        this.#sockets.open(effect.socket);
        break;
      case "abort":
        this.#sockets.abort(effect);
        break;
      case "send":
        this.#sockets.send(effect.socket, effect.data);
        break;
      case "ping":
        this.#sockets.ping(effect.socket);
        break;
      case "closeSocket":
        this.#sockets.close(effect.socket, effect.reason);
        break;
      case "setTimer":
        this.#setTimer(effect.timer, effect.delayMs);
        break;
      case "cancelTimer":
        this.#timers.get(effect.timer)?.();
        this.#timers.delete(effect.timer);
        break;
      case "post":
        this.#post(effect.post, effect.operation);
        break;
      case "writeJournal":
        this.#report(writeJournal(this.#options.journal, this.kernelId, effect.write), (error) => ({
          type: "journalWritten",
          error,
        }));
        break;
      case "deliver":
        this.#deliver(effect);
        break;
      case "emit":
        this.#emit(effect);
        break;
      case "settle":
        this.#settle(effect.call, effect.result);
        break;
      case "log":
        this.#log[effect.level](effect.text);
        break;
    }
  }

  #setTimer(timer: number, delayMs: number): void {
    const cancel = this.#clock.schedule(delayMs, () => {
      this.#timers.delete(timer);
      this.#handle({ type: "timer", timer, bytesReceived: this.#sockets.bytesReceived });
    });
    this.#timers.set(timer, cancel);
  }

  #post(post: number, operation: "interrupt" | "restart"): void {
    this.#report(this.#server[operation](this.kernelId), (error) => ({ type: "posted", post, error }));
  }

  /** Tells the protocol how work has ended. */
  #report(work: Promise<void>, inputOf: (error: Error | undefined) => Input): void {
    work.then(
      () => void this.#handle(inputOf(undefined)),
      (error: unknown) => void this.#handle(inputOf(error instanceof Error ? error : new Error(String(error)))),
    );
  }

  #emit({ event }: Extract<Effect, { readonly type: "emit" }>): void {
    switch (event.name) {
      case "state":
        this.#listeners.emit("state", event.value);
        break;
      case "kernel":
        this.#listeners.emit("kernel", event.value);
        break;
      case "comm":
        this.#listeners.emit("comm", event.value);
        break;
      case "commHandled":
        this.#listeners.emit("commHandled", event.value);
        break;
      case "capturedOutput":
        this.#listeners.emit("capturedOutput", event.value);
        break;
      case "information":
        this.#ready.resolve(event.value);
        break;
    }
  }

  #deliver(effect: Extract<Effect, { readonly type: "deliver" }>): void {
    const delivery = this.#sinks.deliver(effect);
    if (delivery === undefined) {
      this.#delivered();
    } else {
      void delivery.then(() => this.#delivered());
    }
  }

  #delivered(): void {
    this.#handle({ type: "delivered" });
    if (!this.#protocol.isPaused) {
      this.#pause?.resolve();
      this.#pause = undefined;
    }
  }

  #listening(end: () => void): Subscription {
    const tell = (): void => {
      const capturedOutput = this.#listeners.has("capturedOutput");
      this.#handle({ type: "listening", foreign: this.#sinks.hasForeignListener, capturedOutput });
    };
    tell();
    return {
      dispose: () => {
        end();
        tell();
      },
    };
  }

  #call(inputOf: (call: number) => Input): Promise<CallResult> {
    this.#lastCall += 1;
    const call = this.#lastCall;
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { resolve, reject });
      this.#handle(inputOf(call));
    });
  }

  async #callDone(inputOf: (call: number) => Input): Promise<void> {
    await this.#call(inputOf);
  }

  /** `running`: message ids of the executions that have not ended. */
  async #callExecutions(running: readonly string[], inputOf: (call: number) => Input): Promise<readonly Execution[]> {
    this.#sinks.expectEnds(running);
    try {
      const result = await this.#call(inputOf);
      if (result.type !== "executions") {
        throw unexpected();
      }
      return result.executions.map((view) => this.#executionOf(view));
    } catch (error) {
      this.#sinks.cancelEnds(running);
      throw error;
    }
  }

  #settle(call: number, result: CallResult): void {
    const waiting = this.#calls.get(call);
    this.#calls.delete(call);
    if (result.type === "failed") {
      waiting?.reject(result.error);
    } else {
      waiting?.resolve(result);
    }
  }

  #executionOf(view: ExecutionView): Execution {
    const sinks = this.#sinks;
    return {
      get entry() {
        return view.entry;
      },
      get phase() {
        return view.phase;
      },
      get outputBytes() {
        return view.outputBytes;
      },
      get ended() {
        return sinks.endOf(view.entry.messageId, view.outcome ?? { type: "unknown" });
      },
    };
  }
}

function unexpected(): Error {
  return new Error("the kernel's protocol settled a call with another result");
}

/** Performs a write of a kernel's journal. */
export function writeJournal(journal: ExecutionJournal, kernelId: string, write: JournalWrite): Promise<void> {
  switch (write.type) {
    case "replace":
      return journal.replace(kernelId, write.journal);
    case "append":
      return journal.append(kernelId, write.entries, write.deliveredId);
    case "remove":
      return journal.remove(kernelId);
  }
}

/** Hash of a cell's source, as in journal entries. */
export function sourceHashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

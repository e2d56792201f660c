import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../../clock.ts";
import type { Log } from "../../http/log.ts";
import { phrase } from "../../phrase.ts";
import { WordedError } from "../../worded-error.ts";
import type { KernelConnectionOptions, Subscription } from "../connection/connection.ts";
import type { ExecutionJournal, KernelJournal } from "../executions/execution-journal.ts";
import { KernelServer } from "../kernel-server.ts";
import type { KernelInformation } from "../models.ts";
import type { CallResult, Effect, JournalWrite } from "../protocol/effect.ts";
import type { Input } from "../protocol/input.ts";
import { KernelProtocol } from "../protocol/kernel-protocol.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { ConnectionListeners } from "./connection-listeners.ts";
import { KernelSockets } from "./kernel-sockets.ts";
import { Sinks } from "./sinks.ts";

interface WaitingCall {
  resolve(result: CallResult): void;
  reject(error: Error): void;
}

/** What a protocol shows, without its inputs. */
type ProtocolView = Pick<KernelProtocol, "state" | "activity" | "information" | "pending" | "unclaimed">;

/**
 * Tells the kernel's protocol what happens, and performs its effects. Has no rules of its own, and no state other than
 * handles of what runs: timers, requests, sockets, and the promises of callers.
 */
export class KernelDriver {
  readonly kernelId: string;
  readonly clock: Clock;
  readonly listeners: ConnectionListeners;
  readonly sinks: Sinks;
  readonly #options: KernelConnectionOptions;
  readonly #protocol: KernelProtocol;
  readonly #log: Log;
  readonly #server: KernelServer;
  readonly #sockets: KernelSockets;
  readonly #timers = new Map<number, () => void>();
  readonly #calls = new Map<number, WaitingCall>();
  #lastCall = 0;
  #awaitsPushesUntil = Number.NEGATIVE_INFINITY;
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
    this.clock = clock;
    this.#log = log;
    this.#server = new KernelServer(client);
    this.listeners = new ConnectionListeners(kernelId, log);
    this.sinks = new Sinks(log);
    this.#sockets = new KernelSockets(
      { client, kernelId, sessionId, times, messageBytes, log },
      {
        onInput: (input) => void this.handle(input),
        onMessages: (socket, messages) => this.#takeMessages(socket, messages),
        awaitsMessages: () => this.#protocol.awaitsMessages || this.clock.now() < this.#awaitsPushesUntil,
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
      this.handle({ type: "presence", isPresent: presence?.isPresent !== false });
    };
    this.#presence = presence?.onChange(notePresence);
    notePresence();
    this.handle({ type: "retry" });
  }

  get protocol(): ProtocolView {
    return this.#protocol;
  }

  /** Resolves when the socket has closed after `dispose`. */
  get closed(): Promise<void> {
    return this.#sockets.closed;
  }

  /** The kernel's first information. Rejects if the driver is disposed of before. */
  get ready(): Promise<KernelInformation> {
    return this.#ready.promise;
  }

  dispose(): void {
    this.#presence?.dispose();
    this.handle({ type: "dispose" });
    this.#sockets.dispose();
    this.#ready.reject(new WordedError(phrase`The connection was closed.`));
  }

  /** Acknowledges messages at once for a number of milliseconds. */
  awaitPushes(durationMs: number): void {
    this.#awaitsPushesUntil = this.clock.now() + durationMs;
  }

  /** Starts a call. Resolves with its result, or rejects with its error. */
  call(inputOf: (call: number) => Input): Promise<CallResult> {
    this.#lastCall += 1;
    const call = this.#lastCall;
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { resolve, reject });
      this.handle(inputOf(call));
    });
  }

  /** Performs a call that the protocol settles at once. Undefined if it doesn't. */
  callNow(inputOf: (call: number) => Input): CallResult | undefined {
    this.#lastCall += 1;
    const call = this.#lastCall;
    const settled = this.handle(inputOf(call)).find((effect) => effect.type === "settle" && effect.call === call);
    return settled?.type === "settle" ? settled.result : undefined;
  }

  /** Reading from the socket pauses until the sinks have received the messages' events. */
  #takeMessages(socket: number, messages: readonly IncomingMessage[]): Promise<void> | undefined {
    this.handle({ type: "messages", socket, messages });
    if (!this.#protocol.isPaused) {
      return undefined;
    }
    this.#pause ??= Promise.withResolvers();
    return this.#pause.promise;
  }

  /** Tells the protocol what has happened, and performs the effects. */
  handle(input: Input): readonly Effect[] {
    const effects = this.#protocol.handle(input, this.clock.now());
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
    const cancel = this.clock.schedule(delayMs, () => {
      this.#timers.delete(timer);
      this.handle({ type: "timer", timer, bytesReceived: this.#sockets.bytesReceived });
    });
    this.#timers.set(timer, cancel);
  }

  #post(post: number, operation: "interrupt" | "restart"): void {
    this.#report(this.#server[operation](this.kernelId), (error) => ({ type: "posted", post, error }));
  }

  /** Tells the protocol how work has ended. */
  #report(work: Promise<void>, inputOf: (error: Error | undefined) => Input): void {
    work.then(
      () => void this.handle(inputOf(undefined)),
      (error: unknown) => void this.handle(inputOf(error instanceof Error ? error : new Error(String(error)))),
    );
  }

  #emit({ event }: Extract<Effect, { readonly type: "emit" }>): void {
    switch (event.name) {
      case "state":
        this.listeners.emit("state", event.value);
        break;
      case "kernel":
        this.listeners.emit("kernel", event.value);
        break;
      case "comm":
        this.listeners.emit("comm", event.value);
        break;
      case "commHandled":
        this.listeners.emit("commHandled", event.value);
        break;
      case "capturedOutput":
        this.listeners.emit("capturedOutput", event.value);
        break;
      case "push":
        this.listeners.emit("push", event.value);
        break;
      case "debugEvent":
        this.listeners.emit("debugEvent", event.value);
        break;
      case "information":
        this.#ready.resolve(event.value);
        break;
    }
  }

  #deliver(effect: Extract<Effect, { readonly type: "deliver" }>): void {
    const delivery = this.sinks.deliver(effect);
    if (delivery === undefined) {
      this.#delivered();
    } else {
      void delivery.then(() => this.#delivered());
    }
  }

  #delivered(): void {
    this.handle({ type: "delivered" });
    if (!this.#protocol.isPaused) {
      this.#pause?.resolve();
      this.#pause = undefined;
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

// A window: the machine under test, and a driver that performs its effects against the model.
import type { ExecutionSink } from "../../src/api/kernels/executions/executions.ts";
import type { Delivery, Effect } from "../../src/api/kernels/protocol/effect.ts";
import type { Input, KernelCheck, SocketRefusal } from "../../src/api/kernels/protocol/input.ts";
import { KernelProtocol, type ProtocolOptions } from "../../src/api/kernels/protocol/kernel-protocol.ts";
import type { IncomingMessage, OutgoingMessage } from "../../src/api/kernels/wire/kernel-message.ts";
import type { Obstacle } from "../../src/api/obstacle.ts";
import { BrokenInvariant } from "./failure.ts";
import type { ClientSocket, RestResult } from "./model/gateway.ts";
import { programText, type Step } from "./model/program.ts";
import { internalPrefix } from "./model/recorder-model.ts";
import type { Timer } from "./model/virtual-clock.ts";
import { ShownCell } from "./shown-cell.ts";
import type { MakeWindow, Window, WindowParts } from "./window.ts";

const handshakeMs = 60_000;
const maxJournalMs = 5;
/** A user answers a question within this time. */
const maxAnswerMs = 2000;
const reason = "the model says so";

/** Creates a machine. Tests of the simulation itself replace it with one that has a fault. */
export type MakeProtocol = (options: ProtocolOptions, now: number) => KernelProtocol;

/** Opens windows with the machine, or with one that has a fault. */
export function windowsOf(make: MakeProtocol = (options, now) => new KernelProtocol(options, now)): MakeWindow {
  return (parts) => new SimulatedWindow(parts, make);
}

interface OpenSocket {
  readonly number: number;
  readonly socket: ClientSocket;
  isOpen: boolean;
}

class SimulatedWindow implements Window {
  readonly #parts: WindowParts;
  readonly #protocol: KernelProtocol;
  /** By message id, in the order of their runs. */
  readonly cells = new Map<string, ShownCell>();
  readonly sent = new Set<string>();
  /** Ids of the requests that install the recorder. */
  readonly #installations = new Set<string>();
  readonly #replied = new Set<string>();
  readonly #idle = new Set<string>();
  /** True once the window has learned that the kernel has a recorder. */
  #knowsRecorder = false;
  readonly #timers = new Map<number, Timer>();
  readonly #calls = new Map<number, string>();
  #callCount = 0;
  #runCount = 0;
  #socket: OpenSocket | undefined;
  #bytesReceived = 0;
  readonly #effects: Effect[] = [];
  #isPerforming = false;
  #isDelivering = false;
  /** Messages that arrived while the last ones were delivered. */
  #arrived: { readonly socket: number; readonly messages: IncomingMessage[] } | undefined;
  #asleepUntil = 0;
  #isClosing = false;
  /** The call that waits until everything is written. */
  #lastCall: number | undefined;
  #isGone = false;

  constructor(parts: WindowParts, make: MakeProtocol) {
    this.#parts = parts;
    const { clock, random, journal, recorder, instance } = parts;
    this.#protocol = make(
      {
        kernelId: "kernel",
        journal: journal.journal,
        instance,
        random: () => random.next(),
        recorder,
      },
      clock.now,
    );
    this.input({ type: "retry" });
  }

  get pending(): number {
    return this.#protocol.pending.length;
  }

  get awaitsMessages(): boolean {
    return this.#protocol.awaitsMessages;
  }

  get sizes(): Readonly<Record<string, number>> {
    return this.#protocol.sizes;
  }

  /** What the caller still waits for. */
  get openCalls(): readonly string[] {
    return [...this.#calls.values()];
  }

  run(programs: readonly (readonly Step[])[]): void {
    this.#runCount += 1;
    const run = `${this.#parts.instance}-run-${this.#runCount}`;
    const executions = programs.map((steps, index) => {
      const messageId = `${run}-${index}`;
      const cell = new ShownCell(messageId);
      cell.hasRecorder = this.#knowsRecorder && this.#parts.hasRecorder();
      this.cells.set(messageId, cell);
      const entry = {
        messageId,
        cellId: messageId,
        cellIndex: index,
        sourceHash: "",
        sentAt: this.#parts.clock.now,
        isFinished: false,
      };
      return { entry, code: programText(steps), stopOnError: true, run, sink: this.#sinkOf(cell) };
    });
    this.input({ type: "execute", call: this.#call("execute"), executions });
  }

  /** Shows the cells of an earlier window. They show the same as there, unless their editor was killed. */
  resume(earlier: ReadonlyMap<string, ShownCell>, isKilled: boolean): void {
    const { unclaimed } = this.#protocol;
    const sinks = new Map<string, ExecutionSink>();
    const hasMark = this.#parts.journal.journal.deliveredId !== undefined;
    const late = unclaimed.every(({ isFinished }) => isFinished);
    for (const { messageId, isFinished } of unclaimed) {
      const cell = ShownCell.reopened(messageId, earlier.get(messageId), { isKilled, hasMark });
      cell.isFinishedEarlier = isFinished;
      this.cells.set(messageId, cell);
      sinks.set(messageId, this.#sinkOf(cell));
    }
    if (sinks.size > 0) this.input({ type: "resume", call: this.#call("resume"), sinks, late });
  }

  interrupt(): void {
    this.input({ type: "interrupt", call: this.#call("interrupt") });
  }

  restart(): void {
    this.input({ type: "restart", call: this.#call("restart") });
  }

  cancelNewest(): void {
    const newest = this.#protocol.pending.at(-1);
    if (newest !== undefined) {
      this.input({ type: "cancel", call: this.#call("cancel"), messageId: newest.entry.messageId });
    }
  }

  retry(): void {
    this.input({ type: "retry" });
  }

  setPresent(isPresent: boolean): void {
    this.input({ type: "presence", isPresent });
  }

  /** Nothing happens in the window for this time. */
  sleep(milliseconds: number): void {
    this.#asleepUntil = Math.max(this.#asleepUntil, this.#parts.clock.now + milliseconds);
  }

  /** The window closes. What it writes is written. */
  close(): void {
    this.#isClosing = true;
    this.input({ type: "dispose" });
    this.#lastCall = this.#call("finishWriting");
    this.input({ type: "finishWriting", call: this.#lastCall });
  }

  /** The window's process ends at once. */
  kill(): void {
    this.#isGone = true;
    this.#socket?.socket.close();
  }

  input(input: Input): void {
    const { clock } = this.#parts;
    if (this.#isGone) return;
    if (clock.now < this.#asleepUntil) {
      clock.schedule(this.#asleepUntil - clock.now, () => this.input(input));
      return;
    }
    this.#effects.push(...this.#protocol.handle(input, clock.now));
    if (this.#isPerforming) return;
    this.#isPerforming = true;
    for (let effect = this.#effects.shift(); effect !== undefined; effect = this.#effects.shift()) {
      this.#perform(effect);
    }
    this.#isPerforming = false;
  }

  #call(name: string): number {
    this.#callCount += 1;
    this.#calls.set(this.#callCount, name);
    return this.#callCount;
  }

  #sinkOf(cell: ShownCell): ExecutionSink {
    return {
      onEvents: (events) => {
        cell.add(events);
        this.#parts.onChange(cell);
        for (const event of events) {
          if (event.type === "gap" && this.#isClosing) cell.isClosedEarly = true;
          if (event.type === "inputRequest") this.#answer(cell);
        }
      },
    };
  }

  #answer(cell: ShownCell): void {
    const { clock, random } = this.#parts;
    clock.schedule(random.next() * maxAnswerMs, () => {
      cell.isAsking = false;
      this.input({ type: "inputReply", messageId: cell.messageId, value: "yes" });
    });
  }

  #perform(effect: Effect): void {
    const { clock, random, gateway, journal } = this.#parts;
    switch (effect.type) {
      case "checkKernel":
        gateway.get((result) => this.input({ type: "kernelChecked", check: effect.check, result: checkOf(result) }));
        break;
      case "openSocket":
        this.#open(effect.socket);
        break;
      case "abort":
        if (effect.socket !== undefined && effect.socket === this.#socket?.number) this.#socket.socket.close();
        break;
      case "send": {
        const { header, channel } = effect.message;
        if (isInstallation(effect.message)) this.#installations.add(header.msg_id);
        if (channel === "shell" && header.msg_type === "execute_request" && !header.msg_id.startsWith(internalPrefix)) {
          if (this.sent.has(header.msg_id)) throw new BrokenInvariant("a cell is sent twice", header.msg_id);
          this.sent.add(header.msg_id);
        }
        if (effect.socket === this.#socket?.number) this.#socket.socket.send(effect.message);
        break;
      }
      case "ping": {
        const { socket } = this.#socket ?? {};
        clock.schedule(random.next() * 5, () => {
          if (socket?.isAnswering === true) this.#bytesReceived += 2;
        });
        break;
      }
      case "closeSocket":
        if (effect.socket === this.#socket?.number) {
          this.#socket.socket.close();
          this.#end(this.#socket);
        }
        break;
      case "setTimer":
        this.#timers.set(
          effect.timer,
          clock.schedule(effect.delayMs, () => {
            this.#timers.delete(effect.timer);
            const bytesReceived = this.#socket === undefined ? 0 : this.#bytesReceived;
            this.input({ type: "timer", timer: effect.timer, bytesReceived });
          }),
        );
        break;
      case "cancelTimer": {
        const timer = this.#timers.get(effect.timer);
        if (timer !== undefined) timer.work = undefined;
        this.#timers.delete(effect.timer);
        break;
      }
      case "post":
        gateway.post(effect.operation, (result) => {
          const error = result.type === "ok" ? undefined : new Error(result.type);
          this.input({ type: "posted", post: effect.post, error });
        });
        break;
      case "writeJournal":
        if (this.#lastCall !== undefined && !this.#calls.has(this.#lastCall)) {
          throw new BrokenInvariant("a closed window writes its journal", effect.write.type);
        }
        clock.schedule(random.next() * maxJournalMs, () => {
          if (this.#isGone) return;
          this.input({ type: "journalWritten", error: journal.write(effect.write) });
        });
        break;
      case "deliver":
        this.#deliver(effect.executions);
        break;
      case "settle":
        if (!this.#calls.delete(effect.call)) {
          throw new BrokenInvariant("a call is settled twice", String(effect.call));
        }
        break;
      case "log":
        if (effect.level === "error") throw new BrokenInvariant("an error is logged", effect.text);
        break;
      case "emit":
        break;
    }
  }

  #open(number: number): void {
    const { clock, gateway } = this.#parts;
    const { journal } = this.#parts.journal;
    this.#bytesReceived = 0;
    let timer: Timer | undefined;
    const refuse = (result: RestResult): void => {
      if (timer !== undefined) timer.work = undefined;
      if (this.#socket === opening && !opening.isOpen) {
        this.#socket = undefined;
        this.input({ type: "refused", socket: number, refusal: refusalOf(result) });
      }
    };
    const opening: OpenSocket = {
      number,
      isOpen: false,
      socket: gateway.open(journal.sessionId, {
        opened: () => {
          if (timer !== undefined) timer.work = undefined;
          if (this.#socket !== opening) return;
          opening.isOpen = true;
          this.input({ type: "opened", socket: number, protocol: "v1.kernel.websocket.jupyter.org" });
        },
        refused: refuse,
        messages: (messages) => this.#receive(opening, messages),
        ended: () => (opening.isOpen ? this.#end(opening) : refuse({ type: "failed" })),
      }),
    };
    this.#socket = opening;
    timer = clock.schedule(handshakeMs, () => {
      opening.socket.close();
      refuse({ type: "failed" });
    });
  }

  #end(socket: OpenSocket): void {
    if (this.#socket === socket) {
      this.#socket = undefined;
      this.#arrived = undefined;
    }
    // A later reply to them does not count.
    this.#installations.clear();
    this.input({ type: "closed", socket: socket.number, reason });
  }

  #receive(socket: OpenSocket, messages: readonly IncomingMessage[]): void {
    if (this.#socket !== socket) return;
    this.#bytesReceived += messages.length;
    for (const message of messages) this.#noteInstallation(message);
    if (this.#protocol.isPaused || this.#parts.clock.now < this.#asleepUntil || this.#arrived !== undefined) {
      this.#arrived ??= { socket: socket.number, messages: [] };
      this.#arrived.messages.push(...messages);
      if (!this.#protocol.isPaused) this.#takeArrivedLater();
    } else {
      this.#takeMessages(socket.number, messages);
    }
  }

  /** A request is finished when its reply and its idle status have arrived. */
  #noteInstallation({ channel, content, parentHeader }: IncomingMessage): void {
    const id = parentHeader?.msg_id ?? "";
    if (!this.#installations.has(id)) return;
    // An aborted one is sent again.
    if (channel === "shell" && content.status === "ok") this.#replied.add(id);
    else if (content.execution_state === "idle") this.#idle.add(id);
    this.#knowsRecorder ||= this.#replied.has(id) && this.#idle.has(id);
  }

  /** Reading from the socket pauses while sinks have not received the events of its messages. */
  #takeMessages(socket: number, messages: readonly IncomingMessage[]): void {
    this.input({ type: "messages", socket, messages });
  }

  #takeArrivedLater(): void {
    const { clock } = this.#parts;
    clock.schedule(Math.max(0, this.#asleepUntil - clock.now), () => this.#takeArrived());
  }

  #takeArrived(): void {
    const arrived = this.#arrived;
    if (arrived === undefined || this.#protocol.isPaused) return;
    this.#arrived = undefined;
    if (arrived.socket === this.#socket?.number) this.#takeMessages(arrived.socket, arrived.messages);
  }

  #deliver(executions: readonly Delivery[]): void {
    const { clock, random } = this.#parts;
    if (this.#isDelivering) throw new BrokenInvariant("there are two deliveries at a time", "");
    this.#isDelivering = true;
    for (const { batch, sink } of executions) {
      if (batch.deliver(sink) !== undefined) throw new Error("The model has no long texts.");
    }
    const done = (): void => {
      this.#isDelivering = false;
      this.input({ type: "delivered" });
      this.#takeArrived();
    };
    clock.schedule(random.chance(0.9) ? 0 : random.next() * 30, done);
  }
}

function isInstallation({ content }: OutgoingMessage): boolean {
  const expressions = content.user_expressions;
  return (
    typeof expressions === "object" &&
    expressions !== null &&
    "value" in expressions &&
    String(expressions.value).includes("install(")
  );
}

function checkOf(result: RestResult): KernelCheck {
  switch (result.type) {
    case "ok":
      return { type: "exists" };
    case "failed":
      return { type: "failed", obstacle: { type: "waiting", reason } };
    default:
      return { type: "obstacle", obstacle: obstacleOf(result.type) };
  }
}

function refusalOf(result: RestResult): SocketRefusal {
  return result.type === "gone" || result.type === "noRoute"
    ? { type: "unknownKernel" }
    : { type: "obstacle", obstacle: obstacleOf(result.type) };
}

function obstacleOf(type: RestResult["type"]): Obstacle {
  switch (type) {
    case "gone":
      return { type: "gone" };
    case "stopped":
      return { type: "serverStopped", reason };
    case "refused":
      return { type: "credentialRejected", reason };
    default:
      return { type: "waiting", reason };
  }
}

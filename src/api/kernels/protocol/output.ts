import { captureOf, OutputCaptures } from "../recorder/output-captures.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { RecentIds } from "../wire/recent-ids.ts";
import type { Agenda } from "./agenda.ts";
import type { Comms } from "./comms.ts";
import type { ExecutionRecord, ExecutionView } from "./execution/execution.ts";
import type { Executions } from "./execution/executions.ts";
import { HeldMessages, precedes } from "./recovery/held-messages.ts";

/** Maximum size of the held messages, in bytes. Beyond it, they are dropped and read from the recorder instead. */
const maxHeldBytes = 32 * 1024 * 1024;

/** What a message changed in an execution. `isRecovered`: the message comes from the recorder, not the socket. */
export interface Progress {
  readonly record: ExecutionRecord;
  readonly type: "began" | "idle" | "replied" | "ended";
  readonly isRecovered: boolean;
}

/** Whether new messages are passed on, or held back while older ones are read from the recorder. */
type Gate = { readonly type: "open" } | { readonly type: "held"; messages: IncomingMessage[]; bytes: number };

/** Passes each message of an execution on once, in order: to its execution, or to the widget that captures the output. */
export class Output {
  readonly #agenda: Agenda;
  readonly #executions: Executions;
  readonly #comms: Pick<Comms, "cellOf">;
  readonly #captures = new OutputCaptures();
  readonly #earlier: HeldMessages;
  readonly #recent = new RecentIds();
  #gate: Gate = { type: "open" };
  #hasOverflowed = false;
  /** Session of the process whose messages have an order; undefined until it is known. */
  #session: string | undefined;
  /** The delivered message that the kernel published last. */
  #last: { readonly number: number; readonly id: string; readonly session: string } | undefined;
  #progress: Progress[] = [];
  /** True if somebody listens to outputs that widgets capture. Otherwise, the cells show them. */
  hasCaptureListener = false;

  constructor(agenda: Agenda, executions: Executions, comms: Pick<Comms, "cellOf">) {
    this.#agenda = agenda;
    this.#executions = executions;
    this.#comms = comms;
    this.#earlier = new HeldMessages(agenda);
  }

  /** Number of messages that are held back, and of executions whose messages are. */
  get size(): number {
    return this.#earlier.size + (this.#gate.type === "held" ? this.#gate.messages.length + 1 : 0);
  }

  /** What has changed since the last call. */
  takeProgress(): readonly Progress[] {
    const progress = this.#progress;
    if (progress.length > 0) {
      this.#progress = [];
    }
    return progress;
  }

  /**
   * Takes a message of an execution whose cell is known, or output without an execution, which most likely belongs to
   * the latest one.
   */
  take(message: IncomingMessage): void {
    const record = this.#executions.recordOf(message) ?? this.#executions.latest;
    if (record === undefined ? this.#executions.unclaimed.length > 0 : this.#earlier.holds(record)) {
      this.takeUnclaimed(message);
    } else {
      this.#admit(message);
    }
  }

  /** Takes a message of an execution of an earlier window whose cell is not known yet. */
  takeUnclaimed(message: IncomingMessage): void {
    this.#admitAll(this.#earlier.append(message));
  }

  /** Holds the messages of executions of an earlier window until the recorder has been read. */
  holdEarlier(records: readonly ExecutionRecord[]): void {
    this.#earlier.hold(records);
  }

  /** Passes the messages of executions of an earlier window on. Drops those without an execution. */
  releaseEarlier(): void {
    this.#admitAll(this.#earlier.release());
  }

  #admitAll(messages: readonly IncomingMessage[]): void {
    for (const message of messages) {
      if ((this.#executions.recordOf(message) ?? this.#executions.latest) !== undefined) {
        this.#admit(message);
      }
    }
  }

  #admit(message: IncomingMessage): void {
    const gate = this.#gate;
    if (gate.type === "open") {
      this.pass(message);
      return;
    }
    gate.bytes += message.byteLength;
    if (gate.bytes > maxHeldBytes) {
      gate.messages = [];
      gate.bytes = 0;
      this.#hasOverflowed = true;
    } else {
      gate.messages.push(message);
    }
  }

  /**
   * Passes a message on unless it was passed on before. `isReplayed`: its execution is shown again from the beginning. A
   * message without an execution counts as not delivered, because a window may claim its execution a moment later.
   */
  pass(message: IncomingMessage, isReplayed = false): void {
    const id = message.header.msg_id;
    if (!this.#recent.add(id)) {
      return;
    }
    if (message.channel === "iopub") {
      this.#recent.addInOrder(id);
    }
    if (!this.#deliver(message, isReplayed)) {
      this.#recent.delete([id]);
      return;
    }
    const { publishedNumber, session } = message.header;
    const isOrdered = publishedNumber !== undefined && (this.#session ?? session) === session;
    if (isOrdered && publishedNumber > (this.#last?.number ?? 0)) {
      this.#last = { number: publishedNumber, id, session };
    }
  }

  /** Holds new messages back. */
  hold(): void {
    if (this.#gate.type === "open") {
      this.#gate = { type: "held", messages: [], bytes: 0 };
    }
  }

  /** Passes the held messages on, except for those that were read from the recorder meanwhile. */
  release(): void {
    const gate = this.#gate;
    if (gate.type === "held") {
      this.#gate = { type: "open" };
      for (const message of gate.messages) {
        this.pass(message);
      }
    }
  }

  /** True if held messages were dropped since the last call. */
  takeOverflow(): boolean {
    const hasOverflowed = this.#hasOverflowed;
    this.#hasOverflowed = false;
    return hasOverflowed;
  }

  hasDelivered(messageId: string): boolean {
    return this.#recent.has(messageId);
  }

  /** Id of the delivered message that the kernel published last. */
  get deliveredId(): string | undefined {
    return this.#last?.id;
  }

  /** True while new messages are held back. What is passed on meanwhile is older, and in order. */
  get isHolding(): boolean {
    return this.#gate.type === "held";
  }

  /** Passes on the held messages that the kernel published before this number. */
  releaseBefore(number: number | undefined): void {
    if (number === undefined) {
      return;
    }
    for (const message of this.#earlier.takeBefore(number)) {
      this.pass(message);
    }
    const gate = this.#gate;
    if (gate.type === "open") {
      return;
    }
    const older = gate.messages.filter((message) => precedes(message, number));
    if (older.length > 0) {
      gate.messages = gate.messages.filter((message) => !precedes(message, number));
      for (const message of older) {
        this.pass(message);
      }
    }
  }

  /** The id from which to read the recorder if output is missing from now on. */
  get mark(): string | undefined {
    return this.#recent.mark();
  }

  /** Allows messages to be delivered again. */
  deleteIds(ids: Iterable<string>): void {
    this.#recent.delete(ids);
  }

  /** Only the messages of this process have an order from now on: late ones of its predecessor don't count. */
  follow(session: string): void {
    this.#session = session;
    if (this.#last?.session !== session) {
      this.#last = undefined;
    }
  }

  /** Restarts the order of the published messages, because the kernel has a new recorder. */
  resetOrder(): void {
    this.#last = undefined;
  }

  /** Discards all captures, because the kernel's process ended. */
  clearCaptures(): void {
    this.#captures.clear();
  }

  /** Returns false if no execution is known that the message could belong to. */
  #deliver(message: IncomingMessage, isReplayed: boolean): boolean {
    const captured = this.#captures.handle(message, isReplayed);
    if (captured === "noted") {
      return true;
    }
    if (captured !== undefined && this.hasCaptureListener) {
      this.#agenda.add({ type: "emit", event: { name: "capturedOutput", value: captured } });
      return true;
    }
    const executions = this.#executions;
    const cell = executions.get(this.#comms.cellOf(message) ?? "");
    const record = executions.recordOf(message) ?? cell ?? executions.latest;
    if (record === undefined) {
      return false;
    }
    const before = record.phase;
    executions.handle(record, message);
    const isRecovered = isReplayed || this.#gate.type === "held";
    for (const type of progressOf(message, before, record.phase)) {
      this.#progress.push({ record, type, isRecovered });
    }
    return true;
  }
}

const noProgress: readonly Progress["type"][] = [];

function progressOf(
  message: IncomingMessage,
  before: ExecutionView["phase"],
  after: ExecutionView["phase"],
): readonly Progress["type"][] {
  const { msg_type } = message.header;
  if (msg_type !== "execute_reply" && msg_type !== "status" && before === after) {
    return noProgress;
  }
  const progress: Progress["type"][] = before !== after && after === "running" ? ["began"] : [];
  if (msg_type === "execute_reply") {
    progress.push("replied");
  } else if (msg_type === "status" && message.content.execution_state === "idle") {
    progress.push("idle");
  }
  return before !== "ended" && after === "ended" ? [...progress, "ended"] : progress;
}

/** True for a comm message that begins or ends the capture of an execution's output. */
export function isCapture(message: IncomingMessage): boolean {
  return captureOf(message) !== undefined;
}

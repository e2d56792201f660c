import { phrase } from "../../phrase.ts";
import { type Agenda, type Awaited, run } from "./agenda.ts";
import type { Comms } from "./comms.ts";
import type { CallResult } from "./effect.ts";
import { evaluatedText } from "./evaluation.ts";
import { ExecutionRecord } from "./execution/execution.ts";
import type { Executions } from "./execution/executions.ts";
import type { Call } from "./input.ts";
import type { KernelProcess } from "./kernel-process.ts";
import type { Link } from "./link.ts";
import type { Output } from "./output.ts";
import type { Recovery } from "./recovery/recovery.ts";
import { type KernelRequests, ReplyLostError } from "./requests.ts";
import type { Sending } from "./sending.ts";

interface CallsParts {
  readonly agenda: Agenda;
  readonly link: Link;
  readonly requests: KernelRequests;
  readonly comms: Comms;
  readonly executions: Executions;
  readonly output: Output;
  readonly sending: Sending;
  readonly recovery: Recovery;
  readonly process: KernelProcess;
}

/** Performs the calls of the connection's users, and settles each of them once. */
export class Calls {
  readonly #parts: CallsParts;
  /** The calls that wait for an interrupt, by the number of its request; undefined for an interrupt of our own. */
  readonly #interrupts = new Map<number, number | undefined>();

  constructor(parts: CallsParts) {
    this.#parts = parts;
  }

  /** Number of calls that wait for an interrupt. */
  get size(): number {
    return this.#interrupts.size;
  }

  take(input: Call): void {
    const { requests, executions, process } = this.#parts;
    const { call } = input;
    switch (input.type) {
      case "execute":
        this.#execute(input);
        break;
      case "resume":
        this.#resume(input);
        break;
      case "deleteExecutions":
        this.#settleDone(call, executions.delete(input.messageIds));
        break;
      case "interrupt":
        executions.dropQueued();
        for (const record of executions.pending) {
          record.markUnwanted();
        }
        this.#interrupts.set(process.interrupt(), call);
        break;
      case "cancel":
        this.#cancel(call, executions.get(input.messageId));
        break;
      case "restart":
        process.restart(call);
        break;
      case "comm":
        this.#settle(call, this.#sendComm(input));
        break;
      case "request": {
        const { channel, requestType, content, isSentOnce, buffers } = input;
        const options = { isSentOnce, ...(buffers === undefined ? {} : { buffers }) };
        const reply = requests.request(channel, requestType, content, options);
        this.#settleWith(call, reply, (message): CallResult => ({ type: "reply", reply: message }));
        break;
      }
      case "createSubshell":
        this.#settleWith(call, requests.startSubshell(), (id): CallResult => ({ type: "subshell", id }));
        break;
      case "evaluate":
        this.#evaluate(call, input.expression);
        break;
      case "finishWriting":
        this.#settleDone(call, executions.journal.finish());
        break;
    }
  }

  /** Interrupts an execution that began although it was interrupted or canceled before. */
  interruptUnwanted(messageId: string): void {
    const { executions, process } = this.#parts;
    if (executions.get(messageId)?.isUnwanted === true && !process.isRestarting) {
      this.#interrupts.set(process.interrupt(), undefined);
    }
  }

  /** Handles the server's response to an interrupt. Returns false if it belongs to something else. */
  posted(post: number, error: Error | undefined): boolean {
    if (!this.#interrupts.has(post)) {
      return false;
    }
    const call = this.#interrupts.get(post);
    this.#interrupts.delete(post);
    if (call !== undefined) {
      this.#settle(call, error === undefined ? { type: "done" } : { type: "failed", error });
    } else if (error !== undefined) {
      this.#parts.agenda.add({ type: "log", level: "warn", text: `the kernel wasn't interrupted: ${String(error)}` });
    }
    return true;
  }

  /** Stops waiting for interrupts, which were requested. */
  dispose(): void {
    for (const call of this.#interrupts.values()) {
      if (call !== undefined) {
        this.#settle(call, { type: "done" });
      }
    }
    this.#interrupts.clear();
  }

  #execute({ call, executions: submitted }: Extract<Call, { readonly type: "execute" }>): void {
    const { executions, process, sending } = this.#parts;
    const records = submitted.map(
      ({ entry, code, stopOnError, run, sink }) =>
        new ExecutionRecord(entry, sink, { request: { code, run }, stopOnError }),
    );
    this.#settleWith(call, executions.add(records), (): CallResult => {
      for (const record of records) {
        record.markJournaled();
      }
      const outcome = process.endOfUnsent;
      if (outcome === undefined) {
        sending.sendQueued();
      } else {
        for (const record of records) {
          executions.end(record, outcome);
        }
      }
      return { type: "executions", executions: records };
    });
  }

  #resume({ call, sinks, late }: Extract<Call, { readonly type: "resume" }>): void {
    const { executions, output, recovery, process, link } = this.#parts;
    const records = executions.claim(sinks, late);
    // Hold their messages from now on, because writing the journal takes time.
    output.holdEarlier(records);
    this.#settleWith(call, executions.add(records), (): CallResult => {
      const { type } = link.state;
      if (late) {
        recovery.resumeLate(records, type === "connected");
      } else {
        recovery.resume(records, type === "connected");
      }
      if (type === "kernelDead") {
        recovery.abandon();
        executions.endPending({ keepsQueued: process.isRestarting });
      }
      return { type: "executions", executions: records };
    });
  }

  #cancel(call: number, record: ExecutionRecord | undefined): void {
    const { executions, process } = this.#parts;
    if (record?.phase === "running") {
      this.#interrupts.set(process.interrupt(), call);
      return;
    }
    if (record?.phase === "queued") {
      executions.end(record, { type: "dropped" });
    }
    record?.markUnwanted();
    this.#settle(call, { type: "done" });
  }

  #evaluate(call: number, expression: string): void {
    const { agenda, process, requests } = this.#parts;
    if (process.information === undefined) {
      this.#settle(call, { type: "failed", error: new ReplyLostError(phrase`The kernel didn't reply.`) });
    } else {
      const evaluation = run(agenda, evaluatedText(requests, expression, process.information));
      this.#settleWith(call, evaluation, (text): CallResult => ({ type: "text", text }));
    }
  }

  #sendComm({ comm }: Extract<Call, { readonly type: "comm" }>): CallResult {
    try {
      return { type: "sent", messageId: this.#parts.comms.send(comm) };
    } catch (error) {
      return { type: "failed", error: asError(error) };
    }
  }

  #settle(call: number, result: CallResult): void {
    this.#parts.agenda.add({ type: "settle", call, result });
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
}

/** True for calls that need the kernel, so that a connection that rests connects again. */
export function needsKernel(call: Call): boolean {
  switch (call.type) {
    case "execute":
    case "comm":
    case "request":
    case "createSubshell":
    case "evaluate":
      return true;
    case "resume":
      return !call.late;
    default:
      return false;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

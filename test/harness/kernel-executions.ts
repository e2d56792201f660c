import { silentLog } from "../../src/api/http/log.ts";
import { writeJournal } from "../../src/api/kernels/driver/kernel-driver.ts";
import { Sinks } from "../../src/api/kernels/driver/sinks.ts";
import {
  type ExecutionJournal,
  type JournalEntry,
  noJournal,
} from "../../src/api/kernels/executions/execution-journal.ts";
import type { ExecutionOutcome, ExecutionSink } from "../../src/api/kernels/executions/executions.ts";
import { Agenda, type Awaited } from "../../src/api/kernels/protocol/agenda.ts";
import { ExecutionRecord } from "../../src/api/kernels/protocol/execution/execution.ts";
import { Executions } from "../../src/api/kernels/protocol/execution/executions.ts";
import type { IncomingMessage } from "../../src/api/kernels/wire/kernel-message.ts";

/** The executions of a kernel, whose effects are performed as the connection's driver does. */
export class KernelExecutions {
  readonly executions: Executions;
  readonly #agenda = new Agenda(Date.now());
  readonly #sinks = new Sinks(silentLog);
  readonly #journal: ExecutionJournal;
  readonly #kernelId: string;
  readonly #timers = new Map<number, NodeJS.Timeout>();

  constructor(journal: ExecutionJournal = noJournal, kernelId = "k", entries: readonly JournalEntry[] = []) {
    this.#journal = journal;
    this.#kernelId = kernelId;
    this.executions = new Executions(this.#agenda, kernelId, { sessionId: "s", entries });
  }

  /** Adds executions that were sent. */
  async add(records: readonly ExecutionRecord[]): Promise<void> {
    this.#sinks.expectEnds(records.map(({ entry }) => entry.messageId));
    await this.#result(this.executions.add(records));
    for (const record of records) {
      record.markJournaled();
      record.markSent(1);
    }
  }

  handle(record: ExecutionRecord, message: IncomingMessage): void {
    this.executions.handle(record, message);
    this.#perform();
  }

  end(record: ExecutionRecord, outcome: ExecutionOutcome): void {
    this.executions.end(record, outcome);
    this.#perform();
  }

  endOf({ entry }: ExecutionRecord): Promise<ExecutionOutcome> {
    return this.#sinks.endOf(entry.messageId, { type: "unknown" });
  }

  /** Delivers new events. Returns a promise if a sink does, until the sinks have received all events so far. */
  flush(): void | Promise<void> {
    const flushed = this.executions.deliveries.flushed();
    this.executions.deliver();
    this.#perform();
    return flushed.isPending ? this.#result(flushed) : undefined;
  }

  finishWriting(): Promise<void> {
    return this.#result(this.executions.journal.finish());
  }

  #result<T>(awaited: Awaited<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      awaited.onResult(resolve, reject);
      this.#perform();
    });
  }

  #perform(): void {
    this.#agenda.runDeferred();
    for (const effect of this.#agenda.takeEffects()) {
      if (effect.type === "writeJournal") {
        writeJournal(this.#journal, this.#kernelId, effect.write).then(
          () => this.#written(undefined),
          (error: unknown) => this.#written(new Error(String(error))),
        );
      } else if (effect.type === "deliver") {
        const delivery = this.#sinks.deliver(effect);
        if (delivery === undefined) this.executions.deliveries.delivered();
        else void delivery.then(() => this.#delivered());
      } else if (effect.type === "setTimer") {
        this.#timers.set(
          effect.timer,
          setTimeout(() => this.#writeNow(effect.timer), effect.delayMs),
        );
      } else if (effect.type === "cancelTimer") {
        clearTimeout(this.#timers.get(effect.timer));
      }
    }
  }

  #writeNow(timer: number): void {
    this.#agenda.takeTimer(timer);
    this.executions.journal.writeNow();
    this.#perform();
  }

  #written(error: Error | undefined): void {
    this.executions.journal.written(error);
    this.#perform();
  }

  #delivered(): void {
    this.executions.deliveries.delivered();
    this.executions.deliver();
    this.#perform();
  }
}

/** An execution of this window. */
export function executionOf(
  entry: Pick<JournalEntry, "messageId"> & Partial<JournalEntry>,
  sink: ExecutionSink,
  code: string = entry.messageId,
): ExecutionRecord {
  const whole = { cellId: undefined, cellIndex: 0, sourceHash: "", sentAt: 0, isFinished: false, ...entry };
  return new ExecutionRecord(whole, sink, { request: { code, run: "run" } });
}

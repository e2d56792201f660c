import type { RecorderPage } from "../../recorder/recorder.ts";
import { isBeginning } from "../../wire/message-events.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import type { PublishedSequence } from "./published-sequence.ts";

/**
 * Finds the executions of which the recorder has dropped messages that have not arrived, while it is read. Their numbers
 * can no longer show that, because what is read counts as arrived.
 */
export class RecorderCuts {
  readonly #executions: Executions;
  readonly #sequence: PublishedSequence;
  /** In sending order; undefined while nothing is missing. */
  #affected: readonly ExecutionRecord[] | undefined;
  /** Executions whose beginning was read after what is missing. */
  readonly #whole = new Set<ExecutionRecord>();
  /** True if the recorder has dropped messages before the next one. */
  #isAfterDrop = false;

  constructor(executions: Executions, sequence: PublishedSequence) {
    this.#executions = executions;
    this.#sequence = sequence;
  }

  /** Takes note of a page before its messages are passed on. */
  note({ dropped, messages }: RecorderPage): void {
    this.#isAfterDrop ||= dropped !== 0;
    for (const { message } of messages) {
      const { publishedNumber } = message.header;
      if (this.#isAfterDrop && publishedNumber !== undefined) {
        this.#isAfterDrop = false;
        if (this.#sequence.lacksBefore(publishedNumber)) {
          this.#affected ??= this.#executions.pending.filter(({ phase }) => phase !== "queued");
          this.#whole.clear();
        }
      }
      const record = isBeginning(message) ? this.#executions.recordOf(message) : undefined;
      if (record !== undefined) {
        this.#whole.add(record);
      }
    }
  }

  /** Reports what is missing, when everything was read. One that awaits its replay finds out itself. */
  report(): void {
    const affected = this.#affected ?? [];
    const firstWhole = affected.findIndex((record) => this.#whole.has(record));
    const cut = affected.slice(0, firstWhole < 0 ? affected.length : firstWhole);
    const reason = { type: "recorderFull", messages: undefined } as const;
    this.#executions.reportGap(
      cut.filter(({ awaitsReplay }) => !awaitsReplay),
      reason,
    );
  }
}

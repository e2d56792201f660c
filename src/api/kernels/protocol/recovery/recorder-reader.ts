import { phrase } from "../../../phrase.ts";
import type { KernelRecorder, RecordedMessage, RecorderMark, RecorderPage } from "../../recorder/recorder.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import { isOutput } from "../../wire/message-events.ts";
import type { Steps } from "../agenda.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import { isCapture } from "../output.ts";
import { ReplyLostError } from "../requests.ts";
import type { PublishedSequence } from "./published-sequence.ts";
import { RecorderCuts } from "./recorder-cuts.ts";

/** The recorder in the kernel. `none`: it is known that the kernel has none for lost output. */
type State =
  | { readonly type: "unknown" }
  | { readonly type: "none" }
  | { readonly type: "installed"; readonly recorder: KernelRecorder };

/** What the recorder has of the executions. */
interface RecorderContent {
  readonly messages: readonly RecordedMessage[];
  /** True if the recorder has dropped nothing. */
  readonly isComplete: boolean;
  /** Number of messages before the last ones that the recorder dropped, even between two pages. */
  readonly cutAt: number;
  /** Ids of all messages in the recorder. */
  readonly ids: ReadonlySet<string | undefined>;
}

/** Reads the kernel's recorder, page by page. */
export class RecorderReader {
  readonly #executions: Executions;
  readonly #sequence: PublishedSequence;
  #state: State = { type: "unknown" };
  /** Number of the last message that was read for the late output of executions that ended in an earlier window. */
  #lateTo = 0;
  /** Number of the message up to which everything was read. */
  #readTo = 0;

  constructor(executions: Executions, sequence: PublishedSequence) {
    this.#executions = executions;
    this.#sequence = sequence;
  }

  get state(): State["type"] {
    return this.#state.type;
  }

  /** True if the recorder is installed. */
  get isInstalled(): boolean {
    return this.#state.type === "installed";
  }

  /** True if the recorder is installed, and can be read while a cell runs. */
  get isConcurrent(): boolean {
    return this.#state.type === "installed" && this.#state.recorder.isConcurrent;
  }

  /** Reads this recorder from now on; none if it is undefined. */
  use(recorder: KernelRecorder | undefined): void {
    this.#state = recorder === undefined ? { type: "none" } : { type: "installed", recorder };
  }

  /** Drops the recorder, because its process ended. The next process can have one if this one had. */
  discard(): void {
    if (this.#state.type === "installed") {
      this.#state = { type: "unknown" };
      this.restart();
    }
  }

  /**
   * Reads all pages from a mark on. Reports to executions that the recorder has dropped messages of them that have not
   * arrived. Returns the number of the last message. Throws an EvaluationError or a ReplyLostError.
   */
  *readFrom(mark: RecorderMark, take: (page: RecorderPage, isFirst: boolean) => Steps<void>): Steps<number> {
    let next = mark;
    const cuts = new RecorderCuts(this.#executions, this.#sequence);
    for (;;) {
      if (this.#state.type !== "installed") {
        throw new ReplyLostError(phrase`The kernel was restarted.`);
      }
      const page: RecorderPage = yield* this.#state.recorder.read(next);
      cuts.note(page);
      yield* take(page, next === mark);
      for (const { message } of page.messages) {
        this.#sequence.advance(message.header.publishedNumber);
      }
      const number = page.messages.at(-1)?.number ?? page.last;
      if (number >= page.last) {
        cuts.report();
        return number;
      }
      next = { type: "number", number };
    }
  }

  /** Begins at the first message again, because the recorder is new. */
  restart(): void {
    this.#readTo = 0;
  }

  /** Reads all messages that `readAll` and this method have not read yet. */
  readUnread(): Steps<RecorderContent> {
    return this.#read(this.#readTo, new Set());
  }

  /** Reads all messages, except for what earlier windows have shown of executions that are not in `whole`. */
  readAll(whole: ReadonlySet<ExecutionRecord> = new Set()): Steps<RecorderContent> {
    return this.#read(0, whole);
  }

  *#read(from: number, whole: ReadonlySet<ExecutionRecord>): Steps<RecorderContent> {
    const ids = new Set<string>();
    const messages: RecordedMessage[] = [];
    let cutAt = 0;
    let isComplete = true;
    const take = function* (this: RecorderReader, page: RecorderPage): Steps<void> {
      isComplete &&= page.dropped === 0;
      cutAt = page.dropped === 0 ? cutAt : messages.length;
      for (const { message } of page.messages) {
        ids.add(message.header.msg_id);
      }
      const isKept = (recorded: RecordedMessage): boolean => {
        const record = this.#executions.recordOf(recorded.message);
        return record !== undefined && (whole.has(record) || !this.#mayBeShown(record, recorded));
      };
      messages.push(...page.messages.filter(isKept));
    };
    this.#readTo = yield* this.readFrom({ type: "number", number: from }, take.bind(this));
    return { messages, isComplete, cutAt, ids };
  }

  /** Reads the messages after the last one that an earlier window received. */
  *readLate(deliveredId: string): Steps<readonly IncomingMessage[]> {
    const messages: IncomingMessage[] = [];
    this.#lateTo = yield* this.readFrom({ type: "messages", ids: [deliveredId] }, function* (page): Steps<void> {
      messages.push(...page.messages.map(({ message }) => message));
    });
    return messages;
  }

  /** True for a message that an execution with only late output does not show, or that was read with its late output. */
  isRepeated({ hasOnlyLateOutput }: ExecutionRecord, { number, message }: RecordedMessage): boolean {
    return hasOnlyLateOutput && (number <= this.#lateTo || !isLateOutput(message));
  }

  #mayBeShown(record: ExecutionRecord, recorded: RecordedMessage): boolean {
    return (record.hasOnlyLateOutput && this.#lateTo === 0) || this.isRepeated(record, recorded);
  }
}

/** True for messages that can follow the end of an execution. */
export function isLateOutput(message: IncomingMessage): boolean {
  const { msg_type } = message.header;
  return isOutput(msg_type) || msg_type === "clear_output" || isCapture(message);
}

import { phrase } from "../../../phrase.ts";
import { type Agenda, run, type Steps } from "../agenda.ts";
import { ReplyLostError } from "../requests.ts";

/** Recoveries, which are performed one after the other. Each consists of steps that wait for replies and deliveries. */
export class RecoveryQueue {
  readonly #agenda: Agenda;
  /** Those that wait for the current one; undefined if there is none. */
  #waiting: (() => Steps<void>)[] | undefined;
  /** Number of processes of the kernel that have ended. */
  #ends = 0;

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  /** Number of recoveries that wait. */
  get size(): number {
    return this.#waiting?.length ?? 0;
  }

  add(recovery: () => Steps<void>): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(recovery);
      return;
    }
    this.#waiting = [recovery];
    this.#agenda.defer(() => run(this.#agenda, this.#work()));
  }

  /**
   * Stops the current recovery, because the kernel's process ended. A reply of that process that arrived with the news of
   * its end says nothing about the next one.
   */
  stopCurrent(): void {
    this.#ends += 1;
  }

  /** Stops the current recovery and drops those that wait, because the connection was closed. */
  stop(): void {
    this.stopCurrent();
    this.#waiting?.splice(0);
  }

  *#work(): Steps<void> {
    for (let next = this.#waiting?.shift(); next !== undefined; next = this.#waiting?.shift()) {
      try {
        yield* this.#perform(next());
      } catch (error) {
        if (!(error instanceof ReplyLostError)) {
          const text = `a kernel's output could not be recovered: ${String(error)}`;
          this.#agenda.add({ type: "log", level: "error", text });
        }
      }
    }
    this.#waiting = undefined;
  }

  *#perform(recovery: Steps<void>): Steps<void> {
    const ends = this.#ends;
    for (let next = recovery.next(); next.done !== true; ) {
      yield next.value;
      next =
        this.#ends === ends ? recovery.next() : recovery.throw(new ReplyLostError(phrase`The kernel was restarted.`));
    }
  }
}

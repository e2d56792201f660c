import type { DebugResult } from "./debug-message.ts";
import { framesOf, referencesIn } from "./debug-results.ts";

/** Maximum number of references to variables of one pause. The oldest ones are dropped. */
const maxReferences = 100_000;

/** What the editor knows of paused code. All of it ends as soon as the code may have continued. */
export class Pause {
  readonly #askStack: (threadId: unknown) => Promise<DebugResult>;
  /** By thread. The editor asks twice for each, and a step once before. */
  readonly #stacks = new Map<unknown, Promise<DebugResult>>();
  readonly #references = new Set<number>();
  #endings = 0;
  /** The thread that stopped last. Undefined once the code may have continued. */
  #thread: unknown;

  constructor(askStack: (threadId: unknown) => Promise<DebugResult>) {
    this.#askStack = askStack;
  }

  /** How often the code may have continued. The same number later means the same pause. */
  get endings(): number {
    return this.#endings;
  }

  /** A thread has stopped, and others with it. */
  begin(threadId: unknown): void {
    this.#stacks.clear();
    this.#thread = threadId;
  }

  /** The code may have continued. */
  end(): void {
    this.#endings += 1;
    this.#thread = undefined;
    this.#stacks.clear();
    this.#references.clear();
  }

  /**
   * True for a thread that reports late that it continues with the step before: debugpy reports only the first one, which
   * can wake up after the next stop.
   */
  isLate(continuing: unknown): boolean {
    return this.#thread !== undefined && this.#thread !== continuing;
  }

  /** The whole stack of a thread. The kernel is asked once until something continues or stops. */
  async stack(threadId: unknown): Promise<DebugResult> {
    const known = this.#stacks.get(threadId);
    if (known !== undefined) {
      return known;
    }
    const asked = this.#askStack(threadId);
    this.#stacks.set(threadId, asked);
    const result = await asked;
    if (!result.success && this.#stacks.get(threadId) === asked) {
      this.#stacks.delete(threadId);
    }
    return result;
  }

  async hasFrame(frameId: unknown): Promise<boolean> {
    const stacks = await Promise.all(this.#stacks.values());
    return stacks.some((stack) => framesOf(stack).some(({ id }) => id === frameId));
  }

  hasReference(reference: unknown): boolean {
    return this.#references.has(Number(reference));
  }

  /** Adds the references in a result, because the kernel never replies to a request for another one. */
  withReferences(result: DebugResult): DebugResult {
    for (const reference of referencesIn(result)) {
      this.#references.add(reference);
    }
    for (const reference of [...this.#references].slice(0, -maxReferences)) {
      this.#references.delete(reference);
    }
    return result;
  }
}

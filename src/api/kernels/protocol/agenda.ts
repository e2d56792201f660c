import type { Effect, TimerPurpose } from "./effect.ts";

/** The time of the current input, the effects that it has, the timers that run, and the steps that are due. */
export class Agenda {
  #now: number;
  #effects: Effect[] = [];
  readonly #timers = new Map<number, TimerPurpose>();
  #lastTimer = 0;
  #due: (() => void)[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  /** Time of the current input, in milliseconds since 1970. */
  get now(): number {
    return this.#now;
  }

  begin(now: number): void {
    this.#now = now;
  }

  add(effect: Effect): void {
    this.#effects.push(effect);
  }

  takeEffects(): readonly Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** Returns the timer's number. */
  setTimer(purpose: TimerPurpose, delayMs: number): number {
    this.#lastTimer += 1;
    this.#timers.set(this.#lastTimer, purpose);
    this.add({ type: "setTimer", timer: this.#lastTimer, purpose, delayMs });
    return this.#lastTimer;
  }

  cancelTimer(timer: number | undefined): void {
    if (timer !== undefined && this.#timers.delete(timer)) {
      this.add({ type: "cancelTimer", timer });
    }
  }

  /** Cancels all timers except for those with this name. */
  cancelTimersExcept(name: TimerPurpose["name"]): void {
    for (const [timer, purpose] of this.#timers) {
      if (purpose.name !== name) {
        this.cancelTimer(timer);
      }
    }
  }

  /** The purpose of a timer that has expired; undefined if it was canceled. */
  takeTimer(timer: number): TimerPurpose | undefined {
    const purpose = this.#timers.get(timer);
    this.#timers.delete(timer);
    return purpose;
  }

  /** Runs a step when the messages of the current input are handled. */
  defer(step: () => void): void {
    this.#due.push(step);
  }

  runDeferred(): void {
    for (let steps = this.#due; steps.length > 0; steps = this.#due) {
      this.#due = [];
      for (const step of steps) {
        step();
      }
    }
  }

  get hasDeferred(): boolean {
    return this.#due.length > 0;
  }

  /** Number of timers that run, except for those with these names. */
  countTimers(except: ReadonlySet<TimerPurpose["name"]>): number {
    return [...this.#timers.values()].filter(({ name }) => !except.has(name)).length;
  }
}

type Result<T> =
  | { readonly type: "pending" }
  | { readonly type: "resolved"; readonly value: T }
  | { readonly type: "rejected"; readonly error: unknown };

/** A result that a later input brings, such as the reply to a request. What waits for it continues in that input. */
export class Awaited<T> {
  readonly #agenda: Agenda;
  #result: Result<T> = { type: "pending" };
  #waiting: (() => void)[] = [];

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  get isPending(): boolean {
    return this.#result.type === "pending";
  }

  get result(): Result<T> {
    return this.#result;
  }

  resolve(value: T): void {
    this.#settle({ type: "resolved", value });
  }

  reject(error: unknown): void {
    this.#settle({ type: "rejected", error });
  }

  /** Continues with the result, after the messages of the input that brings it. */
  onResult(resolved: (value: T) => void, rejected: (error: unknown) => void = () => {}): void {
    this.onSettled(() => {
      const result = this.#result;
      if (result.type === "resolved") {
        resolved(result.value);
      } else if (result.type === "rejected") {
        rejected(result.error);
      }
    });
  }

  onSettled(step: () => void): void {
    if (this.isPending) {
      this.#waiting.push(step);
    } else {
      this.#agenda.defer(step);
    }
  }

  #settle(result: Result<T>): void {
    if (this.isPending) {
      this.#result = result;
      for (const step of this.#waiting) {
        this.#agenda.defer(step);
      }
      this.#waiting = [];
    }
  }
}

/** The first value among several results. Rejected if all of them are. */
export function firstOf<T>(agenda: Agenda, results: readonly Awaited<T>[]): Awaited<T> {
  const first = new Awaited<T>(agenda);
  let left = results.length;
  for (const result of results) {
    result.onResult(
      (value) => first.resolve(value),
      (error) => {
        left -= 1;
        if (left === 0) {
          first.reject(error);
        }
      },
    );
  }
  return first;
}

/** Steps, each of which waits for a result. Between two steps, other inputs are handled. */
export type Steps<T> = Generator<Awaited<unknown>, T, void>;

/** A step that waits for a result. Throws if it is rejected. */
export function* step<T>(awaited: Awaited<T>): Steps<T> {
  if (awaited.isPending) {
    yield awaited;
  }
  const { result } = awaited;
  switch (result.type) {
    case "resolved":
      return result.value;
    case "rejected":
      throw result.error;
    case "pending":
      throw new Error("a step continued before its result");
  }
}

/** Runs steps until the first one that waits. */
export function run<T>(agenda: Agenda, steps: Steps<T>): Awaited<T> {
  const done = new Awaited<T>(agenda);
  const proceed = (): void => {
    try {
      const { done: isDone, value } = steps.next();
      if (isDone === true) {
        done.resolve(value);
      } else {
        value.onSettled(proceed);
      }
    } catch (error) {
      done.reject(error);
    }
  };
  proceed();
  return done;
}

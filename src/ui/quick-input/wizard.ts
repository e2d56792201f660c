/** The answer to a step. */
export interface StepResult<Value> {
  readonly type: "next";
  readonly value: Value;
}

/** The user goes back to the previous step. */
export interface Back {
  readonly type: "back";
}

export const back: Back = { type: "back" };

/** The position of a step in its wizard. */
export interface StepPlace<Way extends Back> {
  readonly title: string;
  /** The first step is 1. */
  readonly step: number;
  /** As far as known from the previous answers. */
  readonly totalSteps: number;
  /** The way back. The first step has none: its `Way` is `never`, so callers don't handle it. */
  readonly ways: readonly Way[];
}

/**
 * Asks for one value; `form` has the answers of the previous steps. A question remembers its last answer and starts
 * with it when it is asked again, so each run of a wizard creates its own questions. Throws a CancellationError if
 * canceled.
 */
export type Question<Form, Value> = <Way extends Back>(
  form: Form,
  place: StepPlace<Way>,
) => Promise<StepResult<Value> | Way>;

/** The same question with an initial answer. It is asked only if the user goes back to it. */
export function prefilled<Form, Value>(question: Question<Form, Value>, value: Value): Question<Form, Value> {
  let isFirst = true;
  return async (form, place) => {
    const isSkipped = isFirst;
    isFirst = false;
    return isSkipped ? { type: "next", value } : question(form, place);
  };
}

/** The position of a wizard's steps, or of some of them, within the whole. */
interface Range<Way extends Back> {
  readonly title: string;
  /** Number of steps before these. */
  readonly offset: number;
  readonly totalSteps: () => number;
  readonly ways: readonly Way[];
}

/** The result of answered steps. */
interface Reached<Form, Way extends Back> {
  readonly type: "next";
  readonly value: Form;
  /** Asks the last question again, as Back of the next step does; undefined if nothing was asked. */
  readonly again: (() => Promise<Reached<Form, Way> | Way>) | undefined;
}

type AskSteps<Form> = <Way extends Back>(range: Range<Way>) => Promise<Reached<Form, Way> | Way>;

/**
 * The steps of a wizard. Every step except the first has a way back. Each step adds a part to the form, so that the
 * form is complete after all steps.
 */
export class Steps<Form extends object> {
  /** The number of steps, as far as known from the previous answers. */
  readonly count: () => number;
  readonly #askAll: AskSteps<Form>;

  private constructor(count: () => number, askAll: AskSteps<Form>) {
    this.count = count;
    this.#askAll = askAll;
  }

  /** Starts with known values and no steps. */
  static from<Known extends object>(known: Known): Steps<Known> {
    return new Steps(
      () => 0,
      async () => ({ type: "next", value: known, again: undefined }),
    );
  }

  /** Adds a step whose answer becomes a part of the form. */
  step<Value, Part extends object>(
    question: Question<Form, Value>,
    partOf: (value: Value) => Part,
  ): Steps<Form & Part> {
    const stepAfter = (form: Form): Steps<Part> =>
      new Steps(
        () => 1,
        async <Way extends Back>({ title, offset, totalSteps, ways }: Range<Way>) => {
          const again = async (): Promise<Reached<Part, Way> | Way> => {
            const result = await question(form, { title, step: offset + 1, totalSteps: totalSteps(), ways });
            return result.type === "back" ? result : { type: "next", value: partOf(result.value), again };
          };
          return again();
        },
      );
    return this.#followedBy(stepAfter, () => 1);
  }

  /** Adds steps that depend on the previous answers. Until these are known, counts as `expected` steps. */
  branch<More extends object>(stepsFor: (form: Form) => Steps<More>, expected: number): Steps<Form & More> {
    let count = (): number => expected;
    const remembered = (form: Form): Steps<More> => {
      const steps = stepsFor(form);
      count = steps.count;
      return steps;
    };
    return this.#followedBy(remembered, () => count());
  }

  /** The same steps with another form. */
  map<Other extends object>(change: (form: Form) => Other): Steps<Other> {
    return new Steps(this.count, async (range) => changed(await this.#askAll(range), change));
  }

  /** Asks the questions of all steps. Throws a CancellationError if canceled. */
  async ask(title: string): Promise<Form> {
    const { value } = await this.#askAll<never>({ title, offset: 0, totalSteps: this.count, ways: [] });
    return value;
  }

  #followedBy<More extends object>(stepsAfter: (form: Form) => Steps<More>, count: () => number): Steps<Form & More> {
    return new Steps(
      () => this.count() + count(),
      async <Way extends Back>(range: Range<Way>) => {
        type Outcome = Reached<Form & More, Way> | Way;
        const proceed = async (before: Reached<Form, Way> | Way): Promise<Outcome> => {
          if (before.type === "back") {
            return before;
          }
          const { value: form, again } = before;
          const steps = stepsAfter(form);
          const rest = { ...range, offset: range.offset + this.count() };
          if (again === undefined) {
            return changed(await steps.#askAll(rest), (more) => ({ ...form, ...more }));
          }
          const join = async (after: Reached<More, Back> | Back): Promise<Outcome> => {
            if (after.type === "back") {
              return proceed(await again());
            }
            const lastAgain = after.again;
            return {
              type: "next",
              value: { ...form, ...after.value },
              again: async () => (lastAgain === undefined ? proceed(await again()) : join(await lastAgain())),
            };
          };
          return join(await steps.#askAll({ ...rest, ways: [back] }));
        };
        return proceed(await this.#askAll(range));
      },
    );
  }
}

function changed<Form, Other, Way extends Back>(
  reached: Reached<Form, Way> | Way,
  change: (form: Form) => Other,
): Reached<Other, Way> | Way {
  if (reached.type === "back") {
    return reached;
  }
  const { value, again } = reached;
  return {
    type: "next",
    value: change(value),
    again: again === undefined ? undefined : async () => changed(await again(), change),
  };
}

/** The answer to a step. */
export interface Answer<Value> {
  readonly type: "next";
  readonly value: Value;
}

/** The person wants to see the step before again. */
export interface Back {
  readonly type: "back";
}

export const back: Back = { type: "back" };

/** The position of a step in its wizard. */
export interface StepPlace<Way extends Back> {
  readonly title: string;
  /** Counts from 1. */
  readonly step: number;
  /** As far as known from the answers so far. */
  readonly totalSteps: number;
  /** The way back. The first step has none: its `Way` is never, so callers don't handle it. */
  readonly ways: readonly Way[];
}

/**
 * Asks for one value; `form` is what the steps before gave. A question remembers its last answer and begins with it when
 * it is asked again, so each run of a wizard makes its own questions. Canceling throws a CancellationError.
 */
export type Question<Form, Value> = <Way extends Back>(
  form: Form,
  place: StepPlace<Way>,
) => Promise<Answer<Value> | Way>;

/** The same question, answered already: it is asked only when the person comes back to it. */
export function answered<Form, Value>(question: Question<Form, Value>, value: Value): Question<Form, Value> {
  let isFirst = true;
  return async (form, place) => {
    const isSkipped = isFirst;
    isFirst = false;
    return isSkipped ? { type: "next", value } : question(form, place);
  };
}

/** The steps of a wizard, or a part of them, within the whole. */
interface Range<Way extends Back> {
  readonly title: string;
  /** Steps before these. */
  readonly offset: number;
  readonly totalSteps: () => number;
  readonly ways: readonly Way[];
}

/** The result of answered steps. */
interface Reached<Form, Way extends Back> {
  readonly type: "next";
  readonly value: Form;
  /** Asks the last one again, as Back of the step after it does; undefined where nothing was asked. */
  readonly again: (() => Promise<Reached<Form, Way> | Way>) | undefined;
}

type AskSteps<Form> = <Way extends Back>(range: Range<Way>) => Promise<Reached<Form, Way> | Way>;

/**
 * The steps of a wizard, with a way back from each but the first. Each adds a part to the form, so that the form of all
 * steps has every member.
 */
export class Steps<Form extends object> {
  /** The number of steps, as far as known from the answers so far. */
  readonly count: () => number;
  readonly #askAll: AskSteps<Form>;

  private constructor(count: () => number, askAll: AskSteps<Form>) {
    this.count = count;
    this.#askAll = askAll;
  }

  /** No step yet: what is known without asking. */
  static from<Known extends object>(known: Known): Steps<Known> {
    return new Steps(
      () => 0,
      async () => ({ type: "next", value: known, again: undefined }),
    );
  }

  /** One more step, whose answer becomes a part of the form. */
  step<Value, Part extends object>(
    question: Question<Form, Value>,
    partOf: (value: Value) => Part,
  ): Steps<Form & Part> {
    const stepAfter = (form: Form): Steps<Part> =>
      new Steps(
        () => 1,
        async <Way extends Back>({ title, offset, totalSteps, ways }: Range<Way>) => {
          const again = async (): Promise<Reached<Part, Way> | Way> => {
            const answer = await question(form, { title, step: offset + 1, totalSteps: totalSteps(), ways });
            return answer.type === "back" ? answer : { type: "next", value: partOf(answer.value), again };
          };
          return again();
        },
      );
    return this.#followedBy(stepAfter, () => 1);
  }

  /** The steps that follow from the answers until now. Before these are given, `expected` of them are counted. */
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

  /** Asks step by step. Canceling throws a CancellationError. */
  async ask(title: string): Promise<Form> {
    const { value } = await this.#askAll<never>({ title, offset: 0, totalSteps: this.count, ways: [] });
    return value;
  }

  #followedBy<More extends object>(stepsAfter: (form: Form) => Steps<More>, count: () => number): Steps<Form & More> {
    return new Steps(
      () => this.count() + count(),
      async <Way extends Back>(range: Range<Way>) => {
        type Outcome = Reached<Form & More, Way> | Way;
        const goOn = async (before: Reached<Form, Way> | Way): Promise<Outcome> => {
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
              return goOn(await again());
            }
            const lastAgain = after.again;
            return {
              type: "next",
              value: { ...form, ...after.value },
              again: async () => (lastAgain === undefined ? goOn(await again()) : join(await lastAgain())),
            };
          };
          return join(await steps.#askAll({ ...rest, ways: [back] }));
        };
        return goOn(await this.#askAll(range));
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

/** The answer to a question. */
export interface StepResult<Value> {
  readonly type: "next";
  readonly value: Value;
}

/** The user goes back to the previous question. */
export interface Back {
  readonly type: "back";
}

export const back: Back = { type: "back" };

/** The position of a question in its wizard. */
export interface StepPlace {
  readonly title: string;
  /** The first step is 1. */
  readonly step: number;
  /** As far as known from the previous answers. */
  readonly totalSteps: number;
  /** False for the first question. */
  readonly canGoBack: boolean;
}

/**
 * Asks for one value; `form` has the answers of the previous questions. A question remembers its last answer and starts
 * with it when it is asked again, so each run of a wizard creates its own questions. Throws a CancellationError if
 * canceled.
 */
export type Question<Form, Value> = (form: Form, place: StepPlace) => Promise<StepResult<Value> | Back>;

/** The same question with an initial answer. It is asked only if the user goes back to it. */
export function prefilled<Form, Value>(question: Question<Form, Value>, value: Value): Question<Form, Value> {
  let isFirst = true;
  return async (form, place) => {
    const isSkipped = isFirst;
    isFirst = false;
    return isSkipped ? { type: "next", value } : question(form, place);
  };
}

/**
 * A question whose answer is a part of the form, or a place where the previous answers decide what is asked. Each step
 * needs the parts of the steps before it, which `Steps` ensures.
 */
type Step =
  | { readonly type: "question"; readonly ask: Question<never, object> }
  | { readonly type: "branch"; readonly stepsFor: (form: never) => Steps<object>; expected: number };

/** The answers so far, and what remains to be asked. */
interface Progress {
  readonly form: object;
  readonly remaining: readonly Step[];
}

/**
 * The steps of a wizard. Each step adds a part to the form, so that the form is complete after all steps. Back returns
 * to the state before the last answer.
 */
export class Steps<Form extends object> {
  readonly #known: object;
  readonly #steps: readonly Step[];

  private constructor(known: object, steps: readonly Step[]) {
    this.#known = known;
    this.#steps = steps;
  }

  /** Starts with known values and no steps. */
  static from<Known extends object>(known: Known): Steps<Known> {
    return new Steps(known, []);
  }

  /** Adds a question, whose answer becomes a part of the form. */
  step<Value, Part extends object>(
    question: Question<Form, Value>,
    partOf: (value: Value, form: Form) => Part,
  ): Steps<Form & Part> {
    const ask: Question<Form, object> = async (form, place) => {
      const result = await question(form, place);
      return result.type === "back" ? result : { type: "next", value: partOf(result.value, form) };
    };
    return new Steps<Form & Part>(this.#known, [...this.#steps, { type: "question", ask }]);
  }

  /** Adds steps that depend on the previous answers. Until these are known, counts as `expected` steps. */
  branch<More extends object>(stepsFor: (form: Form) => Steps<More>, expected: number): Steps<Form & More> {
    return new Steps<Form & More>(this.#known, [...this.#steps, { type: "branch", stepsFor, expected }]);
  }

  /** The number of steps, as far as known from the previous answers. */
  get count(): number {
    return countOf(this.#steps);
  }

  /** Asks the questions of all steps. Throws a CancellationError if canceled. */
  async ask(title: string): Promise<Form> {
    const earlier: Progress[] = [];
    let progress: Progress = { form: this.#known, remaining: this.#steps };
    for (;;) {
      const { form, remaining } = progress;
      const [next, ...rest] = remaining;
      if (next === undefined) {
        return form as Form;
      }
      if (next.type === "branch") {
        const steps = next.stepsFor(form as never);
        next.expected = steps.count;
        progress = { form: { ...form, ...steps.#known }, remaining: [...steps.#steps, ...rest] };
        continue;
      }
      const result = await next.ask(form as never, {
        title,
        step: earlier.length + 1,
        totalSteps: earlier.length + countOf(remaining),
        canGoBack: earlier.length > 0,
      });
      if (result.type === "next") {
        earlier.push(progress);
        progress = { form: { ...form, ...result.value }, remaining: rest };
      } else {
        progress = earlier.pop() ?? progress;
      }
    }
  }
}

function countOf(steps: readonly { readonly type: string; readonly expected?: number }[]): number {
  return steps.reduce((sum, { expected = 1 }) => sum + expected, 0);
}

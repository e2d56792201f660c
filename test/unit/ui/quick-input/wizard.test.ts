import assert from "node:assert/strict";
import { back, prefilled, type Question, type StepPlace, Steps } from "../../../../src/ui/quick-input/wizard.ts";

/** A user who answers step by step: a text is the answer, `back` presses Back, `again` confirms what is shown. */
class Person {
  /** The boxes that were shown: `name 2/3 ←: prefilled`. */
  readonly shown: string[] = [];
  readonly #actions: string[];

  constructor(...actions: readonly string[]) {
    this.#actions = [...actions];
  }

  question<Form>(name: string, initial: (form: Form) => string = () => ""): Question<Form, string> {
    let last: string | undefined;
    return async (form: Form, { title, step, totalSteps, canGoBack }: StepPlace) => {
      const prefilled = last ?? initial(form);
      this.shown.push(`${title}${name} ${step}/${totalSteps}${canGoBack ? " ←" : ""}: ${prefilled}`);
      const action = this.#actions.shift();
      if (action === undefined) {
        throw new Error("given up");
      }
      if (action === "back") {
        assert(canGoBack, `${name} has no way back`);
        return back;
      }
      last = action === "again" ? prefilled : action;
      return { type: "next", value: last };
    };
  }
}

describe("a wizard", () => {
  it("asks its steps in order, passes each the current form, and returns the complete form", async () => {
    const person = new Person("Ada", "1843");
    const form = await Steps.from({ language: "en" })
      .step(person.question("name"), (name) => ({ name }))
      .step(
        person.question("year", ({ name, language }) => `${name}-${language}`),
        (year) => ({ year: Number(year) }),
      )
      .ask("Add ");
    const year: number = form.year;
    assert.deepEqual(form, { language: "en", name: "Ada", year });
    assert.deepEqual(person.shown, ["Add name 1/2: ", "Add year 2/2 ←: Ada-en"]);
  });

  it("goes back to the first step, which has no way back, and keeps the answers", async () => {
    const person = new Person("a", "b", "back", "back", "A", "again", "c");
    const form = await Steps.from({})
      .step(person.question("one"), (one) => ({ one }))
      .step(person.question("two"), (two) => ({ two }))
      .step(person.question("three"), (three) => ({ three }))
      .ask("");
    assert.deepEqual(form, { one: "A", two: "b", three: "c" });
    assert.deepEqual(person.shown, [
      "one 1/3: ",
      "two 2/3 ←: ",
      "three 3/3 ←: ",
      "two 2/3 ←: b",
      "one 1/3: a",
      "two 2/3 ←: b",
      "three 3/3 ←: ",
    ]);
  });

  it("counts the steps that depend on an answer, with an estimate before", async () => {
    const person = new Person("timer", "back", "again", "back", "event", "done");
    const name = person.question("name");
    const time = person.question("time");
    const form = await Steps.from({})
      .step(person.question("kind"), (kind) => ({ kind }))
      .branch<{ readonly time?: string }>(
        ({ kind }) => (kind === "timer" ? Steps.from({}).step(time, (at) => ({ time: at })) : Steps.from({})),
        1,
      )
      .step(name, (chosen) => ({ name: chosen }))
      .ask("");
    assert.deepEqual(form, { kind: "event", name: "done" });
    assert.deepEqual(person.shown, [
      "kind 1/3: ",
      "time 2/3 ←: ",
      "kind 1/3: timer",
      "time 2/3 ←: ",
      "kind 1/3: timer",
      "name 2/2 ←: ",
    ]);
  });

  it("goes back into the steps of a branch, and past a branch without any", async () => {
    const person = new Person("two", "a", "b", "back", "back", "back", "none", "back", "two", "again", "B", "c");
    const [one, two] = [person.question("one"), person.question("two")];
    const form = await Steps.from({})
      .step(person.question("kind"), (kind) => ({ kind }))
      .branch<object>(
        ({ kind }) =>
          kind === "none"
            ? Steps.from({})
            : Steps.from({})
                .step(one, (first) => ({ first }))
                .step(two, (second) => ({ second })),
        0,
      )
      .step(person.question("last"), (last) => ({ last }))
      .ask("");
    assert.deepEqual(form, { kind: "two", first: "a", second: "B", last: "c" });
    assert.deepEqual(person.shown, [
      "kind 1/2: ",
      "one 2/4 ←: ",
      "two 3/4 ←: ",
      "last 4/4 ←: ",
      "two 3/4 ←: b",
      "one 2/4 ←: a",
      "kind 1/4: two",
      "last 2/2 ←: ",
      "kind 1/2: none",
      "one 2/4 ←: a",
      "two 3/4 ←: b",
      "last 4/4 ←: ",
    ]);
  });

  it("begins with a branch, whose first step has no way back either", async () => {
    const person = new Person("a", "back", "A", "b");
    const inner = Steps.from({}).step(person.question("one"), (one) => ({ one }));
    const form = await Steps.from({})
      .branch(() => inner, inner.count)
      .step(person.question("two"), (two, { one }) => ({ both: one + two }))
      .ask("");
    assert.deepEqual(person.shown, ["one 1/2: ", "two 2/2 ←: ", "one 1/2: a", "two 2/2 ←: "]);
    assert.deepEqual(form, { one: "A", both: "Ab" });
  });

  it("asks an already answered question only after Back", async () => {
    const person = new Person("back", "ADA", "x");
    const form = await Steps.from({})
      .step(
        prefilled(
          person.question("name", () => "Ada"),
          "Ada",
        ),
        (name) => ({ name }),
      )
      .step(person.question("year"), (year) => ({ year }))
      .ask("");
    assert.deepEqual(form, { name: "ADA", year: "x" });
    assert.deepEqual(person.shown, ["year 2/2 ←: ", "name 1/2: Ada", "year 2/2 ←: "]);
  });

  it("returns the known values if there is nothing to ask", async () => {
    assert.deepEqual(await Steps.from({ all: "known" }).ask(""), { all: "known" });
  });

  it("throws the error of a canceled question", async () => {
    const steps = Steps.from({}).step(new Person().question("name"), (name) => ({ name }));
    await assert.rejects(steps.ask(""), { message: "given up" });
  });
});

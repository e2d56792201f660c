import type { KernelActivity } from "../connection/connection-state.ts";
import type { Agenda } from "./agenda.ts";

/** A kernel's activity: the last reported one, or until the first report, one that is inferred from replies. */
export class Activity {
  readonly #agenda: Agenda;
  #current: KernelActivity = "unknown";
  #isInferred = true;

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  get current(): KernelActivity {
    return this.#current;
  }

  /** Records a report from the kernel or its server; `unknown` if the connection broke. */
  report(activity: KernelActivity): void {
    // A starting kernel reports nothing else until it runs something.
    this.#isInferred = activity === "unknown" || activity === "starting" || activity === "restarting";
    this.#change(activity);
  }

  /** Records an activity that is inferred from replies, or from missing replies. A report takes precedence. */
  infer(activity: "busy" | "idle"): void {
    if (this.#isInferred) {
      this.#change(activity);
    }
  }

  #change(activity: KernelActivity): void {
    if (this.#current !== activity) {
      this.#current = activity;
      this.#agenda.add({ type: "emit", event: { name: "kernel", value: { type: "activity", activity } } });
    }
  }
}

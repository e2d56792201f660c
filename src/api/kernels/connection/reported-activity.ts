import type { KernelActivity } from "./connection-state.ts";

/** A kernel's activity: the last reported one, or until the first report, one that is inferred from replies. */
export class ReportedActivity {
  readonly #onChange: (activity: KernelActivity) => void;
  #activity: KernelActivity = "unknown";
  #isAssumed = true;

  constructor(onChange: (activity: KernelActivity) => void) {
    this.#onChange = onChange;
  }

  get current(): KernelActivity {
    return this.#activity;
  }

  /** Records a report from the kernel or its server; `unknown` if the connection broke. */
  report(activity: KernelActivity): void {
    // A starting kernel reports nothing else until it runs something.
    this.#isAssumed = activity === "unknown" || activity === "starting" || activity === "restarting";
    this.#change(activity);
  }

  /** Records an activity that is inferred from replies, or from missing replies. A report takes precedence. */
  assume(activity: "busy" | "idle"): void {
    if (this.#isAssumed) {
      this.#change(activity);
    }
  }

  #change(activity: KernelActivity): void {
    if (this.#activity !== activity) {
      this.#activity = activity;
      this.#onChange(activity);
    }
  }
}

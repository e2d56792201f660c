// Prints Mocha's spec output, and writes the totals as JSON to the file in PLATFORM_WORKBENCH_TOTALS.
import { writeFileSync } from "node:fs";
import Mocha from "mocha";
import { totalsOf } from "./totals.ts";

export default class TotalsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env.PLATFORM_WORKBENCH_TOTALS;
    runner.once("end", () => {
      if (file !== undefined) writeFileSync(file, JSON.stringify(totalsOf(runner), undefined, 2));
    });
  }
}

// Mocha's spec output, and the totals as JSON in the file that PLATFORM_WORKBENCH_TOTALS names.
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

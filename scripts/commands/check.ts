// npm run check: type check, lint and format, import rules; no test.
import { checks } from "../tests/checks.ts";
import { sumOf } from "../tests/outcome.ts";

const outcomes = [];
for (const name of ["types", "lint", "imports"]) {
  const outcome = await checks[name]?.();
  if (outcome !== undefined) outcomes.push(outcome);
}
process.exitCode = sumOf(outcomes).failed === 0 ? 0 : 1;

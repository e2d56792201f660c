// npm run check: type check, lint and format, import rules, unused code, regular expressions, state of modules, spelling,
// words in identifiers, and prose; no tests.
import { sourceChecks } from "../tests/checks.ts";
import { sumOf } from "../tests/outcome.ts";

const outcomes = [];
for (const { run } of Object.values(sourceChecks)) outcomes.push(await run());
process.exitCode = sumOf(outcomes).failed === 0 ? 0 : 1;

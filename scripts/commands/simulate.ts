// npm run simulate [-- --minutes N]: tries schedules of the kernel protocol against the model of a kernel and its server
// (test/simulation), and prints those that fail. PLATFORM_WORKBENCH_SEED repeats a run.
import { randomSeed } from "../../test/harness/random-seed.ts";
import { explore, findingText, smallest } from "../../test/simulation/explore.ts";
import { windowsOf } from "../../test/simulation/simulated-window.ts";

const batch = 1000;
/** Number of findings after which it ends. */
const maxFindings = 20;

const place = process.argv.indexOf("--minutes");
const minutes = place < 0 ? 1 : Number(process.argv[place + 1]);
if (!Number.isFinite(minutes) || minutes <= 0) {
  console.error("Usage: npm run simulate -- --minutes N");
  process.exit(2);
}

console.log(`seed ${randomSeed}`);
const started = Date.now();
const invariants = new Set<string>();
let tried = 0;
let findings = 0;
while (Date.now() - started < minutes * 60_000 && findings < maxFindings) {
  const finding = explore(randomSeed, { from: tried, count: batch }, windowsOf());
  tried = finding?.tried ?? tried + batch;
  if (finding !== undefined) {
    findings += 1;
    invariants.add(finding.invariant);
    console.log(`\nschedule ${finding.tried}: ${findingText(smallest(finding, windowsOf()))}`);
  }
}
const seconds = (Date.now() - started) / 1000;
console.log(
  `${tried} schedules in ${seconds.toFixed(0)} s (${Math.round(tried / seconds)} a second), ${findings} failed`,
);
for (const invariant of invariants) console.log(`- ${invariant}`);
process.exitCode = findings === 0 ? 0 : 1;

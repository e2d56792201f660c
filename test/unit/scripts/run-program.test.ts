import assert from "node:assert/strict";
import { runProgram } from "../../../scripts/set-up/run-program.ts";

const module = JSON.stringify(new URL("../../../scripts/set-up/run-program.ts", import.meta.url).href);

describe("running a program", () => {
  it("returns its exit code and output", async () => {
    const code = "console.log('out'); console.error('err'); process.exitCode = 3";
    const { code: exitCode, output } = await runProgram(process.execPath, ["-e", code]);
    assert.equal(exitCode, 3);
    assert.deepEqual(output.trim().split("\n").sort(), ["err", "out"]);
  });

  it("that doesn't exist says so, and leaves no timer that keeps this process running", async () => {
    // In another process, because the test runner has timers, too.
    const code = `const { runProgram } = await import(${module});
      const outcome = await runProgram("/no/such/program", []);
      console.log(JSON.stringify([outcome, process.getActiveResourcesInfo()]));
      process.exit();`;
    const { output } = await runProgram(process.execPath, ["--input-type=module", "-e", code]);
    const [outcome, active] = JSON.parse(output);
    assert.deepEqual(outcome, { code: -1, output: "spawn /no/such/program ENOENT" });
    assert.ok(!active.includes("Timeout"), String(active));
  });

  it("ends one that takes too long", async () => {
    const waits = "process.on('exit', () => console.log('by itself')); setTimeout(() => {}, 300_000)";
    const { code, output } = await runProgram(process.execPath, ["-e", waits], { timeLimitMs: 500 });
    assert.equal(code, -1);
    assert.doesNotMatch(output, /by itself/);
  });
});

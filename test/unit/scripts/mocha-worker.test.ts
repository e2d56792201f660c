import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "../../../scripts/set-up/run-program.ts";
import { MochaWorker } from "../../../scripts/tests/mocha-worker.ts";
import { until } from "../../harness/until.ts";

describe("a worker for test files", () => {
  let directory: string;
  let logFile: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-worker-"));
    logFile = join(directory, "worker.log");
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function fileOf(name: string, source: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, source);
    return path;
  }

  async function workerWith(hooks: string, patience?: number): Promise<MochaWorker> {
    const modules = [await fileOf("hooks.mjs", hooks)];
    return new MochaWorker({ name: "ui-lane", modules, logFile, ...(patience === undefined ? {} : { patience }) });
  }

  const shared = `
    export const mochaHooks = {
      beforeAll: () => { globalThis.started = (globalThis.started ?? 0) + 1; console.log("shared: start"); },
      afterAll: () => console.log("shared: end"),
    };`;
  const passing = 'it("passes", () => { if (globalThis.started !== 1) throw new Error("not shared"); });';

  it("runs files in one process, between the root hooks of its modules", async () => {
    const worker = await workerWith(shared);
    const first = await worker.run(await fileOf("first.mjs", `console.log("first"); ${passing}`));
    const second = await worker.run(await fileOf("second.mjs", `console.log("second"); ${passing}`));
    assert.deepEqual(await worker.end(), { passed: 0, failed: 0, failures: [] });
    for (const outcome of [first, second]) assert.deepEqual(outcome, { passed: 1, failed: 0, failures: [] });
    assert.match(await readFile(logFile, "utf8"), /shared: start.*first.*second.*shared: end/s);
  });

  it("counts failed and skipped tests, and files without a test or with an error", async () => {
    const worker = await workerWith(shared);
    const failed = await worker.run(await fileOf("failed.mjs", 'it("fails", () => { throw new Error("wrong"); });'));
    const skipped = await worker.run(await fileOf("skipped.mjs", 'it.skip("is skipped", () => {});'));
    const empty = await worker.run(await fileOf("empty.mjs", ""));
    const broken = await worker.run(await fileOf("broken.mjs", "import './missing.mjs';"));
    const next = await worker.run(await fileOf("next.mjs", passing));
    await worker.end();
    assert.deepEqual(failed, { passed: 0, failed: 1, failures: [{ title: "fails", message: "wrong" }] });
    assert.equal(skipped.failed, 1);
    assert.deepEqual(
      empty.failures.map(({ message }) => message),
      ["it ran no test"],
    );
    assert.match(broken.failures[0]?.message ?? "", /^it can't be loaded: .*missing\.mjs/);
    assert.deepEqual(next, { passed: 1, failed: 0, failures: [] });
  });

  it("reports a process that ends, and runs the next file in a new one", async () => {
    const worker = await workerWith(shared);
    const lost = await worker.run(await fileOf("lost.mjs", 'it("ends the process", () => process.exit(7));'));
    const next = await worker.run(await fileOf("next.mjs", passing));
    await worker.end();
    assert.deepEqual(
      lost.failures.map(({ message }) => message),
      ["it ended (exit code 7) before its tests did"],
    );
    assert.deepEqual(next, { passed: 1, failed: 0, failures: [] });
  });

  it("reports a process that ends after a file, and runs the next file in a new one", async () => {
    const worker = await workerWith(shared);
    const source = `console.log("pid " + process.pid + ";"); ${passing} setTimeout(() => process.exit(3), 100);`;
    assert.equal((await worker.run(await fileOf("last.mjs", source))).passed, 1);
    const pid = Number(/pid (\d+);/.exec(await readFile(logFile, "utf8"))?.[1]);
    await until("the process to end", () => !isRunning(pid));
    const next = await worker.run(await fileOf("next.mjs", passing));
    assert.deepEqual([next.passed, next.failed], [1, 1]);
    assert.match(next.failures[0]?.message ?? "", /^its process ended \(exit code 3\) after .*last\.mjs$/);
    assert.deepEqual(await worker.end(), { passed: 0, failed: 0, failures: [] });
  });

  it("fails at the end if something was left open, or if a root hook fails", async () => {
    const open = await workerWith("", 500);
    const outcome = await open.run(
      await fileOf("open.mjs", `globalThis.started = 1; setInterval(() => {}, 1000); ${passing}`),
    );
    assert.equal(outcome.passed, 1);
    assert.deepEqual(
      (await open.end()).failures.map(({ message }) => message),
      ["its tests ended, but they left something running"],
    );
    const failing = await workerWith('export const mochaHooks = { afterAll: () => { throw new Error("no end"); } };');
    await failing.run(await fileOf("fine.mjs", `globalThis.started = 1; ${passing}`));
    assert.match((await failing.end()).failures[0]?.message ?? "", /exit code 1/);
  });
});

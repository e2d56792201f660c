import assert from "node:assert/strict";
import { JobQueue } from "../../../scripts/tests/job-queue.ts";

describe("a queue of jobs", () => {
  it("returns each job once, in order, to any number of workers", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const queue = new JobQueue(names, async () => undefined);
    const taken = await Promise.all(Array.from({ length: 7 }, () => queue.next()));
    assert.deepEqual(taken, [...names, undefined, undefined]);
  });

  it("returns jobs that can run first, and waits for the others", async () => {
    const installed = Promise.withResolvers<void>();
    const queue = new JobQueue(["window", "unit", "contract"], (job) =>
      job === "window" ? installed.promise : Promise.resolve(),
    );
    assert.deepEqual([await queue.next(), await queue.next()], ["unit", "contract"]);
    let last: string | undefined | "nothing yet" = "nothing yet";
    const waiting = queue.next().then((job) => {
      last = job;
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(last, "nothing yet");
    installed.resolve();
    await waiting;
    assert.equal(last, "window");
    assert.equal(await queue.next(), undefined);
  });

  it("returns a job whose part can't be installed, so that it fails itself", async () => {
    const queue = new JobQueue(["window"], () => Promise.reject(new Error("no browser")));
    assert.equal(await queue.next(), "window");
  });
});

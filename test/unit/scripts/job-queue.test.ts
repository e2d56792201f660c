import assert from "node:assert/strict";
import { JobQueue } from "../../../scripts/tests/job-queue.ts";

describe("a queue of jobs", () => {
  it("gives each job once, in order, however many take", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const queue = new JobQueue(names, async () => undefined);
    const taken = await Promise.all(Array.from({ length: 7 }, () => queue.next()));
    assert.deepEqual(taken, [...names, undefined, undefined]);
  });

  it("lets those go first that can run, and waits for the others", async () => {
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

  it("gives a job whose part can't be had, so that it fails by itself", async () => {
    const queue = new JobQueue(["window"], () => Promise.reject(new Error("no browser")));
    assert.equal(await queue.next(), "window");
  });
});

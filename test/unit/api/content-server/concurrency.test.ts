import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { drain, inParallel } from "../../../../src/api/content-server/concurrency.ts";

/** Work that ends when the test says so. */
class Steps {
  readonly begun: number[] = [];
  readonly #ends = new Map<number, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();

  readonly run = (item: number): Promise<void> => {
    this.begun.push(item);
    return new Promise((resolve, reject) => this.#ends.set(item, { resolve, reject }));
  };

  get underWay(): number {
    return this.#ends.size;
  }

  async end(item: number, error?: Error): Promise<void> {
    const { resolve, reject } = this.#ends.get(item) ?? assert.fail(`${item} is not under way`);
    this.#ends.delete(item);
    if (error === undefined) {
      resolve();
    } else {
      reject(error);
    }
    await nextTurn();
  }
}

const ten = Array.from({ length: 10 }, (_, index) => index);

describe("work on many items", () => {
  it("runs five at a time, in the order of the items", async () => {
    const steps = new Steps();
    const all = inParallel(ten, steps.run);
    await nextTurn();
    for (const item of [4, 0, 1, 2, 3]) {
      assert.equal(steps.underWay, 5);
      await steps.end(item);
    }
    assert.deepEqual(steps.begun, ten);
    await Promise.all(ten.slice(5).map((item) => steps.end(item)));
    await all;
    await inParallel([], steps.run);
  });

  it("starts nothing after the first failure, and throws it when the others have ended", async () => {
    const steps = new Steps();
    let thrown: unknown;
    const all = inParallel(ten, steps.run).catch((error: unknown) => {
      thrown = error;
    });
    await nextTurn();
    await steps.end(1, new Error("first"));
    await steps.end(0, new Error("second"));
    await steps.end(2);
    assert.equal(thrown, undefined);
    await steps.end(3);
    await steps.end(4);
    await all;
    assert.match(String(thrown), /first/);
    assert.deepEqual(steps.begun, ten.slice(0, 5));
  });
});

describe("work on a queue that grows", () => {
  it("starts added items as soon as there is capacity", async () => {
    const steps = new Steps();
    const queue = [0];
    let hasEnded = false;
    const all = drain(queue, steps.run).then(() => {
      hasEnded = true;
    });
    await nextTurn();
    queue.push(1, 2, 3, 4, 5, 6);
    await steps.end(0);
    assert.deepEqual([steps.underWay, queue.length], [5, 0]);
    queue.push(7, 8);
    for (const item of [3, 1, 2, 4]) {
      await steps.end(item);
    }
    assert.deepEqual(steps.begun, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const item of [5, 6, 7]) {
      await steps.end(item);
    }
    assert.equal(hasEnded, false);
    await steps.end(8);
    await all;
  });

  it("throws the first failure immediately, and starts nothing more, including items that are added later", async () => {
    const steps = new Steps();
    const queue = [...ten];
    const all = drain(queue, steps.run);
    await nextTurn();
    const failed = assert.rejects(all, /first/);
    await steps.end(2, new Error("first"));
    await failed;
    queue.push(11);
    await steps.end(0);
    await steps.end(1, new Error("second"));
    assert.deepEqual(steps.begun, ten.slice(0, 5));
  });
});

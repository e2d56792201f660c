import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { PathLocks } from "../../../../src/file-system/session/path-locks.ts";

describe("path locks", () => {
  let locks: PathLocks;
  let log: string[];
  const work = (name: string): { readonly run: () => Promise<string>; readonly end: (error?: Error) => void } => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    return {
      run: async () => {
        log.push(`begin ${name}`);
        const result = await promise;
        log.push(`end ${name}`);
        return result;
      },
      end: (error) => (error === undefined ? resolve(name) : reject(error)),
    };
  };

  beforeEach(() => {
    locks = new PathLocks();
    log = [];
  });

  it("serializes work on the same path, and runs work on other paths meanwhile", async () => {
    const [one, two, other] = [work("one"), work("two"), work("other")];
    const first = locks.exclusively(["a"], one.run);
    const second = locks.exclusively(["a"], two.run);
    const third = locks.exclusively(["b"], other.run);
    other.end();
    assert.equal(await third, "other");
    assert.deepEqual(log, ["begin one", "begin other", "end other"]);
    one.end();
    two.end();
    assert.deepEqual(await Promise.all([first, second]), ["one", "two"]);
    assert.deepEqual(log.slice(3), ["end one", "begin two", "end two"]);
  });

  it("waits for all of several paths", async () => {
    const [one, two, both] = [work("one"), work("two"), work("both")];
    const all = [
      locks.exclusively(["a"], one.run),
      locks.exclusively(["b"], two.run),
      locks.exclusively(["a", "b"], both.run),
    ];
    one.end();
    both.end();
    await setImmediate();
    assert.ok(!log.includes("begin both"));
    two.end();
    await Promise.all(all);
    assert.equal(log.at(-1), "end both");
  });

  it("continues after failed work, whose error only its caller receives", async () => {
    const [one, two] = [work("one"), work("two")];
    const first = locks.exclusively(["a"], one.run);
    const second = locks.exclusively(["a"], two.run);
    one.end(new Error("broken"));
    two.end();
    await assert.rejects(first, /broken/);
    assert.equal(await second, "two");
  });

  it("changes a directory's revision with each change in it, and has none during a change", async () => {
    const before = locks.revision("folder");
    const one = work("one");
    const running = locks.exclusively(["folder/a"], one.run);
    assert.equal(locks.revision("folder"), undefined);
    assert.equal(locks.revision("elsewhere"), 0);
    one.end();
    await running;
    const after = locks.revision("folder");
    assert.ok(after !== undefined && after !== before);
    await locks.exclusively(["folder/b"], async () => {});
    assert.notEqual(locks.revision("folder"), after);
  });

  it("counts changes to the directory itself, and failed ones", async () => {
    const before = locks.revision("folder");
    await assert.rejects(
      locks.exclusively(["folder"], () => Promise.reject(new Error("broken"))),
      /broken/,
    );
    assert.notEqual(locks.revision("folder"), before);
    assert.notEqual(locks.revision(""), 0);
  });
});

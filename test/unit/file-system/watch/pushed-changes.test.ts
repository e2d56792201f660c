import assert from "node:assert/strict";
import { Companion } from "../../../../src/api/companion/companion.ts";
import { watchDirectories } from "../../../../src/api/companion/operations/watch.ts";
import { PushedChanges } from "../../../../src/file-system/watch/pushed-changes.ts";

/** A subscription that the companion has got. */
interface Subscribed {
  readonly directories: readonly string[];
  readonly push: (changed: readonly string[]) => void;
  readonly fail: () => void;
  isDisposed: boolean;
}

describe("changes that the companion reports", () => {
  let subscribed: Subscribed[];
  let accept: () => Promise<void>;
  let companion: Companion | undefined;
  let directories: string[];
  let isActive: boolean;
  let events: string[];
  let pushed: PushedChanges;

  function newCompanion(): Companion {
    const subscribe: Companion["subscribe"] = async (operation, parameters, listener) => {
      assert.equal(operation, watchDirectories);
      const { directories: watched } = parameters as { readonly directories: string[] };
      await accept();
      const subscription: Subscribed = {
        directories: watched,
        push: (changed) => listener.onPush({ changed } as never, []),
        fail: () => listener.onFailure(new Error("lost")),
        isDisposed: false,
      };
      subscribed.push(subscription);
      const dispose = (): void => {
        subscription.isDisposed = true;
      };
      return { result: {} as never, dispose };
    };
    return Object.assign(Object.create(Companion.prototype) as Companion, { subscribe });
  }

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    subscribed = [];
    accept = async () => {};
    companion = newCompanion();
    directories = ["", "data"];
    isActive = true;
    events = [];
    pushed = new PushedChanges({
      companion: () => companion,
      directories: () => directories,
      isActive: () => isActive,
      onSubscribed: (watched) => events.push(`subscribed ${watched.join(",")}`),
      onEnded: () => events.push("ended"),
      onChanged: (changed) => events.push(`changed ${changed.join(",")}`),
    });
  });

  it("are those of the watched directories, after one subscription", async () => {
    pushed.update();
    pushed.update();
    await settled();
    pushed.update();
    assert.deepEqual(
      subscribed.map((one) => one.directories),
      [["", "data"]],
    );
    assert.ok(pushed.isWatched("data"));
    assert.ok(!pushed.isWatched("other"));
    subscribed[0]?.push(["data"]);
    assert.deepEqual(events, ["subscribed ,data", "changed data"]);
  });

  it("need another subscription if more directories are watched, also while the first one is made", async () => {
    pushed.update();
    directories.push("more");
    pushed.update();
    await settled();
    await settled();
    assert.deepEqual(
      subscribed.map((one) => [one.directories, one.isDisposed]),
      [
        [["", "data"], true],
        [["", "data", "more"], false],
      ],
    );
    assert.ok(pushed.isWatched("more"));
    subscribed[0]?.push(["data"]);
    assert.ok(!events.includes("changed data"));
  });

  it("end with the companion, and begin again with the next one", async () => {
    pushed.update();
    await settled();
    companion = undefined;
    pushed.update();
    assert.ok(!pushed.isWatched("data"));
    assert.ok(subscribed[0]?.isDisposed);
    companion = newCompanion();
    pushed.update();
    await settled();
    assert.ok(pushed.isWatched("data"));
    assert.deepEqual(events, ["subscribed ,data", "ended", "subscribed ,data"]);
  });

  it("are polled for if the subscription fails or is refused, without trying the same companion again", async () => {
    accept = async () => Promise.reject(new Error("refused"));
    pushed.update();
    await settled();
    pushed.update();
    await settled();
    assert.deepEqual(events, ["ended"]);
    accept = async () => {};
    companion = newCompanion();
    pushed.update();
    await settled();
    subscribed[0]?.fail();
    assert.ok(!pushed.isWatched("data"));
    assert.deepEqual(events, ["ended", "subscribed ,data", "ended"]);
  });

  it("aren't subscribed to without the focus, but stay until the window rests", async () => {
    isActive = false;
    pushed.update();
    await settled();
    assert.equal(subscribed.length, 0);
    isActive = true;
    pushed.update();
    await settled();
    isActive = false;
    pushed.update();
    assert.ok(pushed.isWatched(""));
    pushed.reset();
    assert.ok(!pushed.isWatched(""));
    assert.ok(subscribed[0]?.isDisposed);
  });
});

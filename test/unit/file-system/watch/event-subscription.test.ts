import assert from "node:assert/strict";
import { type ContentEventsListener, contentEventOf } from "../../../../src/api/content-server/events.ts";
import { EventSubscription } from "../../../../src/file-system/watch/event-subscription.ts";
import { clientOf } from "../../../content-server/api-client.ts";
import { SimulatedClock } from "../simulated-clock.ts";

const client = clientOf({ url: "http://127.0.0.1:1/", token: "token", root: "" });

describe("the subscription to a server's events", () => {
  let clock: SimulatedClock;
  let isActive: boolean;
  let changes: boolean[];
  let connections: ContentEventsListener[];
  let closed: number;
  let fail: Error | undefined;
  let subscription: EventSubscription;

  beforeEach(() => {
    clock = new SimulatedClock();
    isActive = true;
    changes = [];
    connections = [];
    closed = 0;
    fail = undefined;
    subscription = new EventSubscription({
      connect: async () => {
        if (fail !== undefined) {
          throw fail;
        }
        return client;
      },
      clock,
      isActive: () => isActive,
      onChanged: (hasEvents) => changes.push(hasEvents),
      onEvent: () => {},
      subscribe: (_, listener) => {
        connections.push(listener);
        return {
          close: () => {
            closed += 1;
          },
        };
      },
    });
  });

  it("starts a while after watching, and only once", async () => {
    subscription.ensure();
    subscription.ensure();
    await clock.pass(2_900);
    assert.equal(connections.length, 0);
    await clock.pass(200);
    subscription.ensure();
    await clock.pass(60_000);
    assert.equal(connections.length, 1);
    connections[0]?.onOpen();
    assert.deepEqual(changes, [true]);
  });

  it("doesn't retry a refusing server until its workspace is restarted", async () => {
    subscription.ensure();
    await clock.pass(3_000);
    connections[0]?.onClose();
    for (let minutes = 0; minutes < 60; minutes += 1) {
      subscription.ensure();
      await clock.pass(60_000);
    }
    assert.equal(connections.length, 1);
    subscription.reset();
    subscription.ensure();
    await clock.pass(3_000);
    assert.equal(connections.length, 2);
    assert.deepEqual(changes, []);
  });

  it("reopens a broken connection with increasing pauses, but not while requests aren't allowed", async () => {
    subscription.ensure();
    await clock.pass(3_000);
    connections[0]?.onOpen();
    isActive = false;
    connections[0]?.onClose();
    assert.deepEqual(changes, [true, false]);
    await clock.pass(600_000);
    assert.equal(connections.length, 1, "the window has no focus");
    isActive = true;
    subscription.ensure();
    await clock.pass(3_000);
    assert.equal(connections.length, 2);
    connections[1]?.onOpen();
    connections[1]?.onClose();
    await clock.pass(9_999);
    assert.equal(connections.length, 2);
    await clock.pass(1);
    assert.equal(connections.length, 3);
  });

  it("ends when nothing is watched anymore, and ignores late events", async () => {
    subscription.ensure();
    await clock.pass(3_000);
    connections[0]?.onOpen();
    subscription.reset();
    assert.deepEqual([changes, closed], [[true, false], 1]);
    connections[0]?.onClose();
    await clock.pass(600_000);
    assert.deepEqual([changes, connections.length], [[true, false], 1]);
  });

  it("retries an unreachable workspace only on demand", async () => {
    fail = new Error("stopped");
    subscription.ensure();
    await clock.pass(600_000);
    fail = undefined;
    assert.equal(connections.length, 0);
    subscription.ensure();
    await clock.pass(3_000);
    assert.equal(connections.length, 1);
  });
});

describe("a message of a server's events", () => {
  const schema = "https://events.jupyter.org/jupyter_server/contents_service/v1";
  const message = (fields: object): string => JSON.stringify({ schema_id: schema, ...fields });

  it("contains the action and the paths without outer slashes", () => {
    assert.deepEqual(contentEventOf(message({ action: "copy", path: "/b.txt", source_path: "a.txt" })), {
      action: "copy",
      path: "b.txt",
      sourcePath: "a.txt",
    });
    assert.deepEqual(contentEventOf(message({ action: "save", path: "b.txt" }))?.sourcePath, undefined);
  });

  it("is undefined for reads, other events, and invalid messages", () => {
    for (const text of [
      message({ action: "get", path: "b.txt" }),
      JSON.stringify({
        schema_id: "https://events.jupyter.org/jupyter_server/kernel_actions/v1",
        action: "start",
        path: "",
      }),
      message({ action: "save" }),
      "{",
      "null",
    ]) {
      assert.equal(contentEventOf(text), undefined, text);
    }
  });
});

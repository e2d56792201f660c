import assert from "node:assert/strict";
import * as z from "zod/mini";
import { defineCompanionOperation } from "../../../../src/api/companion/operation.ts";
import { PushReceivers } from "../../../../src/api/companion/pushes.ts";

const counting = defineCompanionOperation({
  name: "counting",
  parameters: z.object({}),
  result: z.object({}),
  push: z.int(),
});

describe("what the companion pushes", () => {
  let receivers: PushReceivers;
  let received: number[];
  let ended: string[];

  beforeEach(() => {
    receivers = new PushReceivers();
    received = [];
    ended = [];
  });

  const listen = (id: string) => receivers.add(id, counting, (value) => received.push(value));
  const push = (content: unknown): void => receivers.receive(content, [], (id) => ended.push(`${id} ended`));
  const subscribe = (id: string): void => {
    listen(id).onFailure = ({ message }) => ended.push(`${id}: ${message}`);
  };

  it("is passed on in order, with its buffers, to whom it is for", () => {
    const buffers: number[] = [];
    const receiver = receivers.add("a", counting, (value, [first = new Uint8Array()]) => buffers.push(value, ...first));
    listen("b");
    receivers.receive({ id: "a", number: 1, value: 7 }, [new Uint8Array([8])], () => assert.fail());
    push({ id: "b", number: 1, value: 9 });
    assert.deepEqual([buffers, received, receiver.received], [[7, 8], [9], 1]);
  });

  it("is ignored if it is for nobody, or not a push", () => {
    listen("a");
    for (const content of [{ id: "b", number: 1, value: 1 }, { id: "a", number: "1", value: 1 }, "a", null]) {
      push(content);
    }
    assert.equal(receivers.delete("a"), true);
    assert.equal(receivers.delete("a"), false);
    push({ id: "a", number: 1, value: 1 });
    assert.deepEqual([received, ended], [[], []]);
  });

  it("fails a request if one is lost, invalid, or can't be handled, and later ones are not passed on", () => {
    const lost = listen("lost");
    push({ id: "lost", number: 2, value: 2 });
    push({ id: "lost", number: 1, value: 1 });
    const invalid = listen("invalid");
    push({ id: "invalid", number: 1, value: "one" });
    const refused = receivers.add("refused", counting, () => {
      throw new Error("no");
    });
    push({ id: "refused", number: 1, value: 1 });
    assert.match(String(lost.failure), /A part of the companion's reply was lost/);
    assert.match(String(invalid.failure), /reply to counting is invalid/);
    assert.equal(refused.failure?.message, "no");
    // No reply can claim that all have arrived.
    assert.deepEqual([lost.received, invalid.received, refused.received], [-1, -1, -1]);
    assert.deepEqual([received, ended], [[], []]);
  });

  it("ends a subscription that fails, once", () => {
    subscribe("a");
    push({ id: "a", number: 1, value: 1 });
    push({ id: "a", number: 3, value: 3 });
    push({ id: "a", number: 4, value: 4 });
    assert.deepEqual(received, [1]);
    assert.deepEqual(ended, ["a ended", "a: A part of the companion's reply was lost."]);
    assert.equal(receivers.delete("a"), false);
  });

  it("ends with the connection for subscriptions, while requests continue", () => {
    subscribe("a");
    listen("b");
    receivers.failSubscriptions(new Error("gone"), (id) => ended.push(`${id} ended`));
    assert.deepEqual(ended, ["a ended", "a: gone"]);
    push({ id: "b", number: 1, value: 5 });
    assert.deepEqual(received, [5]);
    receivers.clear();
    push({ id: "b", number: 2, value: 6 });
    assert.deepEqual(received, [5]);
  });
});

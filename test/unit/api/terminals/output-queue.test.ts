import assert from "node:assert/strict";
import { OutputQueue } from "../../../../src/api/terminals/output-queue.ts";

describe("output that waits to be displayed", () => {
  const taken = (queue: OutputQueue): readonly string[] => {
    const parts: string[] = [];
    for (let part = queue.take(); part !== undefined; part = queue.take()) parts.push(part);
    return parts;
  };

  it("keeps everything in order, in parts that end with no unfinished sequence", () => {
    const queue = new OutputQueue();
    const text = "\u001b[38;2;1;2;3m😀\u001b[0m".repeat(20_000);
    for (let start = 0; start < text.length; start += 25) queue.add(text.slice(start, start + 25));
    const parts = taken(queue);
    assert.equal(parts.join(""), text);
    for (const part of parts) assert.match(part.slice(-30), /(?:m|😀)$/u);
    assert.ok(queue.isEmpty);
  });

  it("is full until enough was taken", () => {
    const queue = new OutputQueue();
    queue.add("x".repeat(1_048_576));
    assert.ok(queue.isFull);
    queue.take();
    assert.ok(!queue.isFull);
  });

  it("discards all but the last lines after an interrupt", () => {
    const queue = new OutputQueue();
    queue.add("before\r\n".repeat(100_000));
    queue.discard();
    assert.ok(!queue.isFull);
    assert.equal(queue.take(), undefined);
    queue.add("still\r\n".repeat(500_000));
    queue.add("^C\r\n$ ");
    queue.keep();
    const rest = taken(queue).join("");
    assert.ok(rest.length < 40_000, String(rest.length));
    assert.match(rest, /\r\n(?:still\r\n)+\^C\r\n\$ $/);
  });
});

import assert from "node:assert/strict";
import { DisplayFlow } from "../../../../src/features/terminals/display-flow.ts";

describe("the flow of output to the editor's terminal", () => {
  function start() {
    const written: string[] = [];
    const timers = new Set<() => void>();
    let rooms = 0;
    const flow = new DisplayFlow(
      (text) => written.push(text),
      () => {
        rooms += 1;
      },
      {
        now: () => 0,
        schedule: (_delay, work) => {
          timers.add(work);
          return () => timers.delete(work);
        },
      },
    );
    const responses = (): string =>
      written
        .splice(0)
        .flatMap((text) => [...text.matchAll(/\[\?(73\d+)\$p$/g)].map(([, mode]) => `\u001b[?${mode};0$y`))
        .join("");
    return { flow, written, timers, responses, rooms: () => rooms };
  }

  it("asks nothing about little output, and leaves what the user types", () => {
    const { flow, written } = start();
    flow.write("a");
    assert.deepEqual(written, ["a"]);
    assert.equal(flow.typedIn("ls\r\u001b[?7301;0$y"), "ls\r\u001b[?7301;0$y");
  });

  it("has no room until the terminal has displayed enough", () => {
    const { flow, responses, timers, rooms } = start();
    for (let part = 0; part < 4; part += 1) flow.write("x".repeat(32_768));
    assert.ok(!flow.hasRoom);
    assert.equal(flow.typedIn(`a${responses()}b`), "ab");
    assert.ok(flow.hasRoom);
    assert.deepEqual([rooms(), timers.size], [4, 0]);
  });

  it("does not wait forever for a terminal that does not respond", () => {
    const { flow, timers, responses } = start();
    for (let part = 0; part < 4; part += 1) flow.write("x".repeat(32_768));
    for (const timer of timers) timer();
    assert.ok(flow.hasRoom);
    assert.equal(flow.typedIn(`a${responses()}b`), "ab");
  });
});

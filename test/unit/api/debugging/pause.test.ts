import assert from "node:assert/strict";
import { Pause } from "../../../../src/api/debugging/pause.ts";

const scope = (variablesReference: number) => ({ success: true as const, body: { scopes: [{ variablesReference }] } });

describe("what the editor knows of a pause", () => {
  it("has a bounded number of references, the newest ones, until the code continues", () => {
    const pause = new Pause(async () => ({ success: true, body: {} }));
    const variables = Array.from({ length: 100_000 }, (_, index) => ({ variablesReference: index + 2 }));
    pause.withReferences(scope(1));
    assert.ok(pause.hasReference(1));
    pause.withReferences({ success: true, body: { variables } });
    assert.deepEqual(
      [1, 2, 100_001].map((reference) => pause.hasReference(reference)),
      [false, true, true],
    );
    pause.end();
    assert.ok(!pause.hasReference(100_001));
  });

  it("has each stack once, and asks again after a failure, a stop, and a step", async () => {
    let asked = 0;
    const results = [{ success: false as const, message: "" }];
    const pause = new Pause(async () => {
      asked += 1;
      return results.shift() ?? { success: true, body: { stackFrames: [{ id: 7 }] } };
    });
    await pause.stack(1);
    await Promise.all([pause.stack(1), pause.stack(1)]);
    assert.equal(asked, 2);
    assert.ok((await pause.hasFrame(7)) && !(await pause.hasFrame(8)));
    pause.begin(1);
    await pause.stack(1);
    pause.end();
    assert.ok(!(await pause.hasFrame(7)));
    await pause.stack(1);
    assert.equal(asked, 4);
  });
});

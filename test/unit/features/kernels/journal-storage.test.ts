import assert from "node:assert/strict";
import { journalIn, KernelBindings } from "../../../../src/features/kernels/sessions/journal-storage.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { Uri } from "../../../harness/editor-stand-in/vscode.ts";

const entry = {
  ...{ messageId: "m", cellId: undefined, cellIndex: 3, sourceHash: "h" },
  ...{ sentAt: 5, isFinished: false },
};
const uriOf = (number: number) => Uri.parse(`platform-contents://one.acme/${number}.ipynb`);

describe("what is remembered of kernels", () => {
  it("is there again for the next window", async () => {
    let kept = "{}";
    const state = new StandInMemento(kept, (json) => {
      kept = json;
    });
    await journalIn(state, "j").write("kernel", { sessionId: "s", entries: [entry, { ...entry, cellId: "c" }] });
    const read = await journalIn(new StandInMemento(kept), "j").read("kernel");
    assert.deepEqual(read, { sessionId: "s", entries: [entry, { ...entry, cellId: "c" }] });
    await journalIn(state, "another notebook's").remove("kernel");
    assert.deepEqual(await journalIn(state, "j").read("kernel"), read);
    assert.equal(await journalIn(state, "another notebook's").read("kernel"), undefined);
    await journalIn(state, "j").remove("kernel");
    assert.equal(await journalIn(state, "j").read("kernel"), undefined);
  });

  it("is nothing where something else is stored", async () => {
    const state = new StandInMemento(
      JSON.stringify({ "kernels.journal/kernel/j": { sessionId: 1 }, "kernels.notebooks": [] }),
    );
    assert.equal(await journalIn(state, "j").read("kernel"), undefined);
    assert.equal(new KernelBindings(state).get(uriOf(1)), undefined);
  });

  it("is kept for the last hundred notebooks, with the journals of their kernels", async () => {
    const state = new StandInMemento();
    const bindings = new KernelBindings(state);
    for (let number = 0; number <= 100; number += 1) {
      const kernelId = `kernel ${number}`;
      await journalIn(state, "s").write(kernelId, { sessionId: "s", entries: [] });
      await bindings.set(uriOf(number), { kernelId, sessionId: "s", specName: "python3" });
    }
    const left = [...Array(101).keys()].filter((number) => bindings.get(uriOf(number)) !== undefined);
    assert.equal(left.length, 100);
    const journals = state.keys().filter((key) => key.startsWith("kernels.journal/") && state.get(key) !== undefined);
    assert.equal(journals.length, 100);
    await bindings.remove(uriOf(100));
    assert.equal(bindings.get(uriOf(100)), undefined);
  });
});

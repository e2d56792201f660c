import assert from "node:assert/strict";
import { journalIn, KernelBindings } from "../../../../src/features/kernels/sessions/journal-storage.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { Uri } from "../../../harness/editor-stand-in/vscode.ts";

const entry = {
  ...{ messageId: "m", cellId: undefined, cellIndex: 3, sourceHash: "h" },
  ...{ sentAt: 5, isFinished: false },
};
const uriOf = (number: number) => Uri.parse(`platform-contents://one.acme/${number}.ipynb`);

describe("stored data about kernels", () => {
  it("is available in the next window", async () => {
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

  it("is empty if something else is stored", async () => {
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

  const bound = (kernelId: string) => ({ kernelId, sessionId: "s", specName: "python3" });
  const written = async (state: StandInMemento, ...kernelIds: readonly string[]): Promise<void> => {
    for (const kernelId of kernelIds) {
      await journalIn(state, "s").write(kernelId, { sessionId: "s", entries: [entry] });
    }
  };
  const journalsIn = (state: StandInMemento): readonly string[] =>
    state.keys().filter((key) => key.startsWith("kernels.journal/"));

  it("is deleted with the notebook's last kernel, unless another notebook has that kernel", async () => {
    const state = new StandInMemento();
    const bindings = new KernelBindings(state);
    await written(state, "first", "second");
    await bindings.set(uriOf(1), bound("first"));
    await bindings.set(uriOf(1), bound("first"));
    assert.deepEqual(journalsIn(state), ["kernels.journal/first/s", "kernels.journal/second/s"]);
    await bindings.set(uriOf(1), bound("second"));
    assert.deepEqual(journalsIn(state), ["kernels.journal/second/s"]);
    // The notebook is renamed.
    await bindings.set(uriOf(2), bound("second"));
    await bindings.remove(uriOf(1));
    assert.deepEqual(journalsIn(state), ["kernels.journal/second/s"]);
    await bindings.remove(uriOf(2));
    assert.deepEqual(journalsIn(state), []);
  });

  it("is deleted later if an earlier version left it", async () => {
    const state = new StandInMemento();
    const bindings = new KernelBindings(state);
    await written(state, "bound", "left", "also left");
    await state.update("kernels.owner", "o");
    await bindings.set(uriOf(1), bound("bound"));
    await bindings.sweepJournals();
    assert.deepEqual(state.keys(), ["kernels.journal/bound/s", "kernels.owner", "kernels.notebooks"]);
    await bindings.remove(uriOf(1));
    await written(state, "left");
    await state.update("kernels.notebooks", undefined);
    await bindings.sweepJournals();
    assert.deepEqual(journalsIn(state), []);
  });

  it("is kept if the notebooks with kernels can't be read", async () => {
    const state = new StandInMemento(JSON.stringify({ "kernels.notebooks": { "a:b": { by: "another version" } } }));
    await written(state, "kernel");
    await new KernelBindings(state).sweepJournals();
    assert.equal(journalsIn(state).length, 1);
  });
});

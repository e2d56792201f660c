import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecutionJournal, JournalEntry } from "../../../../src/api/kernels/executions/execution-journal.ts";
import type { ExecutionRecord } from "../../../../src/api/kernels/protocol/execution/execution.ts";
import { JournalFiles } from "../../../../src/features/kernels/sessions/journal-files.ts";
import { KernelBindings } from "../../../../src/features/kernels/sessions/kernel-bindings.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { Uri } from "../../../harness/editor-stand-in/vscode.ts";
import { executionOf, KernelExecutions } from "../../../harness/kernel-executions.ts";

const entry: JournalEntry = {
  messageId: "m",
  cellId: undefined,
  cellIndex: 3,
  sourceHash: "h",
  sentAt: 5,
  isFinished: false,
};
const uriOf = (number: number) => Uri.parse(`platform-contents://one.acme/${number}.ipynb`);

describe("stored data about kernels", () => {
  let directory: string;
  let journals: JournalFiles;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-journals-"));
    journals = new JournalFiles(directory, "this window");
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const fileOf = async (kernelId: string, sessionId: string): Promise<string> => {
    const before = new Set(await readdir(directory));
    await journals.of(sessionId).replace(kernelId, { sessionId: "s", entries: [entry] });
    const [name = ""] = (await readdir(directory)).filter((file) => !before.has(file));
    return join(directory, name);
  };
  const readIn = (kernelId: string) => journals.of("s").read(kernelId);

  describe("in journals", () => {
    it("is available in the next window", async () => {
      const other = { ...entry, messageId: "other", cellId: "c" };
      const finished = { ...entry, isFinished: true, outcome: "ok" as const };
      await journals.of("j").replace("kernel", { sessionId: "s", entries: [entry] });
      await journals.of("j").append("kernel", [other], "message-1");
      await journals.of("j").append("kernel", [], "message-2");
      await journals.of("j").append("kernel", [finished]);
      const next = new JournalFiles(directory, "this window");
      const read = await next.of("j").read("kernel");
      assert.deepEqual(read, { sessionId: "s", entries: [finished, other], deliveredId: "message-2" });
      await journals.of("another notebook's").remove("kernel");
      assert.deepEqual(await next.of("j").read("kernel"), read);
      assert.equal(await next.of("another notebook's").read("kernel"), undefined);
      assert.equal(await new JournalFiles(directory, "another window").of("j").read("kernel"), undefined);
      await journals.of("j").remove("kernel");
      assert.equal(await next.of("j").read("kernel"), undefined);
    });

    it("survives an incomplete last change, and is never mixed with it", async () => {
      const path = await fileOf("kernel", "s");
      const line = JSON.stringify({ ...entry, messageId: "torn" });
      await appendFile(path, line.slice(0, -1));
      assert.deepEqual((await readIn("kernel"))?.entries, [entry]);
      // The next window writes the whole journal first.
      const table = new KernelExecutions(journals.of("s"), "kernel", (await readIn("kernel"))?.entries);
      await table.add([recordOf("next")]);
      assert.deepEqual(
        (await readIn("kernel"))?.entries.map(({ messageId }) => messageId),
        ["m", "next"],
      );
    });

    it("is bounded, whatever the file contains", async () => {
      const path = await fileOf("kernel", "s");
      await writeFile(
        path,
        `{"sessionId":"s"}\n[]\nnull\n{"messageId":1}\n${"[".repeat(100_000)}\n${JSON.stringify(entry)}\n`,
      );
      assert.deepEqual((await readIn("kernel"))?.entries, [entry]);
      await writeFile(path, `{"sessionId":1}\n${JSON.stringify(entry)}\n`);
      assert.equal(await readIn("kernel"), undefined);
      await writeFile(path, `{"sessionId":"s"}\n${" ".repeat(16_000_000)}`);
      assert.equal(await readIn("kernel"), undefined);
      await journals
        .of("s")
        .replace("kernel", { sessionId: "s", entries: [{ ...entry, cellId: "c".repeat(1_000_000) }] });
      assert.ok((await readFile(path)).length < 1000);
      assert.deepEqual((await readIn("kernel"))?.entries, [entry]);
    });

    it("is written again if the file was deleted", async () => {
      const table = new KernelExecutions(journals.of("s"));
      await table.add([recordOf("first")]);
      await rm(directory, { recursive: true });
      await table.add([recordOf("second")]);
      assert.deepEqual(
        (await readIn("k"))?.entries.map(({ messageId }) => messageId),
        ["first", "second"],
      );
    });

    for (const oneByOne of [false, true]) {
      it(`costs at most 2 MB for 1,000 cells that run ${oneByOne ? "one by one" : "at once"}`, async () => {
        const cost = { bytes: 0, writes: 0 };
        const counted = countedJournal(journals.of("s"), cost);
        const table = new KernelExecutions(counted);
        const records = Array.from({ length: 1000 }, (_, index) => recordOf(`${index}`));
        if (!oneByOne) {
          await table.add(records);
        }
        const began = performance.now();
        for (const record of records) {
          if (oneByOne) {
            await table.add([record]);
          }
          table.end(record, { type: "ok" });
          table.executions.journal.noteDelivered(`${randomUUID()}_${record.entry.messageId}`);
          await new Promise(setImmediate);
        }
        table.executions.journal.noteDelivered("last");
        await table.finishWriting();
        assert.ok(cost.bytes < 2_000_000, `${cost.bytes} bytes`);
        const unrequested = cost.writes - (oneByOne ? records.length : 1);
        assert.ok(unrequested <= 2 + (performance.now() - began) / 100, `${unrequested} writes`);
        const read = await readIn("k");
        assert.equal(read?.entries.length, 1000);
        assert.equal(read?.deliveredId, "last");
        assert.ok(read?.entries.every(({ isFinished, outcome }) => isFinished && outcome === "ok"));
      });
    }

    it("does not grow with the number of runs", async () => {
      const table = new KernelExecutions(journals.of("s"));
      for (let batch = 0; batch < 30; batch += 1) {
        const records = Array.from({ length: 500 }, (_, index) => recordOf(`${batch}/${index}`));
        await table.add(records);
        for (const record of records) {
          table.end(record, { type: "ok" });
        }
        await table.finishWriting();
      }
      const [name = ""] = await readdir(directory);
      const bytes = (await readFile(join(directory, name))).length;
      assert.ok(bytes < 2_500_000, `${bytes} bytes`);
    });

    it("has no entries of a request that could not be stored", async () => {
      let isFull = false;
      const files = journals.of("s");
      const write = (work: () => Promise<void>) => (isFull ? Promise.reject(new Error("disk full")) : work());
      const table = new KernelExecutions({
        ...files,
        append: (kernelId, entries) => write(() => files.append(kernelId, entries)),
        replace: (kernelId, journal) => write(() => files.replace(kernelId, journal)),
      });
      await table.add([recordOf("first")]);
      isFull = true;
      const results = await Promise.allSettled([table.add([recordOf("second")]), table.add([recordOf("third")])]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ["rejected", "rejected"],
      );
      isFull = false;
      await table.add([recordOf("fourth")]);
      assert.deepEqual(
        (await readIn("k"))?.entries.map(({ messageId }) => messageId),
        ["first", "fourth"],
      );
    });
  });

  it("is empty if something else is stored", () => {
    const state = new StandInMemento(JSON.stringify({ "kernels.notebooks": [] }));
    assert.equal(new KernelBindings(state, journals).get(uriOf(1)), undefined);
  });

  const bound = (kernelId: string) => ({ kernelId, sessionId: "s", specName: "python3" });
  const written = async (...kernelIds: readonly string[]): Promise<void> => {
    for (const kernelId of kernelIds) {
      await journals.of("s").replace(kernelId, { sessionId: "s", entries: [entry] });
    }
  };
  /** Which of these kernels have a journal. */
  const journalsOf = async (...kernelIds: readonly string[]): Promise<readonly string[]> => {
    const stored: string[] = [];
    for (const kernelId of kernelIds) {
      if ((await readIn(kernelId)) !== undefined) {
        stored.push(kernelId);
      }
    }
    assert.equal((await readdir(directory)).length, stored.length);
    return stored;
  };

  it("is kept for the last hundred notebooks, with the journals of their kernels", async () => {
    const bindings = new KernelBindings(new StandInMemento(), journals);
    for (let number = 0; number <= 100; number += 1) {
      await written(`kernel ${number}`);
      await bindings.set(uriOf(number), bound(`kernel ${number}`));
    }
    const left = [...Array(101).keys()].filter((number) => bindings.get(uriOf(number)) !== undefined);
    assert.equal(left.length, 100);
    assert.equal((await readdir(directory)).length, 100);
    await bindings.remove(uriOf(100));
    assert.equal(bindings.get(uriOf(100)), undefined);
  });

  it("is deleted with the notebook's last kernel, unless another notebook has that kernel", async () => {
    const bindings = new KernelBindings(new StandInMemento(), journals);
    await written("first", "second");
    await bindings.set(uriOf(1), bound("first"));
    await bindings.set(uriOf(1), bound("first"));
    assert.deepEqual(await journalsOf("first", "second"), ["first", "second"]);
    await bindings.set(uriOf(1), bound("second"));
    assert.deepEqual(await journalsOf("first", "second"), ["second"]);
    // The notebook is renamed.
    await bindings.set(uriOf(2), bound("second"));
    await bindings.remove(uriOf(1));
    assert.deepEqual(await journalsOf("first", "second"), ["second"]);
    await bindings.remove(uriOf(2));
    assert.deepEqual(await journalsOf("first", "second"), []);
  });

  it("is deleted later if no notebook has the kernel, also in workspaces that are no longer opened", async () => {
    const bindings = new KernelBindings(new StandInMemento(), journals);
    await written("bound", "left", "also left");
    await bindings.set(uriOf(1), bound("bound"));
    const [used, old] = [new JournalFiles(directory, "used"), new JournalFiles(directory, "old")];
    const before = new Set(await readdir(directory));
    await old.of("s").replace("kernel", { sessionId: "s", entries: [entry] });
    const [oldName = ""] = (await readdir(directory)).filter((name) => !before.has(name));
    await utimes(join(directory, oldName), 0, 0);
    await used.of("s").replace("kernel", { sessionId: "s", entries: [entry] });
    await bindings.sweepJournals();
    assert.equal((await readdir(directory)).length, 2);
    assert.notEqual(await readIn("bound"), undefined);
    assert.notEqual(await used.of("s").read("kernel"), undefined);
  });

  it("is kept if the notebooks with kernels can't be read", async () => {
    const state = new StandInMemento(JSON.stringify({ "kernels.notebooks": { "a:b": { by: "another version" } } }));
    await written("kernel");
    await new KernelBindings(state, journals).sweepJournals();
    assert.deepEqual(await journalsOf("kernel"), ["kernel"]);
  });
});

function recordOf(messageId: string): ExecutionRecord {
  const cellId = "8d4dc7de-1f4f-4f2e-9c0e-5d0b2f1f8a11";
  return executionOf(
    { ...entry, messageId, cellId, sourceHash: "0".repeat(64), sentAt: Date.now() },
    { onEvents: () => {} },
    "pass",
  );
}

function countedJournal(journal: ExecutionJournal, cost: { bytes: number; writes: number }): ExecutionJournal {
  const count = (written: unknown): void => {
    cost.bytes += JSON.stringify(written).length;
    cost.writes += 1;
  };
  return {
    ...journal,
    replace(kernelId, whole) {
      count(whole);
      return journal.replace(kernelId, whole);
    },
    append(kernelId, entries, deliveredId) {
      count([entries, deliveredId]);
      return journal.append(kernelId, entries, deliveredId);
    },
  };
}

// The variables of a notebook's kernel by the companion's program, on real Jupyter Servers.
import assert from "node:assert/strict";
import { attachProgram } from "../../src/api/companion/attach.ts";
import type { Companion } from "../../src/api/companion/companion.ts";
import { CompanionOperationError } from "../../src/api/companion/errors.ts";
import {
  deleteVariables,
  listMembers,
  listVariableChildren,
  listVariables,
  readVariable,
  type VariableRow,
  watchVariables,
} from "../../src/api/companion/operations/variables.ts";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { until } from "../harness/until.ts";
import { Cell, type KernelRig, run, startRig } from "./rig.ts";

const everything = { filter: "", sort: "name" as const, includesAll: false, offset: 0, count: 200 };
const path = (name: string) => [{ kind: "name" as const, at: name }];

async function rowsOf(program: Companion): Promise<ReadonlyMap<string, VariableRow>> {
  const { rows } = await program.request(listVariables, everything);
  return new Map(rows.map((row) => [row.label, row]));
}

/** Starts a cell, and waits until it has printed `began`. */
async function begin(connection: KernelConnection, code: string, index = 0) {
  const cell = new Cell(`print('began', flush=True)\n${code}`);
  const [execution] = await connection.execute([cell.request(index)]);
  await until("the cell to begin", () => cell.text().startsWith("began\n"));
  return { cell, ended: execution?.ended };
}

for (const release of ["current", "older"] as const) {
  describe(`variables of a kernel (${release} server)`, function () {
    this.timeout(180_000);
    let rig: KernelRig;
    let connection: KernelConnection;
    let program: Companion;

    before(async () => {
      rig = await startRig([], { release });
    });
    after(() => rig.stop());
    beforeEach(async () => {
      connection = await rig.connect(await rig.startKernel());
      program = await attachProgram(connection);
    });
    afterEach(() => connection.dispose());

    it("are listed with their values, and expanded", async () => {
      assert.deepEqual(await program.request(listVariables, everything), { rows: [], total: 0, all: 0 });
      await run(connection, "import os\nanswer = 42\ndata = {'a': [1, 2, {'deep': None}]}\n_private = 1");
      const rows = await rowsOf(program);
      assert.deepEqual([...rows.keys()], ["answer", "data"]);
      assert.deepEqual([rows.get("answer")?.type, rows.get("answer")?.value], ["int", "42"]);
      const steps = [...path("data"), { kind: "key" as const, at: "'a'" }, { kind: "index" as const, at: 2 }];
      const deep = await program.request(listVariableChildren, { path: steps, offset: 0, count: 10 });
      assert.deepEqual(
        deep.rows.map(({ label, value, expression }) => [label, value, expression]),
        [["'deep'", "None", "data['a'][2]['deep']"]],
      );
      assert.deepEqual(await program.request(readVariable, { path: path("data") }), {
        text: "{'a': [1, 2, {'deep': None}]}",
        isCut: false,
      });
      const all = await program.request(listVariables, { ...everything, includesAll: true });
      assert.deepEqual(
        all.rows.map(({ label }) => label),
        ["_private", "answer", "data", "os"],
      );
    });

    it("are reported after each cell, with the cell that set them", async () => {
      await run(connection, "early = object()");
      let pushes = 0;
      const onFailure = (error: Error): void => assert.fail(error);
      const subscription = await program.subscribe(watchVariables, {}, { onPush: () => (pushes += 1), onFailure });
      const cell = new Cell("items = []");
      await (await connection.execute([cell.request(7)]))[0]?.ended;
      await until("a report", () => pushes > 0);
      const rows = await rowsOf(program);
      assert.equal(rows.get("early")?.setter, null);
      assert.equal(rows.get("items")?.setter?.cell, "cell-7");
      const before = pushes;
      await run(connection, "items.append(1)");
      await until("a report of the same list", () => pushes > before);
      assert.equal((await rowsOf(program)).get("items")?.value, "[1]");
      subscription.dispose();
    });

    it("are reported and read while a cell runs, and deleted only afterward", async () => {
      let pushes = 0;
      const onFailure = (error: Error): void => assert.fail(error);
      await program.subscribe(watchVariables, {}, { onPush: () => (pushes += 1), onFailure });
      await run(connection, "old = 1");
      await until("the report of a cell", () => pushes > 0);
      pushes = 0;
      const code = "import time\nsteps = []\nfor n in range(100000):\n    steps.append(n)\n    time.sleep(0.01)";
      const { cell, ended } = await begin(connection, code, 3);
      await until("a report", () => pushes > 0);
      const steps = (await rowsOf(program)).get("steps");
      assert.match(steps?.value ?? "", /^\[0/);
      assert.equal(steps?.setter?.cell, "cell-3");
      assert.deepEqual(cell.of("ended"), []);
      const remove = (): Promise<unknown> => program.request(deleteVariables, { names: ["old"] });
      await assert.rejects(remove, (error) => error instanceof CompanionOperationError && error.kind === "busy");
      await connection.interrupt();
      await ended;
      await until("the deletion", () =>
        remove().then(
          () => true,
          () => false,
        ),
      );
      assert.equal((await run(connection, "print('old' in globals())")).text(), "False\n");
    });

    it("with hostile values are listed, and neither delay cells nor show in their output", async () => {
      const code = [
        "import threading, time",
        "class Slow:\n    def __repr__(self):\n        time.sleep(3600)",
        "class Raising:\n    def __repr__(self):\n        raise ValueError('never')",
        "class Huge:\n    def __repr__(self):\n        return 'x' * 100_000_000",
        "class Printing:\n    def __repr__(self):\n        print('printed'); display('displayed')\n        return 'Printing'",
        "from IPython.display import display",
        "slow, raising, huge, printing, fine = Slow(), Raising(), Huge(), Printing(), [1]",
      ].join("\n");
      const cell = await run(connection, code);
      const rows = await rowsOf(program);
      assert.deepEqual(
        ["slow", "raising", "huge", "fine"].map((name) => rows.get(name)?.problem),
        ["slow", "raised", null, null],
      );
      assert.equal(rows.get("raising")?.value, "ValueError: never");
      assert.equal(rows.get("huge")?.isCut, true);
      assert.equal(rows.get("printing")?.value, "Printing");
      assert.equal((await run(connection, "print(fine)")).text(), "[1]\n");
      // What was printed would have arrived before the output of the next cell.
      assert.deepEqual([cell.of("stream"), cell.of("display")], [[], []]);
    });

    it("are gone after a restart", async () => {
      await run(connection, "value = 1");
      const failed = Promise.withResolvers<Error>();
      await program.subscribe(watchVariables, {}, { onPush: () => {}, onFailure: failed.resolve });
      await connection.restart();
      assert.equal((await failed.promise).name, "CompanionLostError");
      const next = await attachProgram(connection);
      assert.equal((await next.request(listVariables, everything)).total, 0);
    });

    it("of ten thousand names are read in pages", async () => {
      await run(connection, "globals().update({f'name_{n:05}': [n] for n in range(10_000)})");
      const { rows, total } = await program.request(listVariables, { ...everything, offset: 9800 });
      assert.deepEqual([rows.length, rows.at(-1)?.label, total], [200, "name_09999", 10_000]);
      const found = await program.request(listVariables, { ...everything, filter: "NAME_0999" });
      assert.equal(found.total, 10);
    });
  });
}

it("of data are summarized with their shapes, and frames list their columns", async function () {
  this.timeout(180_000);
  const rig = await startRig();
  try {
    const connection = await rig.connect(await rig.startKernel());
    await run(
      connection,
      [
        "import numpy as np, pandas as pd",
        "frame = pd.DataFrame({'month': ['a', 'b'], 'revenue': [1.5, 2.5], ('x', 1): [1, 2]})",
        "series = frame['revenue']",
        "matrix = np.zeros((3, 4))",
        "line = np.arange(1_000_000)",
      ].join("\n"),
    );
    const program = await attachProgram(connection);
    const rows = await rowsOf(program);
    const summary = (name: string) => {
      const row = rows.get(name);
      return [row?.type, row?.shape, row?.isFrame, row?.hasChildren, row?.value];
    };
    assert.deepEqual(summary("frame").slice(0, 4), ["DataFrame", "(2, 3)", true, true]);
    assert.match(rows.get("frame")?.value ?? "", /^month: \w+, revenue: float64, \('x', 1\): int64$/);
    assert.deepEqual(summary("series"), ["Series", "(2)", false, false, "float64: [1.5, 2.5]"]);
    assert.deepEqual(summary("matrix").slice(0, 4), ["ndarray", "(3, 4)", true, false]);
    assert.equal(rows.get("line")?.size, 8_000_000);
    const live = await program.request(listMembers, { expression: "frame", kind: "attribute" });
    assert.deepEqual(
      live.members.slice(0, 2).map(({ name }) => name),
      ["month", "revenue"],
    );
    assert.ok(live.members.some(({ name, type }) => name === "groupby" && type === "function"));
    const keys = await program.request(listMembers, { expression: "frame", kind: "key" });
    assert.deepEqual(
      keys.members.map(({ name }) => name),
      ["month", "revenue"],
    );
    const columns = await program.request(listVariableChildren, { path: path("frame"), offset: 0, count: 10 });
    assert.deepEqual(
      columns.rows.map(({ label, expression, type }) => [label, expression, type]),
      [
        ["month", "frame['month']", "Series"],
        ["revenue", "frame['revenue']", "Series"],
        ["('x', 1)", null, "Series"],
      ],
    );
  } finally {
    await rig.stop();
  }
});

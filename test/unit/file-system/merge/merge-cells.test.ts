import assert from "node:assert/strict";
import fc from "fast-check";
import { type MergeCell, type MergedCells, mergeCells } from "../../../../src/file-system/merge/merge-cells.ts";

const labels = { ours: "Yours", theirs: "The server's" };

function cell(source: string, parts: Partial<MergeCell> = {}): MergeCell {
  return { id: undefined, kind: "code python", source, metadata: "{}", outputs: "[]", ...parts };
}

function merge(
  base: readonly MergeCell[],
  ours: readonly MergeCell[],
  theirs: readonly MergeCell[],
): Promise<MergedCells> {
  return mergeCells(base, ours, theirs, labels);
}

const sources = ({ cells }: MergedCells): readonly string[] => cells.map(({ source }) => source);
const withIds = (...texts: readonly string[]): readonly MergeCell[] =>
  texts.map((text) => cell(text.replace(/^\w+:/, ""), { id: text.slice(0, text.indexOf(":")) }));

describe("merging notebooks cell by cell", () => {
  it("applies the cells that each side changed, added, and deleted", async () => {
    const merged = await merge(
      withIds("a:one", "b:two", "c:three", "d:four"),
      withIds("a:ONE", "b:two", "x:mine", "c:three", "d:four"),
      withIds("a:one", "c:three", "d:FOUR", "y:theirs"),
    );
    assert.deepEqual(sources(merged), ["ONE", "mine", "three", "FOUR", "theirs"]);
    assert.deepEqual([merged.conflicts, merged.kept], [0, 0]);
  });

  it("the same without ids", async () => {
    const cells = (...texts: readonly string[]): readonly MergeCell[] => texts.map((text) => cell(text));
    const merged = await merge(
      cells("one", "two", "three", "four"),
      cells("ONE", "two", "mine", "three", "four"),
      cells("one", "three", "FOUR", "theirs"),
    );
    assert.deepEqual(sources(merged), ["ONE", "mine", "three", "FOUR", "theirs"]);
  });

  it("pairs a cell with the same id before one with the same text", async () => {
    const base = [cell("x", { id: "a" }), cell("y")];
    const ours = [cell("y", { id: "a" }), cell("z")];
    const theirs = [cell("x", { id: "a" }), cell("y", { outputs: "[1]" })];
    const merged = await merge(base, ours, theirs);
    assert.deepEqual(sources(merged), ["y", "z"]);
    assert.deepEqual(
      merged.cells.map(({ outputs }) => outputs.side),
      ["theirs", "theirs"],
    );
    assert.deepEqual([merged.conflicts, merged.kept], [0, 0]);
  });

  it("merges a cell that both changed line by line, with the same lines between markers", async () => {
    const base = withIds("a:x = 1\n\ny = 2");
    assert.deepEqual(sources(await merge(base, withIds("a:x = 10\n\ny = 2"), withIds("a:x = 1\n\ny = 20"))), [
      "x = 10\n\ny = 20",
    ]);
    const conflict = await merge(base, withIds("a:x = 10\n\ny = 2"), withIds("a:x = 11\n\ny = 2"));
    assert.equal(conflict.conflicts, 1);
    assert.match(sources(conflict)[0] ?? "", /^<<<<<<< Yours\nx = 10\n=======\nx = 11\n>>>>>>> The server's\n\ny = 2$/);
  });

  it("keeps a cell that one side deleted and the other changed", async () => {
    const base = withIds("a:one", "b:two", "c:three");
    const deletedHere = await merge(base, withIds("a:one", "c:three"), withIds("a:one", "b:TWO", "c:three"));
    assert.deepEqual([sources(deletedHere), deletedHere.kept], [["one", "TWO", "three"], 1]);
    const deletedThere = await merge(base, withIds("a:one", "b:TWO", "c:three"), withIds("a:one", "c:three"));
    assert.deepEqual([sources(deletedThere), deletedThere.kept], [["one", "TWO", "three"], 1]);
    assert.deepEqual(deletedThere.cells[1]?.kind, { side: "ours", index: 1 });
    const deletedByBoth = await merge(base, withIds("a:one"), withIds("a:one"));
    assert.deepEqual([sources(deletedByBoth), deletedByBoth.kept], [["one"], 0]);
  });

  it("keeps a deleted cell from the side that changed any part of it", async () => {
    const base = withIds("a:one", "b:two", "c:three", "d:four");
    const without = withIds("a:one", "c:three", "d:four");
    for (const part of ["source", "kind", "metadata", "outputs"] as const) {
      const changed = base.map((one) => (one.id === "b" ? { ...one, [part]: "changed" } : one));
      const merged = await merge(base, without, changed);
      assert.deepEqual([merged.cells.length, merged.kept], [4, 1], part);
      const theirs = { side: "theirs", index: 1 };
      const { kind, metadata, outputs } = merged.cells[1] ?? {};
      assert.deepEqual([kind, metadata, outputs], [theirs, theirs, theirs]);
    }
    const unchanged = await merge(base, without, base);
    assert.deepEqual([sources(unchanged), unchanged.kept], [["one", "three", "four"], 0]);
  });

  it("matches a cell by position if an id is missing on either side", async () => {
    const cells = (id: string | undefined, source: string): readonly MergeCell[] => [cell(source, { id })];
    for (const [baseId, oursId] of [
      [undefined, undefined],
      [undefined, "n"],
      ["n", undefined],
    ]) {
      const merged = await merge(
        cells(baseId, "x = 1\n\ny = 2"),
        cells(oursId, "x = 10\n\ny = 2"),
        cells(baseId, "x = 1\n\ny = 20"),
      );
      assert.deepEqual(sources(merged), ["x = 10\n\ny = 20"]);
    }
  });

  it("matches a cell with the same source and another id, but not one with another source", async () => {
    const base = withIds("a:one");
    assert.deepEqual(sources(await merge(base, withIds("b:one"), withIds("a:ONE"))), ["ONE"]);
    const replaced = await merge(base, withIds("b:two"), withIds("a:ONE"));
    assert.deepEqual([[...sources(replaced)].sort(), replaced.conflicts, replaced.kept], [["ONE", "two"], 0, 1]);
  });

  it("without ids, doesn't match a cell of another kind, or two cells in the place of one", async () => {
    const [one, two, three] = [cell("one"), cell("two"), cell("three")];
    const theirs = [one, cell("TWO"), three];
    const otherKind = await merge([one, two, three], [one, cell("text", { kind: "markdown" }), three], theirs);
    assert.deepEqual([otherKind.cells.length, otherKind.conflicts, otherKind.kept], [4, 0, 1]);
    const split = await merge([one, two, three], [one, cell("tw"), cell("o"), three], theirs);
    assert.deepEqual([split.cells.length, split.conflicts, split.kept], [5, 0, 1]);
  });

  it("without ids, doesn't mistake an added first cell for another one", async () => {
    const merged = await merge(
      [cell("one"), cell("two")],
      [cell("new"), cell("one"), cell("two")],
      [cell("ONE"), cell("two")],
    );
    assert.deepEqual([sources(merged), merged.conflicts], [["new", "ONE", "two"], 0]);
  });

  it("doesn't match a cell with a known id to another one by its source", async () => {
    const base = [cell("x", { id: "a" }), cell("y")];
    const merged = await merge(base, [cell("y", { id: "a" }), cell("y")], [cell("x", { id: "a" }), cell("Y")]);
    assert.deepEqual([sources(merged), merged.conflicts], [["y", "Y"], 0]);
  });

  it("combines cells that both added with the same id, or the same kind and source", async () => {
    const [text, code] = [cell("same", { kind: "markdown" }), cell("same")];
    assert.deepEqual(sources(await merge([], [code], [code])), ["same"]);
    assert.equal((await merge([], [code], [text])).cells.length, 2);
    assert.equal((await merge([], [code], [code, code])).cells.length, 2);
    const sameId = await merge([], withIds("x:mine"), withIds("x:theirs"));
    assert.deepEqual([sameId.cells.length, sameId.conflicts], [1, 1]);
    assert.deepEqual(sameId.cells[0]?.outputs, { side: "ours", index: 0 });
  });

  it("uses our kind and outputs if both changed them", async () => {
    const version = (name: string): MergeCell => cell("x", { id: "a", kind: name, outputs: name, metadata: name });
    const {
      cells: [merged],
    } = await merge([version("old")], [version("mine")], [version("theirs")]);
    assert.deepEqual([merged?.kind.side, merged?.outputs.side, merged?.metadata.side], ["ours", "ours", "ours"]);
  });

  it("keeps cells that both added at the same position one after the other, and the same cell once", async () => {
    const base = withIds("a:one");
    assert.deepEqual(sources(await merge(base, withIds("a:one", "x:mine"), withIds("a:one", "y:theirs"))), [
      "one",
      "mine",
      "theirs",
    ]);
    assert.deepEqual(sources(await merge(base, withIds("a:one", "x:same"), withIds("a:one", "y:same"))), [
      "one",
      "same",
    ]);
  });

  it("moves a cell to its new position, with the other side's change", async () => {
    const merged = await merge(
      withIds("a:one", "b:two", "c:three"),
      withIds("b:two", "c:three", "a:one"),
      withIds("a:ONE", "b:two", "c:three"),
    );
    assert.deepEqual(sources(merged), ["two", "three", "ONE"]);
  });

  it("uses outputs, metadata, and kind of the side that changed them, or ours if both did", async () => {
    const base = [cell("x", { id: "a", outputs: "old", metadata: "old" })];
    const ours = [cell("x", { id: "a", outputs: "old", metadata: "mine" })];
    const theirs = [cell("x", { id: "a", outputs: "new", metadata: "theirs", kind: "markdown" })];
    const {
      cells: [merged],
    } = await merge(base, ours, theirs);
    assert.deepEqual([merged?.outputs.side, merged?.metadata.side, merged?.kind.side], ["theirs", "ours", "theirs"]);
  });

  it("reads each cell a fixed number of times", async () => {
    const readsOf = async (count: number, hasIds: boolean): Promise<number> => {
      let reads = 0;
      const counted = (source: string, id: string): MergeCell => ({
        ...cell(""),
        get source() {
          reads += 1;
          return source;
        },
        get id() {
          reads += 1;
          return hasIds ? id : undefined;
        },
      });
      const indices = [...Array(count).keys()];
      const base = indices.map((index) => counted(`x = ${index}`, `id${index}`));
      const edited = (name: string): readonly MergeCell[] =>
        indices.flatMap((index) => [
          ...(index % 3 === 0 ? [] : [counted(index % 5 === 0 ? `x = "${name}"` : `x = ${index}`, `id${index}`)]),
          ...(index % 4 === 0 ? [counted(`${name} ${index}`, `${name}${index}`)] : []),
        ]);
      await merge(base, edited("ours"), edited("theirs"));
      return reads;
    };
    for (const hasIds of [true, false]) {
      const [few, many] = [await readsOf(250, hasIds), await readsOf(1_000, hasIds)];
      assert.ok(many < few * 4.4, `${few} reads of 250 cells, ${many} of 1,000`);
    }
  });

  const cells = fc
    .uniqueArray(fc.record({ id: fc.constantFrom(..."abcdefgh"), source: fc.constantFrom("1", "2", "3\n4", "") }), {
      selector: ({ id }) => id,
      maxLength: 6,
    })
    .map((list) => list.map(({ id, source }) => cell(source, { id })));

  it("returns the changed side if only one side changed", async () => {
    await fc.assert(
      fc.asyncProperty(cells, cells, async (base, changed) => {
        assert.deepEqual(
          sources(await merge(base, changed, base)),
          changed.map(({ source }) => source),
        );
        assert.deepEqual(
          sources(await merge(base, base, changed)),
          changed.map(({ source }) => source),
        );
      }),
    );
  });

  it("loses no cell that either side added or changed", async () => {
    await fc.assert(
      fc.asyncProperty(cells, cells, cells, async (base, ours, theirs) => {
        const merged = await merge(base, ours, theirs);
        for (const [side, list] of [
          ["ours", ours],
          ["theirs", theirs],
        ] as const) {
          for (const [index, one] of list.entries()) {
            // A cell with a new ID and an old one's source is matched with the old one.
            if (base.some(({ source }) => source === one.source)) {
              continue;
            }
            const stands = merged.cells.some(
              ({ kind, source }) =>
                (kind.side === side && kind.index === index) ||
                one.source.split("\n").every((line) => line === "" || source.split("\n").includes(line)),
            );
            assert.ok(stands, `${side} ${index}`);
          }
        }
      }),
    );
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { TimeSlices } from "../../../../src/api/time-slices.ts";
import {
  combineChanges,
  type LineRange,
  type MergedChange,
  type MergedSequences,
  reduceConflicts,
} from "../../../../src/file-system/merge/three-way-merge.ts";

const tokens = 5;

function sequencesOf(base: readonly number[], ours: readonly number[], theirs: readonly number[]): MergedSequences {
  return { base: Int32Array.from(base), ours: Int32Array.from(ours), theirs: Int32Array.from(theirs), tokens };
}

function linesOf(lines: Int32Array, { start, end }: LineRange): readonly number[] {
  return [...lines.subarray(start, end)];
}

/** The lines between changes, each time in all three files, from the beginning to the end. */
function between({ base, ours, theirs }: MergedSequences, changes: readonly MergedChange[]): readonly MergedChange[] {
  const end = { base: { start: base.length }, ours: { start: ours.length }, theirs: { start: theirs.length } };
  return [...changes, end].map((next, index) => {
    const last = changes[index - 1];
    return {
      type: "same",
      base: { start: last?.base.end ?? 0, end: next.base.start },
      ours: { start: last?.ours.end ?? 0, end: next.ours.start },
      theirs: { start: last?.theirs.end ?? 0, end: next.theirs.start },
    };
  });
}

/** Asserts that what is merged without a question has everything of both sides. */
function assertNothingIsLost(sequences: MergedSequences, changes: readonly MergedChange[], isReduced = false): void {
  const { base, ours, theirs } = sequences;
  for (const gap of between(sequences, changes)) {
    for (const { start, end } of [gap.ours, gap.theirs]) assert.ok(start <= end, "ranges are in order");
    assert.deepEqual(linesOf(ours, gap.ours), linesOf(theirs, gap.theirs), "both have the same between changes");
  }
  for (const { type, ...change } of changes) {
    const [before, mine, other] = [
      linesOf(base, change.base),
      linesOf(ours, change.ours),
      linesOf(theirs, change.theirs),
    ];
    if (type === "ours") assert.deepEqual(other, before, "only we have changed it");
    if (type === "theirs") assert.deepEqual(mine, before, "only they have changed it");
    if (type === "same") assert.deepEqual(mine, other, "both have the same");
    if (type === "conflict" && isReduced) assert.notDeepEqual(mine, other, "a conflict is a difference");
  }
}

const lines = fc.array(fc.nat({ max: tokens - 1 }), { maxLength: 8 });

/** A side: the base with a few lines replaced, so that both sides have much in common. */
const edits = fc.array(
  fc.record({
    at: fc.nat({ max: 8 }),
    removed: fc.nat({ max: 2 }),
    added: fc.array(fc.nat({ max: tokens - 1 }), { maxLength: 2 }),
  }),
  {
    maxLength: 3,
  },
);

function edited(
  base: readonly number[],
  changes: readonly { at: number; removed: number; added: number[] }[],
): number[] {
  const side = [...base];
  for (const { at, removed, added } of changes) side.splice(at, removed, ...added);
  return side;
}

describe("the changes of both sides", () => {
  it("contain all that differs, and only conflicts contain what both have changed", async () => {
    await fc.assert(
      fc.asyncProperty(lines, edits, edits, fc.boolean(), async (base, mine, other, areTrivial) => {
        const sequences = sequencesOf(base, edited(base, mine), edited(base, other));
        const changes = await combineChanges(sequences, new TimeSlices());
        assertNothingIsLost(sequences, changes);
        const reduced = await reduceConflicts(changes, sequences, () => areTrivial, new TimeSlices());
        assertNothingIsLost(sequences, reduced, true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are a conflict if they touch, and apart if a line is between them", async () => {
    const typesOf = async (...sides: Parameters<typeof sequencesOf>): Promise<readonly string[]> =>
      (await combineChanges(sequencesOf(...sides), new TimeSlices())).map(({ type }) => type);
    assert.deepEqual(await typesOf([0, 1, 2], [3, 1, 2], [0, 1, 4]), ["ours", "theirs"]);
    assert.deepEqual(await typesOf([0, 1, 2], [0, 1, 4], [3, 1, 2]), ["theirs", "ours"]);
    assert.deepEqual(await typesOf([0, 1], [3, 1], [0, 4]), ["conflict"]);
    assert.deepEqual(await typesOf([0, 1], [0, 4], [3, 1]), ["conflict"]);
    assert.deepEqual(await typesOf([0, 1], [0, 2, 1], [0, 3, 1]), ["conflict"]);
    assert.deepEqual(await typesOf([0, 1], [0, 2, 1], [0, 2, 1]), []);
    assert.deepEqual(await typesOf([0, 1, 2], [0, 2], [0, 2]), []);
    assert.deepEqual(await typesOf([0, 1, 2], [0, 3, 2], [0, 2]), ["conflict"]);
  });

  it("of a conflict are divided where both sides have the same lines, unless these are few or trivial", async () => {
    const same = [1, 2, 3, 1];
    const reduced = async (between: readonly number[], isTrivial: boolean): Promise<readonly unknown[]> => {
      const sequences = sequencesOf([], [0, ...between, 0], [4, ...between, 4]);
      const changes = await combineChanges(sequences, new TimeSlices());
      const found = await reduceConflicts(changes, sequences, () => isTrivial, new TimeSlices());
      return found.map(({ ours, theirs }) => [ours.start, ours.end, theirs.start, theirs.end]);
    };
    assert.deepEqual(await reduced(same, false), [
      [0, 1, 0, 1],
      [5, 6, 5, 6],
    ]);
    assert.deepEqual(await reduced(same, true), [[0, 6, 0, 6]]);
    assert.deepEqual(await reduced(same.slice(1), false), [[0, 5, 0, 5]]);
  });
});

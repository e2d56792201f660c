import assert from "node:assert/strict";
import { groupsOf } from "../../../scripts/tests/whole-run.ts";

const filesOf = (...sizes: number[]) => sizes.map((size, index) => ({ name: `file ${index}`, size }));
const sizesOf = (groups: ReturnType<typeof groupsOf>): number[] =>
  groups.map((group) => group.reduce((sum, { size }) => sum + size, 0));

describe("groups of test files that run in one process", () => {
  it("contain each file once, the largest first", () => {
    const files = filesOf(3, 9, 1, 7, 5, 5, 2, 8);
    const groups = groupsOf(files, 2);
    assert.deepEqual(
      groups.flat().map(({ size }) => size),
      [9, 8, 7, 5, 5, 3, 2, 1],
    );
    assert.equal(new Set(groups.flat()).size, files.length);
  });

  it("get smaller, and end with single files", () => {
    const sizes = sizesOf(groupsOf(filesOf(...Array.from({ length: 40 }, () => 10)), 2));
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
    assert.ok(sizes.length < 16, `${sizes.length} groups`);
    assert.equal(sizes[0], 160);
    assert.deepEqual(sizes.slice(-2), [10, 10]);
  });

  it("are as many as the files if these are few", () => {
    assert.deepEqual(sizesOf(groupsOf(filesOf(4, 4), 2)), [4, 4]);
    assert.deepEqual(groupsOf([], 2), []);
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ancestorsText,
  type FoundPage,
  foundPages,
  PageHierarchy,
  reordered,
} from "../../../../../src/api/families/pages/page-hierarchy.ts";
import type { PageNode } from "../../../../../src/api/families/pages/page-tree.ts";

function node(id: string, children: readonly PageNode[] = []): PageNode {
  return { id, title: `Page ${id}`, children, fields: {} };
}

/** Pages that are each below the one before. */
function chain(length: number): PageNode {
  let last = node(String(length));
  for (let id = length - 1; id > 0; id -= 1) {
    last = node(String(id), [last]);
  }
  return last;
}

const hierarchy = new PageHierarchy([node("1", [node("2", [node("3")]), node("4")]), node("5")]);

describe("a page hierarchy", () => {
  it("returns the ancestors and siblings of a page", () => {
    const place = hierarchy.place("3") ?? assert.fail();
    assert.equal(ancestorsText(place), "Page 1 / Page 2");
    assert.equal(hierarchy.parentOf("3")?.id, "2");
    assert.deepEqual(
      hierarchy.place("4")?.siblings.map(({ id }) => id),
      ["2", "4"],
    );
    assert.equal(hierarchy.parentOf("5"), undefined);
    assert.equal(hierarchy.parentOf("4")?.id, "1");
    assert.equal(hierarchy.place("9"), undefined);
    assert.equal(hierarchy.size, 5);
  });

  it("knows the descendants of a page, and which of several pages move with another one", () => {
    assert.equal(hierarchy.isWithin("3", "1"), true);
    assert.equal(hierarchy.isWithin("1", "1"), true);
    assert.equal(hierarchy.isWithin("1", "3"), false);
    assert.deepEqual(hierarchy.outermost(["3", "2", "5"]), ["2", "5"]);
  });

  it("uses the first position of a duplicate page, and ends even if a page is below itself", () => {
    const again = new PageHierarchy([node("1", [node("2")]), node("2")]);
    assert.equal(again.parentOf("2")?.id, "1");
    assert.equal(again.size, 2);
  });

  it("has any depth, and shows paths of limited length", () => {
    const deep = new PageHierarchy([chain(100_000)]);
    assert.equal(deep.size, 100_000);
    assert.deepEqual(deep.outermost(["100", "100000", "7"]), ["7"]);
    const text = ancestorsText(deep.place("100000") ?? assert.fail());
    assert.match(text, /^… \/ Page 99980 \/ .* \/ Page 99999$/);
  });
});

describe("reordering siblings", () => {
  const case_ = fc
    .uniqueArray(fc.integer({ min: 1, max: 50 }).map(String), { minLength: 1, maxLength: 10 })
    .chain((ids) => fc.record({ ids: fc.constant(ids), moved: fc.subarray(ids), targetId: fc.constantFrom(...ids) }));

  it("keeps all of them, and puts the moved ones in their own order next to the other one", () => {
    fc.assert(
      fc.property(case_, fc.constantFrom("before" as const, "after" as const), ({ ids, moved, targetId }, side) => {
        const result = reordered(ids, moved, { targetId, side });
        assert.deepEqual(result.toSorted(), ids.toSorted());
        const wanted = ids.filter((id) => moved.includes(id) && id !== targetId);
        const at = result.indexOf(targetId);
        const beside =
          side === "before" ? result.slice(at - wanted.length, at) : result.slice(at + 1, at + 1 + wanted.length);
        assert.deepEqual(beside, wanted);
        const isStill = (id: string): boolean => !wanted.includes(id);
        assert.deepEqual(result.filter(isStill), ids.filter(isStill));
      }),
    );
  });
});

describe("searching pages", () => {
  const told = (found: readonly FoundPage[]): unknown =>
    found.map(({ node: { id }, fits, below }) => [id, fits, told(below)]);

  it("returns matches below their ancestors, which don't need to match", () => {
    assert.deepEqual(told(foundPages(hierarchy.top, "page 3")), [["1", false, [["2", false, [["3", true, []]]]]]]);
    assert.deepEqual(told(foundPages(hierarchy.top, "PAGE 5")), [["5", true, []]]);
    assert.deepEqual(foundPages(hierarchy.top, "nothing"), []);
    assert.deepEqual(
      foundPages(hierarchy.top, "").map(({ node: { id } }) => id),
      ["1", "5"],
    );
  });

  it("finds a match at any depth", () => {
    let depth = 0;
    for (let found = foundPages([chain(100_000)], "page 100000"); found[0] !== undefined; found = found[0].below) {
      depth += 1;
    }
    assert.equal(depth, 100_000);
  });
});

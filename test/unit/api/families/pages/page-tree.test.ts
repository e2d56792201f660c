import assert from "node:assert/strict";
import fc from "fast-check";
import { PageHierarchy } from "../../../../../src/api/families/pages/page-hierarchy.ts";
import { type PageNode, pageTree } from "../../../../../src/api/families/pages/page-tree.ts";

function told(nodes: readonly PageNode[]): unknown {
  return nodes.map(({ id, title, children }) => (children.length === 0 ? [id, title] : [id, title, told(children)]));
}

function count(nodes: readonly PageNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + count(children), 0);
}

describe("page trees", () => {
  const entries = [
    { id: "1", title: "A", children: [{ id: 2, title: "B", children: [] }] },
    { id: "3", pageTitle: "C", extra: { kept: true } },
  ];
  const expected = [
    ["1", "A", [["2", "B"]]],
    ["3", "C"],
  ];

  it("are read from an array, and from an object that contains one", () => {
    for (const response of [entries, { pages: entries }, { total: 2, name: "x", navigation: entries, other: [] }]) {
      assert.deepEqual(told(pageTree(response)), expected);
    }
    assert.deepEqual(pageTree(entries)[1]?.fields.extra, { kept: true });
  });

  it("are empty for a response without pages", () => {
    for (const response of [undefined, null, [], {}, { pages: null }, "text", 7, [null, 1, "x"]]) {
      assert.deepEqual(pageTree(response), []);
    }
  });

  it("replace an entry without an id with its children, and a missing title with the id", () => {
    const response = [{ title: "Heading", children: [{ id: 5 }, { pageId: 6, title: "" }] }];
    assert.deepEqual(told(pageTree(response)), [
      ["5", "5"],
      ["6", "6"],
    ]);
  });

  it("contain every page of any hierarchy once", () => {
    const { page } = fc.letrec<{ page: object }>((tie) => ({
      page: fc.record({
        id: fc.oneof(fc.integer(), fc.string({ minLength: 1, unit: "binary" })),
        title: fc.oneof(fc.string({ unit: "binary" }), fc.constant(null), fc.integer()),
        children: fc.oneof({ depthSize: "small" }, fc.constant(null), fc.array(tie("page"), { maxLength: 4 })),
        unknown: fc.jsonValue(),
      }),
    }));
    fc.assert(
      fc.property(fc.array(page, { maxLength: 5 }), (response) => {
        const all = (nodes: readonly object[]): number =>
          nodes.reduce<number>((sum, node) => {
            const { children } = node as { readonly children: readonly object[] | null };
            return sum + 1 + all(children ?? []);
          }, 0);
        assert.equal(count(pageTree(response)), all(response));
      }),
      { numRuns: 300 },
    );
  });

  it("have any depth", () => {
    const depth = 20_000;
    const response: unknown = JSON.parse(`${'[{"id":1,"children":'.repeat(depth)}[]${"}]".repeat(depth)}`);
    let levels = 0;
    for (let nodes = pageTree(response); nodes[0] !== undefined; nodes = nodes[0].children) {
      levels += 1;
    }
    assert.equal(levels, depth);
  });

  it("are built from a flat list of pages that name their parents, in any order", () => {
    const response = [
      { id: 3, title: "C", parentId: "2" },
      { id: 1, title: "A", parent: null },
      { id: 2, title: "B", parent: 1 },
      { id: 4, title: "D", parentPageId: 1 },
      { id: 5, title: "E", parent: 999 },
    ];
    assert.deepEqual(told(pageTree(response)), [
      [
        ...["1", "A"],
        [
          ["2", "B", [["3", "C"]]],
          ["4", "D"],
        ],
      ],
      ["5", "E"],
    ]);
    const chain = Array.from({ length: 20_000 }, (_, index) => ({ id: index, parent: index - 1 }));
    for (const list of [chain, chain.toReversed()]) {
      assert.equal(new PageHierarchy(pageTree(list)).size, chain.length);
      assert.equal(pageTree(list).length, 1);
    }
  });

  it("contain every page of a flat list once, whatever the parents are", () => {
    const id = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(fc.array(fc.record({ id, parent: fc.option(id) }), { maxLength: 12 }), (response) => {
        assert.equal(count(pageTree(response)), response.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("are read from any JSON without an error", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (response) => {
        pageTree(response);
      }),
      { numRuns: 500 },
    );
  });
});

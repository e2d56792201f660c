import assert from "node:assert/strict";
import fc from "fast-check";
import { readDesign } from "../../../../../src/api/families/workflow-definition.ts";
import { drawDesign } from "../../../../../src/features/workflows/panels/diagram-layout.ts";

const node = (id: string, index: number, more: object = {}): object => ({
  id,
  index,
  type: "serviceNode",
  data: { title: `Step ${id}`, type: "Service" },
  ...more,
});
const edge = (source: string, target: string, label?: string): object => ({
  id: `${source}-${target}`,
  source,
  target,
  label,
});

describe("a workflow definition", () => {
  it("is parsed to steps, their connections, and the data", () => {
    const { steps, connections, hasOwnConnections, parameters } = readDesign({
      designElements: [
        node("b", 1, { data: { title: " ", type: "Service", packageId: "ce-1", functionName: "run" } }),
        node("a", 0, { type: "rootNode", data: { title: "Start", type: "Start", description: "Begins" } }),
        node("c", 2, { type: "endNode", data: null }),
        edge("a", "b", "always"),
        edge("b", "nowhere"),
      ],
      dataList: [{ paramName: "amount", dataType: "number", isList: true }, { dataType: "text" }, "odd"],
    });
    assert.deepEqual(
      steps.map(({ id, title, role }) => [id, title, role]),
      [
        ["a", "Start", "start"],
        ["b", "Service", "step"],
        ["c", "endNode", "end"],
      ],
    );
    assert.deepEqual(steps[1]?.calls, { packageId: "ce-1", functionName: "run" });
    assert.deepEqual(connections, [{ from: "a", to: "b", label: "always" }]);
    assert.equal(hasOwnConnections, true);
    assert.deepEqual(parameters, [{ name: "amount", type: "number", isList: true }]);
  });

  it("without connections is drawn in the order of its steps, with a note", () => {
    const { connections, hasOwnConnections } = readDesign({
      designElements: [node("b", 2), node("a", 1), node("c", 3)],
    });
    assert.deepEqual(
      connections.map(({ from, to }) => `${from} ${to}`),
      ["a b", "b c"],
    );
    assert.equal(hasOwnConnections, false);
  });

  it("in any other format has no steps, and no error", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (designElements, dataList) => {
        const drawn = drawDesign(readDesign({ designElements, dataList }), new Map());
        return Number.isFinite(drawn.width) && Number.isFinite(drawn.height);
      }),
    );
    assert.deepEqual(drawDesign(readDesign({}), new Map()).steps, []);
  });

  it("is drawn at the platform's positions", () => {
    const elements = [
      node("a", 0, { position: { x: 80, y: -230 } }),
      node("b", 1, { position: { x: 80, y: -90 } }),
      node("c", 2, { position: { x: 400, y: -90 } }),
      ...[edge("a", "b"), edge("b", "c"), edge("c", "a"), edge("b", "b")],
    ];
    const { steps, width, height, connections } = drawDesign(readDesign({ designElements: elements }), new Map());
    assert.deepEqual(
      steps.map(({ x, y }) => [x, y]),
      [
        [24, 24],
        [24, 164],
        [344, 164],
      ],
    );
    assert.deepEqual([width, height], [24 + 320 + 200 + 24, 24 + 140 + 60 + 24]);
    assert.equal(connections[0]?.path, "M 124 84 C 124 121, 124 121, 124 158");
    assert.equal(connections[1]?.path, "M 224 194 C 281 194, 281 194, 338 194");
    assert.equal(connections.length, 4);
  });

  it("is laid out without overlapping steps if the platform's positions are missing or unusable", () => {
    const graph = fc.integer({ min: 1, max: 12 }).chain((count) =>
      fc.record({
        count: fc.constant(count),
        ends: fc.array(fc.tuple(fc.nat({ max: count - 1 }), fc.nat({ max: count - 1 })), { maxLength: 20 }),
        position: fc.constantFrom(undefined, { x: 5, y: 5 }, { x: "left", y: null }),
      }),
    );
    fc.assert(
      fc.property(graph, ({ count, ends, position }) => {
        const nodes = Array.from({ length: count }, (_, index) => node(`n${index}`, index, { position }));
        const edges = ends.map(([from, to]) => edge(`n${from}`, `n${to}`));
        const { steps, width, height } = drawDesign(readDesign({ designElements: [...nodes, ...edges] }), new Map());
        assert.equal(steps.length, count);
        for (const [index, one] of steps.entries()) {
          assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height);
          for (const other of steps.slice(index + 1)) {
            const isApart =
              one.x + one.width <= other.x ||
              other.x + other.width <= one.x ||
              one.y + one.height <= other.y ||
              other.y + other.height <= one.y;
            assert.ok(isApart, `${one.id} covers ${other.id}`);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

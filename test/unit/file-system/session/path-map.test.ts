import assert from "node:assert/strict";
import fc from "fast-check";
import { isWithin } from "../../../../src/api/catalogue/content-path.ts";
import { PathMap } from "../../../../src/file-system/session/path-map.ts";

describe("a map by path", () => {
  const path = fc.array(fc.constantFrom("a", "b", "ab"), { maxLength: 4 }).map((names) => names.join("/"));
  const action = fc.oneof(
    fc.record({ type: fc.constant("set" as const), path }),
    fc.record({ type: fc.constantFrom("delete" as const, "deleteWithin" as const), path }),
  );

  it("has the entries of a plain map, and finds those below any path", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), path, (actions, folder) => {
        const expected = new Map<string, number>();
        const map = new PathMap<number>();
        for (const [index, { type, path: key }] of actions.entries()) {
          if (type === "set") {
            expected.set(key, index);
            map.set(key, index);
          } else if (type === "delete") {
            expected.delete(key);
            map.delete(key);
          } else {
            for (const other of [...expected.keys()].filter((one) => isWithin(one, key))) expected.delete(other);
            map.deleteWithin(key);
          }
        }
        assert.deepEqual([...map.keys()], [...expected.keys()]);
        assert.equal(map.size, expected.size);
        for (const [key, value] of expected) assert.equal(map.get(key), value);
        const below = [...expected].filter(([key]) => isWithin(key, folder));
        assert.deepEqual(map.within(folder).toSorted(), below.toSorted());
      }),
    );
  });

  it("is empty after it was cleared", () => {
    const map = new PathMap<number>();
    map.set("a/b", 1);
    map.clear();
    assert.deepEqual([map.size, map.get("a/b"), map.within("")], [0, undefined, []]);
  });
});

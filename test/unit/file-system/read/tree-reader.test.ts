import assert from "node:assert/strict";
import { readTree } from "../../../../src/file-system/read/tree-reader.ts";

describe("reading a folder with everything in it", () => {
  it("reads a folder with more files than a call can have arguments", async () => {
    const children = Array.from({ length: 300_000 }, (_, index) => ({
      name: `${index}`,
      path: `d/${index}`,
      type: "file",
    }));
    const directory = { name: "d", path: "d", type: "directory" };
    const { items } = await readTree(
      {
        directories: { list: async () => ({ directory, children, rejected: [] }) },
        metadata: { statContent: async () => undefined },
        linksIn: async () => undefined,
      },
      "d",
    );
    assert.equal(items.length, children.length + 1);
  });
});

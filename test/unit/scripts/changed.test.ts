import assert from "node:assert/strict";
import { affectedBy, importsOf, readImportGraph, selectionFor } from "../../../scripts/tests/changed.ts";

describe("the files that a change can affect", () => {
  const graph = new Map<string, readonly string[]>([
    ["src/extension.ts", ["src/features/pages/index.ts"]],
    ["src/features/pages/index.ts", ["src/features/pages/handlers.ts"]],
    ["src/features/pages/handlers.ts", ["src/api/text.ts"]],
    ["src/api/text.ts", []],
    ["src/programs/front-door/main.ts", []],
    ["test/unit/api/text.test.ts", ["src/api/text.ts"]],
    ["test/unit/other.test.ts", []],
    ["test/ui/pages.test.ts", ["test/ui/pictures.ts"]],
    ["test/ui/pictures.ts", []],
  ]);

  it("are its direct and indirect importers, and nothing else", () => {
    assert.deepEqual([...affectedBy(["src/api/text.ts"], graph)].toSorted(), [
      "src/api/text.ts",
      "src/extension.ts",
      "src/features/pages/handlers.ts",
      "src/features/pages/index.ts",
      "test/unit/api/text.test.ts",
    ]);
  });

  it("are found through imports of every kind, and through programs that are started by their path", () => {
    const text = `import { a } from "./a.ts";
import type { B } from "../b.ts";
const c = await import("../../c.ts");
fork(join(import.meta.dirname, "d.ts"));
import "node:fs"; import x from "package";`;
    assert.deepEqual(importsOf("src/one/two/file.ts", text), [
      "src/one/two/a.ts",
      "src/one/b.ts",
      "src/c.ts",
      "src/one/two/d.ts",
    ]);
  });

  it("select the tests, with the window layers that are omitted", () => {
    const { files, windows } = selectionFor(["src/api/text.ts"], graph);
    assert.deepEqual([...files], [["unit", ["test/unit/api/text.test.ts"]]]);
    assert.deepEqual(windows, ["editor", "ui"]);
  });

  it("omit no window layer if the extension doesn't need the changed file", () => {
    const { files, windows } = selectionFor(["src/programs/front-door/main.ts"], graph);
    assert.deepEqual([[...files], windows], [[], []]);
  });

  it("select a changed window test, or a test with a changed part", () => {
    assert.deepEqual([...selectionFor(["test/ui/pictures.ts"], graph).files], [["ui", ["test/ui/pages.test.ts"]]]);
  });

  it("select all unit tests for a file that is read and not imported", () => {
    const { files } = selectionFor(["docs/reference/faults.md"], graph);
    assert.deepEqual([...files], [["unit", ["test/unit/api/text.test.ts", "test/unit/other.test.ts"]]]);
  });

  it("are found through the imports of this project", async () => {
    const real = await readImportGraph();
    assert.ok(real.size > 500, `${real.size} files`);
    const self = "test/unit/scripts/changed.test.ts";
    const { files } = selectionFor(["scripts/tests/changed.ts"], real);
    assert.ok(files.get("unit")?.includes(self));
    assert.ok(affectedBy(["src/api/http/transport.ts"], real).has("src/extension.ts"));
  });
});

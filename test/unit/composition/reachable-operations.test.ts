import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import {
  type CatalogueOperation,
  catalogue,
  type OperationId,
} from "../../../src/api/catalogue/operations/catalogue.ts";
import { readSourceGraph } from "../../harness/source-graph.ts";

/** What changes something and has no tree and no command of its own, but `Run API Operation…` alone: with the reason. */
const paletteOnly: Readonly<Partial<Record<OperationId, string>>> = {};

const graph = await readSourceGraph();
const folder = "src/api/catalogue/operations";
const modules = (await readdir(folder)).filter((file) => file !== "catalogue.ts");

/** Ids of the operations that the extension calls somewhere, files and folders at `without` left out. */
async function called(without: readonly string[] = []): Promise<ReadonlySet<string>> {
  // The catalogue names all of them, and so does the sample tenant, which answers them: neither makes one reachable.
  const stopAt = ["src/api/catalogue/operations/catalogue.ts", "src/programs/", ...without];
  const reached = graph.reachedFrom("src/extension.ts", stopAt);
  const ids = new Set<string>();
  for (const module of modules) {
    const path = `${folder}/${module}`;
    const operations: Readonly<Record<string, CatalogueOperation>> = await import(`../../../${path}`);
    for (const [name, { id }] of Object.entries(operations)) {
      if (reached.has(`${path}#${name}`)) {
        ids.add(id);
      }
    }
  }
  return ids;
}

describe("operations that change something", () => {
  const changing = catalogue.filter(({ effect }) => effect !== "read");

  it("are reachable from a tree or a command, or named as palette-only with the reason", async () => {
    const ids = await called();
    const lost = changing.filter(({ id }) => !ids.has(id) && paletteOnly[id] === undefined).map(({ id }) => id);
    assert.deepEqual(lost, []);
    const own = changing.filter(({ id }) => ids.has(id)).length;
    console.log(`      ${own} of ${changing.length} by a tree or a command of their own, the others palette-only`);
  });

  it("are not named as palette-only when something reaches them, or when they change nothing", async () => {
    const ids = await called();
    const wrong = Object.keys(paletteOnly).filter((id) => ids.has(id) || !changing.some((one) => one.id === id));
    assert.deepEqual(wrong, []);
  });

  it("are lost when what calls them is", async () => {
    const before = await called();
    const after = await called(["src/features/workflows/creation.ts"]);
    const lost = changing.map(({ id }) => id).filter((id) => before.has(id) && !after.has(id));
    const created: readonly OperationId[] = [
      "workflows.create",
      "workflows.versions.create",
      "workflows.versions.createFirst",
    ];
    assert.deepEqual(lost.toSorted(), created.toSorted());
  });
});

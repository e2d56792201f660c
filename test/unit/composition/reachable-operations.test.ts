import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { findFiles } from "../../../scripts/find-files.ts";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";
import {
  type CatalogueOperation,
  catalogue,
  type OperationId,
} from "../../../src/api/catalogue/operations/catalogue.ts";
import { readSourceGraph } from "../../harness/source-graph.ts";

const graph = await readSourceGraph();
const folder = "src/api/catalogue/operations";
const modules = (await readdir(folder)).filter((file) => file !== "catalogue.ts");

const loaded = await Promise.all(
  modules.map(async (module) => {
    const operations: Readonly<Record<string, CatalogueOperation>> = await import(`../../../${folder}/${module}`);
    return [`${folder}/${module}`, operations] as const;
  }),
);
/** An operation's name in the source, by its ID. */
const names = new Map(
  loaded.flatMap(([, operations]) => Object.entries(operations).map(([name, { id }]) => [id, name] as const)),
);

/** IDs of the operations that the extension calls somewhere, without the files and folders in `without`. */
async function called(without: readonly string[] = []): Promise<ReadonlySet<string>> {
  // The catalog names all of them, and the sample tenant answers them, so neither makes an operation reachable.
  const stopAt = ["src/api/catalogue/operations/catalogue.ts", "src/programs/", ...without];
  const reached = graph.reachedFrom("src/extension.ts", stopAt);
  const found = loaded.flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([name, { id }]) => (reached.has(`${path}#${name}`) ? [id] : [])),
  );
  return new Set(found);
}

const files = await findFiles(join(projectDirectory, "src"), ".ts");
const sources = await Promise.all(
  files.map(
    async (file) => [relative(projectDirectory, file).split(sep).join("/"), await readFile(file, "utf8")] as const,
  ),
);

/** Files of the extension, including the API layer, whose text contains the operation's name. */
function callersOf(id: OperationId): readonly string[] {
  const name = new RegExp(`\\b${names.get(id)}\\b`);
  return sources
    .filter(([path]) => !path.startsWith(`${folder}/`) && !path.startsWith("src/programs/"))
    .filter(([, text]) => name.test(text))
    .map(([path]) => path);
}

describe("operations that change something", () => {
  const changing = catalogue.filter(({ effect }) => effect !== "read");

  it("are all reachable from a tree or a separate command", async () => {
    assert.ok(changing.length > 30, `${changing.length} operations change something`);
    const ids = await called();
    const lost = changing.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
    assert.deepEqual(lost, []);
  });

  it("are each unreachable without all of their callers", async () => {
    const kept: string[] = [];
    for (const { id } of changing) {
      const callers = callersOf(id);
      assert.ok(callers.length > 0, `nothing calls ${id}`);
      if ((await called(callers)).has(id)) kept.push(id);
    }
    assert.deepEqual(kept, []);
  });

  it("are unreachable without the only file that calls them, unlike others", async () => {
    const before = await called();
    const after = await called(["src/features/workflows/creation.ts"]);
    const lost = changing.map(({ id }) => id).filter((id) => before.has(id) && !after.has(id));
    assert.deepEqual(lost.toSorted(), [
      "workflows.create",
      "workflows.versions.create",
      "workflows.versions.createFirst",
    ]);
  });
});

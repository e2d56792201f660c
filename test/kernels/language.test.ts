// Language features by the companion in a real Jupyter Server: each operation, with the shapes that are declared for it.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Companion } from "../../src/api/companion/companion.ts";
import { CompanionOperationError } from "../../src/api/companion/errors.ts";
import {
  callSignatures,
  checkSource,
  completeNames,
  describeName,
  findDefinition,
  findReferences,
  formatSource,
  hoverName,
  listOutline,
  prepareDocument,
  readLibrarySource,
  renameName,
} from "../../src/api/companion/operations/language.ts";
import { type StartedCompanion, startCompanion } from "../../src/api/companion/start.ts";
import { silentLog } from "../../src/api/http/log.ts";
import { type KernelRig, startRig } from "./rig.ts";

/** A document with its cursor at `¦`. Several cells are a notebook. */
function atCursor(...cells: readonly string[]) {
  const cell = cells.findIndex((text) => text.includes("¦"));
  const lines = (cells[cell]?.split("¦")[0] ?? "").split("\n");
  const [kind, path] = cells.length === 1 ? (["script", "main.py"] as const) : (["notebook", "main.ipynb"] as const);
  return {
    document: { kind, path, cells: cells.map((text) => text.replace("¦", "")) },
    position: { cell: Math.max(0, cell), line: lines.length - 1, character: lines.at(-1)?.length ?? 0 },
  };
}

for (const release of ["current", "older"] as const) {
  describe(`language features by the companion of a ${release} server`, function () {
    this.timeout(180_000);
    let rig: KernelRig;
    let started: StartedCompanion;
    let companion: Companion;

    before(async () => {
      rig = await startRig([], { release });
      await writeFile(join(rig.root, "tool.py"), 'def sharpen(blade: str) -> int:\n    """Sharpens it."""\n');
      const client = rig.client();
      const signal = new AbortController().signal;
      started = await startCompanion({ client: async () => client, owner: "language", signal, log: silentLog });
      ({ companion } = started);
    });
    after(async () => {
      companion.dispose();
      await rig.stop();
    });

    it("complete and describe names over the cells of a notebook", async () => {
      const at = atCursor("import tool\n%matplotlib inline", "!ls", 'x = "😀"; tool.sh¦');
      const { items, replaced, isComplete, kind } = await companion.request(completeNames, at);
      assert.deepEqual(
        { items, replaced, isComplete, kind },
        { items: [{ name: "sharpen", type: "function" }], replaced: 2, isComplete: true, kind: "names" },
      );
      assert.deepEqual(await companion.request(describeName, { ...at, name: "sharpen" }), {
        signatures: ["sharpen(blade: str) -> int"],
        documentation: "Sharpens it.",
      });
      const { items: paths } = await companion.request(completeNames, atCursor("open('to¦')"));
      assert.deepEqual(paths, [{ name: "tool.py", type: "file" }]);
    });

    it("show signatures and hovers", async () => {
      const { signatures } = await companion.request(callSignatures, atCursor("import tool\ntool.sharpen(¦)"));
      assert.deepEqual(
        signatures.map(({ label, parameters, active }) => [label, parameters, active]),
        [["sharpen(blade: str) -> int", [{ start: 8, end: 18 }], 0]],
      );
      assert.deepEqual(await companion.request(hoverName, atCursor("import tool\ntool.shar¦pen")), {
        signatures: ["def sharpen(blade: str) -> int"],
        documentation: "Sharpens it.",
      });
    });

    it("find definitions, also in the source of a library, and references", async () => {
      const at = atCursor("import tool\ntool.shar¦pen()");
      const { locations } = await companion.request(findDefinition, at);
      const range = { startLine: 0, startCharacter: 4, endLine: 0, endCharacter: 11 };
      assert.deepEqual(locations, [{ kind: "workspace", path: "tool.py", cell: 0, range }]);
      const found = await companion.request(findReferences, at);
      assert.deepEqual(
        found.locations.map(({ kind, path }) => [kind, path]),
        [
          ["document", ""],
          ["workspace", "tool.py"],
        ],
      );
      const unsaved = [{ path: "tool.py", text: "\n\ndef sharpen(): ...\nsharpen()\n" }];
      const changed = await companion.request(findReferences, { ...at, unsaved });
      assert.deepEqual(changed.locations.map((one) => [one.path, one.range.startLine]).sort(), [
        ["", 1],
        ["tool.py", 2],
        ["tool.py", 3],
      ]);
      assert.deepEqual((await companion.request(findDefinition, at)).locations, locations);

      const library = await companion.request(findDefinition, atCursor("import json\njson.dum¦ps"));
      assert.equal(library.locations[0]?.kind, "library");
      const { path, range: place } = library.locations[0];
      const { text } = await companion.request(readLibrarySource, { path });
      assert.match(text.split("\n")[place.startLine] ?? "", /^def dumps\(/);
      await assert.rejects(companion.request(readLibrarySource, { path: join(rig.root, "tool.py") }), (error) => {
        assert.ok(error instanceof CompanionOperationError);
        assert.equal(error.kind, "refused");
        return true;
      });
    });

    it("rename over the files of the workspace", async () => {
      const at = atCursor("import tool\ntool.shar¦pen()");
      const check = await companion.request(renameName, at);
      assert.deepEqual([check.name, check.locations], ["sharpen", []]);
      const uses = { cells: [{ cell_type: "code", source: "import tool\ntool.sharpen()" }] };
      await writeFile(join(rig.root, "uses.ipynb"), JSON.stringify(uses));
      const { locations, ...found } = await companion.request(renameName, { ...at, newName: "hone" });
      assert.equal(locations.length, 2);
      assert.deepEqual([found.isComplete, found.isLocal, found.notebooks], [true, false, ["uses.ipynb"]]);
    });

    it("list the outline, report problems, and prepare a document", async () => {
      const { document } = atCursor("class Pen:\n    def write(self): ...\n");
      const { symbols } = await companion.request(listOutline, { document });
      assert.deepEqual(
        symbols.map(({ name, parent }) => [name, parent]),
        [
          ["Pen", null],
          ["write", 0],
        ],
      );
      const cells = atCursor("!ls", "print(").document;
      const { problems } = await companion.request(checkSource, { document: cells, lints: true });
      assert.deepEqual(
        problems.map(({ cell, severity, source }) => [cell, severity, source]),
        [[1, "error", "Python"]],
      );
      assert.deepEqual(await companion.request(prepareDocument, { document }), { prepared: 1 });
    });

    it("report that neither ruff nor black is there, or format", async () => {
      const { document } = atCursor("x  =  1\n");
      const formatted = await companion.request(formatSource, { document }).catch((error: unknown) => error);
      if (formatted instanceof CompanionOperationError) {
        assert.equal(formatted.kind, "missing");
      } else {
        assert.equal((formatted as { readonly text: string }).text, "x = 1\n");
      }
    });

    it("stop on the server when they are cancelled", async () => {
      const assignments = Array.from(
        { length: 3000 },
        (_, index) => `x${index + 1} = (x${index}, x${index}, [x${index}])`,
      );
      const slow = atCursor(`import json, os\nx0 = json\n${assignments.join("\n")}\nx3000[0][1].¦`);
      const abort = new AbortController();
      const cancelled = companion.request(completeNames, slow, { signal: abort.signal });
      const other = companion.request(completeNames, atCursor("import os\nos.path.isf¦"));
      abort.abort(new Error("canceled"));
      await assert.rejects(cancelled, /canceled/);
      assert.ok((await other).items.some(({ name }) => name === "isfile"));
    });
  });
}

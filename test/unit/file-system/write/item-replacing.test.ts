import assert from "node:assert/strict";
import { WorkspaceFiles } from "../../../../src/file-system/provider/workspace-files.ts";
import { quietTransfers } from "../../../../src/file-system/transfer/long-transfers.ts";
import { EditorVersions } from "../../../../src/file-system/versions/editor-versions.ts";
import { SaveJournal } from "../../../../src/file-system/write/save-journal.ts";
import { noEditors } from "../../../harness/open-editors.ts";
import {
  bodyOf,
  contentPathOf,
  empty,
  fakePlatform,
  item,
  json,
  type Responder,
  sent,
} from "../../api/fake-platform.ts";

const time = "2026-01-01T00:00:00.5Z";

/** A server whose disk doesn't distinguish case, with these files in its root. */
function caseless(names: readonly string[], faults: Responder = () => empty(0)) {
  const files = new Map(names.map((name) => [name.toLowerCase(), name]));
  const fake = fakePlatform(async (request, nth) => {
    const fault = await faults(request, nth);
    if (fault.status !== 0) {
      return fault;
    }
    const path = contentPathOf(request);
    if (path === "") {
      return json(
        200,
        item(
          "",
          "directory",
          [...files.values()].map((name) => item(name)),
        ),
      );
    }
    const found = files.get(path.toLowerCase());
    if (request.method === "PATCH") {
      const to = String(bodyOf(request).path);
      if (found === undefined) {
        return json(404, { message: "gone" });
      }
      if (files.has(to.toLowerCase())) {
        return json(409, { message: `File already exists: ${to}` });
      }
      files.delete(path.toLowerCase());
      files.set(to.toLowerCase(), to);
      return json(200, { ...item(to), last_modified: time });
    }
    if (request.method === "DELETE") {
      return files.delete(path.toLowerCase()) ? empty(204) : json(404, { message: "gone" });
    }
    return found === undefined ? json(404, { message: "gone" }) : json(200, { ...item(path), last_modified: time });
  });
  const workspace = new WorkspaceFiles({
    access: { connect: async () => fake.content, relocate: async () => false },
    versions: new EditorVersions(),
    editors: noEditors,
    onChanged: () => {},
    beforeReplacing: async () => {},
    transfers: async () => quietTransfers,
    journal: new SaveJournal(),
  });
  return { fake, files, workspace };
}

describe("a rename that changes only case", () => {
  for (const overwrite of [false, true]) {
    it(`takes a third name on a disk that doesn't distinguish case (overwrite: ${overwrite})`, async () => {
      const { fake, files, workspace } = caseless(["Report.ipynb", "other.txt"]);
      await (await workspace.moving()).rename("Report.ipynb", "report.ipynb", { overwrite });
      assert.deepEqual([...files.values()].sort(), ["other.txt", "report.ipynb"]);
      assert.equal(
        sent(fake).some((request) => request.startsWith("DELETE")),
        false,
      );
    });
  }

  it("keeps the item under its old name if the last step fails", async () => {
    const { files, workspace } = caseless(["Report.ipynb"], (request) =>
      request.method === "PATCH" &&
      contentPathOf(request).includes("renaming") &&
      bodyOf(request).path === "report.ipynb"
        ? json(500, { message: "busy" })
        : empty(0),
    );
    const rename = (await workspace.moving()).rename("Report.ipynb", "report.ipynb", { overwrite: false });
    await assert.rejects(rename, /busy/);
    assert.deepEqual([...files.values()], ["Report.ipynb"]);
  });

  it("is refused or replaces as usual if both names exist", async () => {
    const { workspace } = caseless([]);
    const listing = item("", "directory", [item("a.txt"), item("A.txt")]);
    const both = caseless(["A.txt"], (request) => (contentPathOf(request) === "" ? json(200, listing) : empty(0)));
    assert.notEqual(workspace, both.workspace);
    const rename = (await both.workspace.moving()).rename("a.txt", "A.txt", { overwrite: false });
    await assert.rejects(rename, /A\.txt already exists/);
  });
});

describe("a copy that replaces a file on a server that can't delete", () => {
  it("names what is left, and claims no copy that doesn't exist", async () => {
    const { files, workspace } = caseless(["a.txt", "b.txt"], (request) => {
      if (request.method === "DELETE") {
        return json(400, { message: "send2trash failed: [Errno 13] Permission denied" });
      }
      if (request.method !== "POST") {
        return empty(0);
      }
      const path = contentPathOf(request);
      files.set(path, path);
      return json(201, { ...item(path), last_modified: time });
    });
    await workspace.directories.list("");
    const work = (await workspace.moving()).copy("a.txt", "b.txt", { overwrite: true });
    const failure = await work.then(
      () => assert.fail("it didn't fail"),
      (error: unknown) => String(error),
    );
    assert.match(
      failure,
      /couldn't move it to its trash.*b\.txt was replaced\. The previous item still exists as b\.txt\.replaced-/,
    );
    assert.doesNotMatch(failure, /copy still exists/);
    assert.equal(files.has("b.txt") && [...files.keys()].some((name) => name.includes(".replaced-")), true);
  });
});

describe("an item with a name of the maximum length", () => {
  const long = `${"é".repeat(120)}${"x".repeat(11)}.txt`;
  const tooLong: Responder = (request) => {
    const names = [contentPathOf(request), request.method === "PATCH" ? String(bodyOf(request).path) : ""];
    return names.some((name) => Buffer.byteLength(name) > 255) ? json(500, { message: "name too long" }) : empty(0);
  };

  it("is replaced, and renamed to another case", async () => {
    assert.equal(Buffer.byteLength(long), 255);
    const { files, workspace } = caseless(["a.txt", long], tooLong);
    const moving = await workspace.moving();
    await moving.rename("a.txt", long, { overwrite: true });
    assert.deepEqual([...files.values()], [long]);
    await moving.rename(long, long.toUpperCase(), { overwrite: false });
    assert.deepEqual([...files.values()], [long.toUpperCase()]);
  });
});

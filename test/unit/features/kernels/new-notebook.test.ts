import assert from "node:assert/strict";
import { created } from "../../../../src/features/kernels/commands/new-notebook.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { FileSystemError } from "../../../harness/editor-stand-in/vscode.ts";

describe("a new notebook", () => {
  it("gets the first free name, as in Jupyter, and replaces nothing", async () => {
    const taken = new Set(["/data/Untitled.ipynb", "/data/Untitled1.ipynb"]);
    const files = {
      writeFile: async (...[uri, , options]: Parameters<Parameters<typeof created>[0]["writeFile"]>) => {
        assert.deepEqual([options.create, options.overwrite], [true, false]);
        if (taken.has(uri.path)) {
          throw FileSystemError.FileExists(uri);
        }
      },
    };
    const uri = await created(files, uriOf("tenant", "workspace", "data"), new Uint8Array());
    assert.equal(uri.path, "/data/Untitled2.ipynb");
  });

  it("is not tried again under another name if it can't be written", async () => {
    let writes = 0;
    const files = {
      writeFile: async () => {
        writes += 1;
        throw new Error("the disk is full");
      },
    };
    await assert.rejects(created(files, uriOf("tenant", "workspace", ""), new Uint8Array()), /full/);
    assert.equal(writes, 1);
  });
});

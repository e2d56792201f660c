import assert from "node:assert/strict";
import { join } from "node:path";
import { runSuite } from "../harness/editor-host/suite-run.ts";
import { type Editor, takeEditor } from "./editor.ts";

const extension = join(import.meta.dirname, "..", "harness", "probe-extension");

describe("a suite in the extension host", () => {
  let editor: Editor;

  before(async () => {
    editor = await takeEditor({ tenantFile: [] });
  });
  after(() => editor?.release());

  /** The exit code of a suite that ends in this way. */
  async function endOf(end: "reject" | "crash" | "hang"): Promise<number> {
    return runSuite(editor.server, editor.browser, {
      window: {
        extensionDevelopmentPath: extension,
        extensionTestsPath: join(extension, "suites", `${end}.cjs`),
      },
      timeLimitMs: end === "hang" ? 8000 : 60_000,
    });
  }

  // A suite that passes exits with 0: otherwise, the editor layer fails.
  it("exits with 1 if it rejects", async () => assert.equal(await endOf("reject"), 1));
  // The editor itself reports the exit code 0 for an extension host that died.
  it("exits with 1 if the extension host crashes", async () => assert.equal(await endOf("crash"), 1));
  it("exits with 1 if it doesn't end in time", async () => assert.equal(await endOf("hang"), 1));
});

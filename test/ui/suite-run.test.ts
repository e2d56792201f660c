import assert from "node:assert/strict";
import { join } from "node:path";
import { WindowBrowser } from "../harness/editor-host/browser.ts";
import { type EditorServer, startEditorServer } from "../harness/editor-host/server.ts";
import { runSuite } from "../harness/editor-host/suite-run.ts";

const extension = join(import.meta.dirname, "..", "harness", "probe-extension");

describe("a suite in the extension host", () => {
  let server: EditorServer | undefined;
  let browser: WindowBrowser | undefined;

  before(async () => {
    server = await startEditorServer();
    browser = await WindowBrowser.start(server);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** The exit code of a suite that ends in this way. */
  async function endOf(end: "pass" | "reject" | "crash" | "hang"): Promise<number> {
    assert.ok(server !== undefined && browser !== undefined);
    return runSuite(server, browser, {
      window: {
        extensionDevelopmentPath: extension,
        extensionTestsPath: join(extension, "suites", `${end}.cjs`),
      },
      timeLimit: end === "hang" ? 8000 : 60_000,
    });
  }

  it("exits with 0 if it passes", async () => assert.equal(await endOf("pass"), 0));
  it("exits with 1 if it rejects", async () => assert.equal(await endOf("reject"), 1));
  // The editor itself reports the exit code 0 for an extension host that died.
  it("exits with 1 if the extension host crashes", async () => assert.equal(await endOf("crash"), 1));
  it("exits with 1 if it doesn't end in time", async () => assert.equal(await endOf("hang"), 1));
});

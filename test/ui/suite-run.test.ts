import assert from "node:assert/strict";
import { join } from "node:path";
import { runSuiteInEditor } from "../harness/editor-host/suite-run.ts";

const extension = join(import.meta.dirname, "..", "harness", "probe-extension");

/** The exit code of a suite that ends in this way. */
function endOf(end: "pass" | "reject" | "crash" | "hang"): Promise<number> {
  return runSuiteInEditor({
    server: { environment: { PROBE_END: end } },
    window: { extensionDevelopmentPath: extension, extensionTestsPath: join(extension, "suite.cjs") },
    timeLimit: end === "hang" ? 8000 : 60_000,
  });
}

describe("a suite in the extension host", () => {
  it("exits with 0 if it passes", async () => assert.equal(await endOf("pass"), 0));
  it("exits with 1 if it rejects", async () => assert.equal(await endOf("reject"), 1));
  // The editor itself reports the exit code 0 for an extension host that died.
  it("exits with 1 if the extension host crashes", async () => assert.equal(await endOf("crash"), 1));
  it("exits with 1 if it doesn't end in time", async () => assert.equal(await endOf("hang"), 1));
});

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
  it("gives 0 when it passes", async () => assert.equal(await endOf("pass"), 0));
  it("gives 1 when it rejects", async () => assert.equal(await endOf("reject"), 1));
  // The editor itself reports the exit code 0 for an extension host that died.
  it("gives 1 when the extension host dies in it", async () => assert.equal(await endOf("crash"), 1));
  it("gives 1 when it does not end in time", async () => assert.equal(await endOf("hang"), 1));
});

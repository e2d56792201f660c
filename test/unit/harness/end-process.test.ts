import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { killWithDescendants } from "../../harness/end-process.ts";

// Only Linux tells which processes a process has started.
if (process.platform === "linux") {
  describe("killing a process", () => {
    it("also kills what it has started, in any process group, and returns at once if it has ended", async () => {
      const waiting = "setInterval(() => {}, 1000)";
      const descendant = JSON.stringify(`process.stdout.write("started"); ${waiting}`);
      const options = '{ stdio: "inherit", detached: true }';
      const starting = `require("node:child_process").spawn(process.execPath, ["-e", ${descendant}], ${options})`;
      const child = spawn(process.execPath, ["-e", `${starting}; ${waiting}`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      child.stdout.resume();
      // The pipe closes once both have ended.
      const closed = once(child.stdout, "close");
      await killWithDescendants(child);
      await closed;
      assert.equal(child.signalCode, "SIGKILL");
      await killWithDescendants(child);
    });
  });
}

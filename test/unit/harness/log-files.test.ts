import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const logFiles = new URL("../../harness/editor-host/log-files.mjs", import.meta.url).href;

/** Logs a line, removes the folder of the log, and logs another line, as an editor whose data directory is removed. */
const program = `
const { rmSync } = require("node:fs");
const { dirname } = require("node:path");
const { Logger } = globalThis[Symbol.for("platform-workbench log files")];
const path = process.argv[1];
const logger = new Logger("rotating", "name", path);
logger.info("first");
process.stdout.write(require("node:fs").readFileSync(path, "utf8"));
rmSync(dirname(path), { recursive: true });
logger.info("second");
process.stdout.write("goes on");
`;

describe("the log files of the editor host", () => {
  it("don't cause failures if they can't be written, because the editor would log that, too", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-logs-"));
    const run = promisify(execFile);
    try {
      const { stdout } = await run(process.execPath, [`--import=${logFiles}`, "-e", program, join(directory, "a.log")]);
      assert.match(stdout, /\[info\] first\ngoes on$/);
      await assert.rejects(readFile(join(directory, "a.log")), { code: "ENOENT" });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

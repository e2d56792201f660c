import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Editor, startServedEditor } from "../../scripts/start/editors.ts";
import { waitFor } from "../harness/workbench/waiting.ts";

describe("the editor that npm start serves", () => {
  const { CI } = process.env;
  let directory: string;
  let editor: Editor | undefined;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-start-"));
    // Nothing opens a browser here.
    process.env.CI = "true";
    editor = await startServedEditor(directory, undefined, {});
  });
  after(async () => {
    if (CI === undefined) delete process.env.CI;
    else process.env.CI = CI;
    await editor?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it("writes its logs, which the output channels show", async () => {
    const logs = join(directory, "editor", "data", "logs");
    const logged = await waitFor("a line in the server's log", async () => {
      const files = await readdir(logs, { recursive: true }).catch(() => []);
      const file = files.find((name) => name.endsWith("remoteagent.log"));
      return file === undefined ? undefined : (await readFile(join(logs, file), "utf8")) || undefined;
    });
    assert.match(logged, /^\d{4}-\d\d-\d\d[T ].* \[info\] /);
  });
});

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extensionLogSince } from "../../harness/editor-host/extension-log.ts";

describe("the extension's log after a failed test", () => {
  it("contains what all windows have logged since the test began, in order", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-logs-"));
    const write = async (window: string, name: string, ...lines: readonly string[]): Promise<void> => {
      await mkdir(join(directory, window), { recursive: true });
      await writeFile(join(directory, window, name), `${lines.join("\n")}\n`);
    };
    try {
      const at = (second: number): string => `2026-11-24T10:00:0${second}.000Z`;
      await write(
        "exthost1",
        "Platform Workbench.log",
        `${at(1)} before`,
        `${at(3)} one`,
        "  at line 5",
        `${at(5)} end`,
      );
      await write("exthost2", "Platform Workbench.log", `${at(4)} other`);
      await write("exthost2", "Git.log", `${at(4)} of another extension`);
      assert.equal(
        extensionLogSince(new Date(at(2)), directory),
        [`${at(3)} one`, `${at(4)} other`, `${at(5)} end`].join("\n"),
      );
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

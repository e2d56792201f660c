import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FullOutput, sweepFullOutputs } from "../../../../src/features/kernels/output/full-output.ts";

describe("the full output of a cell", () => {
  let directory: string;
  const fail = (error: unknown): void => assert.fail(String(error));

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-output-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("is kept in memory while the cell shows all of it", async () => {
    const output = new FullOutput(directory, "short", 10, fail);
    await output.write("0123456789");
    assert.equal(output.path, undefined);
    await output.end();
  });

  it("is written to a file with all earlier output", async () => {
    const output = new FullOutput(directory, "long", 10, fail);
    for (const text of ["01234", "56789", "abc", "é\n"]) {
      await output.write(text);
    }
    await output.end();
    assert.equal(await readFile(output.path ?? "", "utf8"), "0123456789abcé\n");
  });

  it("has no escape sequences, even if one is split between two messages", async () => {
    const output = new FullOutput(directory, "escapes", 3, fail);
    for (const text of [
      "\u001b[31mred\u001b[0m ",
      "\u001b]8;;https://exam",
      "ple.com\u001b",
      "\\a link",
      "\u001b]0;cut",
    ]) {
      await output.write(text);
    }
    await output.end();
    assert.equal(await readFile(output.path ?? "", "utf8"), "red a linkcut");
  });

  it("starts over if all output is sent again", async () => {
    const output = new FullOutput(directory, "again", 3, fail);
    await output.write("first");
    await output.restart();
    assert.equal(output.path, undefined);
    await output.write("second");
    await output.end();
    assert.equal(await readFile(output.path ?? "", "utf8"), "second");
  });

  it("is removed after a week", async () => {
    const [old, young] = [join(directory, "old.txt"), join(directory, "young.txt")];
    await writeFile(old, "old");
    await writeFile(young, "young");
    const eightDays = Date.now() / 1000 - 8 * 86_400;
    await utimes(old, eightDays, eightDays);
    await sweepFullOutputs(directory);
    assert.equal(await readFile(young, "utf8"), "young");
    await assert.rejects(readFile(old, "utf8"), { code: "ENOENT" });
    await sweepFullOutputs(join(directory, "absent"));
  });

  it("is removed even if another file disappears meanwhile or can't be removed", async () => {
    const eightDays = Date.now() / 1000 - 8 * 86_400;
    const [folder, old] = [join(directory, "folder"), join(directory, "old.txt")];
    // Listed, but not found.
    await symlink(join(directory, "absent"), join(directory, "gone.txt"));
    await mkdir(folder);
    await writeFile(old, "old");
    await utimes(folder, eightDays, eightDays);
    await utimes(old, eightDays - 1, eightDays - 1);
    await sweepFullOutputs(directory);
    await assert.rejects(readFile(old, "utf8"), { code: "ENOENT" });
  });
});

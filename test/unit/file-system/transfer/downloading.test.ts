import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placed } from "../../../../src/file-system/transfer/downloading.ts";

describe("a download to this computer", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "downloading-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("takes a name of the maximum length", async () => {
    const name = "x".repeat(255);
    await placed(join(folder, name), (part) => writeFile(part, "content"));
    assert.deepEqual(await readdir(folder), [name]);
    assert.equal(await readFile(join(folder, name), "utf8"), "content");
  });

  it("leaves the existing file, and nothing else, if it fails", async () => {
    const target = join(folder, "a.txt");
    await writeFile(target, "before");
    await assert.rejects(
      placed(target, async (part) => {
        await writeFile(part, "half");
        throw new Error("broken");
      }),
      /broken/,
    );
    assert.deepEqual(await readdir(folder), ["a.txt"]);
    assert.equal(await readFile(target, "utf8"), "before");
  });
});

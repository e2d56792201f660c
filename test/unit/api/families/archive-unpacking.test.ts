import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { ArchiveError, unpackArchive } from "../../../../src/api/families/archive-unpacking.ts";
import { defaultUnpackLimits } from "../../../../src/api/families/design-assets.ts";
import { renamedIn, zipOf } from "../zip-files.ts";

const part = fc.oneof(
  fc.constantFrom("..", ".", "/", "\\", "a", "b", "C:", "\0", "~", "é", " ", "con", "__proto__"),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);
const name = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));

describe("unpacking", () => {
  let parent = "";
  let inside = "";
  let archive = "";
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "platform-workbench-unpacking-"));
    inside = join(parent, "inside");
    archive = join(parent, "archive.zip");
    await mkdir(inside);
  });
  afterEach(async () => await rm(parent, { recursive: true }));

  async function unpacked(content: Uint8Array, signal?: AbortSignal) {
    await writeFile(archive, content);
    return unpackArchive(archive, inside, defaultUnpackLimits, signal);
  }

  it("writes within the folder alone, whatever the names", async function () {
    this.timeout(60_000);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), async (names) => {
        await rm(inside, { recursive: true });
        await mkdir(inside);
        const content = await zipOf(names.map((one) => ({ name: one, content: one })));
        let files = 0;
        try {
          ({ files } = await unpacked(content));
        } catch (error) {
          // A file system has its own reasons, as a name that is a file and a folder.
          assert.equal(error instanceof ArchiveError || (error instanceof Error && "code" in error), true);
          refused += 1;
          return;
        }
        const found = await readdir(inside, { recursive: true, withFileTypes: true });
        assert.equal(found.filter((entry) => entry.isFile()).length, files);
        assert.equal(
          found.every((entry) => entry.isFile() || entry.isDirectory()),
          true,
        );
        assert.deepEqual((await readdir(parent)).toSorted(), ["archive.zip", "inside"]);
      }),
      { numRuns: 150 },
    );
    assert.equal(refused > 10, true, "hardly any name was refused: the test tries too little");
  });

  it("makes no folder that an entry names outside", async () => {
    const content = renamedIn(
      await zipOf([{ name: "aa/evil/", content: "" }, { name: "good.txt" }]),
      "aa/evil",
      "../evil",
    );
    await unpacked(content).catch((error: unknown) => assert.equal(error instanceof ArchiveError, true));
    assert.deepEqual((await readdir(parent)).toSorted(), ["archive.zip", "inside"]);
  });

  it("makes no file executable, and keeps bytes as they are", async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    await unpacked(await zipOf([{ name: "run.sh", content: bytes, mode: 0o100755 }]));
    assert.deepEqual(await readFile(join(inside, "run.sh")), bytes);
    assert.equal((await stat(join(inside, "run.sh"))).mode & 0o111, 0);
  });

  it("stops when it is cancelled", async () => {
    const stop = new AbortController();
    const content = await zipOf(
      Array.from({ length: 200 }, (_, index) => ({ name: `${index}.txt`, content: Buffer.alloc(50_000, index) })),
    );
    setTimeout(() => stop.abort(), 15);
    await assert.rejects(unpacked(content, stop.signal), { name: "AbortError" });
    assert.equal((await readdir(inside)).length < 200, true);
  });
});

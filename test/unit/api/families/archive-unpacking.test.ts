import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  ArchiveError,
  measureArchive,
  readArchive,
  readArchiveFile,
  unpackArchive,
} from "../../../../src/api/families/archive-unpacking.ts";
import { defaultUnpackLimits } from "../../../../src/api/families/design-assets.ts";
import { until } from "../../../harness/until.ts";
import { countRounds } from "../event-loop.ts";
import { heldBytes } from "../local-server.ts";
import { renamedIn, storedZip, zipOf } from "../zip-files.ts";

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

  it("yields to other work while it checks long names", async () => {
    const roundsFor = async (middle: string): Promise<number> => {
      const content = storedZip(Array.from({ length: 600 }, (_, nth) => ({ name: `a${middle}${nth}` })));
      const rounds = countRounds();
      assert.equal(await readArchiveFile(content, "missing", defaultUnpackLimits, undefined), undefined);
      rounds.stop();
      return rounds.count;
    };
    const more = (await roundsFor("\\".repeat(1000))) - (await roundsFor("\\"));
    assert.ok(more >= 8, `${more} rounds of the event loop more`);
  });

  it("writes only within the folder, regardless of the names", async () => {
    let leftOutEntries = 0;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), async (names) => {
        await rm(inside, { recursive: true });
        await mkdir(inside);
        const content = await zipOf(names.map((one) => ({ name: one, content: one })));
        const { files, leftOut } = await unpacked(content);
        leftOutEntries += leftOut.length;
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
    assert.equal(leftOutEntries > 10, true, "hardly any entry was left out: the test tries too little");
  });

  it("creates no folder outside of the target", async () => {
    const content = renamedIn(
      await zipOf([{ name: "aa/evil/", content: "" }, { name: "good.txt" }]),
      "aa/evil",
      "../evil",
    );
    await unpacked(content).catch((error: unknown) => assert.equal(error instanceof ArchiveError, true));
    assert.deepEqual((await readdir(parent)).toSorted(), ["archive.zip", "inside"]);
  });

  it("gives twins and impossible names other names, follows no link, and lists both", async () => {
    const content = await zipOf([
      ...["Src/a.txt", "src/b.txt", "src/B.txt", "con.txt", "notes: 1.txt"].map((one) => ({ name: one, content: one })),
      { name: "link-out", content: "../../outside.txt", mode: 0o120777 },
    ]);
    await writeFile(archive, content);
    const { files, leftOut, renamed } = await unpackArchive(archive, inside, defaultUnpackLimits, undefined, "windows");
    assert.deepEqual([files, leftOut.map((left) => left.name)], [5, ["link-out"]]);
    assert.deepEqual(
      renamed.map(({ path, newPath }) => `${path}: ${newPath}`),
      ["src/b.txt: src (2)/b.txt", "src/B.txt: src (2)/B (2).txt", "con.txt: con_.txt", "notes: 1.txt: notes- 1.txt"],
    );
    assert.equal(await readFile(join(inside, "src (2)", "B (2).txt"), "utf8"), "src/B.txt");
    assert.deepEqual((await readdir(inside)).toSorted(), ["Src", "con_.txt", "notes- 1.txt", "src (2)"]);
    assert.deepEqual((await readdir(parent)).toSorted(), ["archive.zip", "inside"]);
  });

  it("makes no file executable, and preserves bytes", async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    await unpacked(await zipOf([{ name: "run.sh", content: bytes, mode: 0o100755 }]));
    assert.deepEqual(await readFile(join(inside, "run.sh")), bytes);
    assert.equal((await stat(join(inside, "run.sh"))).mode & 0o111, 0);
  });

  it("stops when it is canceled", async () => {
    const stop = new AbortController();
    const content = await zipOf(
      Array.from({ length: 200 }, (_, index) => ({ name: `${index}.txt`, content: Buffer.alloc(50_000, index) })),
    );
    const stopped = assert.rejects(unpacked(content, stop.signal), { name: "AbortError" });
    await until("a file is unpacked", async () => (await readdir(inside)).length > 0);
    stop.abort();
    await stopped;
    assert.equal((await readdir(inside)).length < 200, true);
  });
});

describe("reading a crafted archive", () => {
  const limits = defaultUnpackLimits;

  async function refusal(content: Uint8Array, allowed = limits): Promise<string> {
    const all = await Promise.all(
      [
        readArchive(content, allowed, undefined),
        measureArchive(content, allowed, undefined),
        readArchiveFile(content, "a.txt", allowed, undefined),
      ].map((reading) =>
        reading.then(
          () => "it was read",
          (error: unknown) => (error instanceof ArchiveError ? error.message : `not an ArchiveError: ${String(error)}`),
        ),
      ),
    );
    assert.equal(new Set(all).size, 1, all.join("; "));
    return all[0] ?? "";
  }

  it("reads one that is written byte by byte", async () => {
    const files = await readArchive(storedZip([{ name: "a.txt", content: "one" }, { name: "b/" }]), limits, undefined);
    assert.deepEqual(
      [...files].map(([path, bytes]) => [path, String(bytes)]),
      [["a.txt", "one"]],
    );
  });

  it("leaves out a name that occurs twice, because another program could show the other content", async () => {
    const content = storedZip([
      { name: "a.txt", content: "shown" },
      { name: "a.txt", content: "hidden" },
      { name: "b.txt" },
      { name: "./b.txt" },
      { name: "c.txt" },
    ]);
    assert.deepEqual([...(await readArchive(content, limits, undefined)).keys()], ["c.txt"]);
  });

  it("leaves out only the entries that it can't read, and what macOS adds", async () => {
    const content = storedZip([
      ...["../out.txt", "/etc/x", "C:\\x", "a/../../x", "f", "f/below", "__MACOSX/._ok.txt", "src\\views\\main.js"].map(
        (name) => ({ name }),
      ),
      { name: "Report.txt", content: "one" },
      { name: "report.txt", content: "two" },
    ]);
    const files = await readArchive(content, limits, undefined);
    assert.deepEqual([...files.keys()], ["Report.txt", "f", "report.txt", "src/views/main.js"]);
    assert.deepEqual(String(files.get("report.txt")), "two");
  });

  it("shows a link as a link", async () => {
    const content = await zipOf([
      { name: "link-out", content: "../../etc/passwd", mode: 0o120777 },
      { name: "ok.txt" },
    ]);
    const files = await readArchive(content, limits, undefined);
    assert.deepEqual([...files.keys()], ["link-out", "ok.txt"]);
    assert.equal(String(files.get("link-out")), "Link to ../../etc/passwd\n");
  });

  it("rejects too many entries by the claimed number, before it reads one", async () => {
    const claim = storedZip([{ name: "a.txt" }], 60_000);
    assert.equal(await refusal(claim), "it has 60000 entries, but only 20000 are allowed");
    const zip64 = Buffer.concat([
      storedZip([{ name: "a.txt" }]).subarray(0, -22),
      zip64End(2 ** 40),
      storedZip([]).subarray(-22),
    ]);
    assert.equal(await refusal(zip64), "it has 1099511627776 entries, but only 20000 are allowed");
  });

  it("rejects too many entries even if it claims fewer", async () => {
    const many = Array.from({ length: 70_000 }, (_, index) => ({ name: `${index}.txt`, content: "" }));
    assert.equal(await refusal(storedZip(many)), "its directory has more entries than declared");
    assert.equal(await refusal(storedZip(many.slice(0, 20_001))), "it has 20001 entries, but only 20000 are allowed");
    assert.match(await refusal(storedZip(many.slice(0, 3), 4)), /isn't a readable ZIP archive/);
  });

  it("rejects a directory that would need far too much memory for its entries", async () => {
    const held = await heldBytes();
    const before = held();
    const fields = Array.from({ length: 480 }, (_, index) => ({ name: `${index}.txt`, extra: 65_532 }));
    assert.match(await refusal(storedZip(fields)), /^its directory has more than 5120000 bytes of names and comments$/);
    assert.equal(
      await refusal(storedZip([{ name: "a/".repeat(32_000) }])),
      "it has an entry whose name has more than 1024 bytes",
    );
    assert.ok(held() - before < 64 * 1024 * 1024);
    assert.deepEqual(
      [...(await readArchive(storedZip([{ name: "a.txt", extra: 36 }]), limits, undefined)).keys()],
      ["a.txt"],
    );
  });

  it("rejects entries that share bytes", async () => {
    const shared = storedZip([{ name: "a.txt" }, { name: "b.txt", sharesHeader: true }]);
    assert.equal(await refusal(shared), "its entry a.txt overlaps with b.txt");
    const beyond = storedZip([{ name: "a.txt", content: "0123456789" }]);
    // The name in the local header becomes longer, so the content extends into the directory.
    beyond.writeUInt16LE(9, 26);
    assert.equal(await refusal(beyond), "its entry a.txt overlaps with its directory");
  });

  it("rejects unreadable archives", async () => {
    assert.match(await refusal(Buffer.from("PK no archive")), /isn't a readable ZIP archive/);
    assert.match(
      await refusal(storedZip([{ name: "a.txt", flags: 1 }])),
      /isn't a readable ZIP archive|the archive has it encrypted/,
    );
  });

  it("reads names in UTF-8 without the flag, and others in the encoding of old archives", async () => {
    const content = storedZip([{ name: "ä.txt" }, { name: Uint8Array.of(0x81, 0x2e, 0x63) }]);
    assert.deepEqual(
      [...(await readArchive(content, limits, undefined)).keys()].toSorted(),
      ["ä.txt", "ü.c"].toSorted(),
    );
  });

  it("throws only an ArchiveError for any bytes", async () => {
    const whole = await zipOf([{ name: "a.txt", content: "one".repeat(100) }, { name: "b/c.bin" }, { name: "d/" }]);
    const changes = fc.array(fc.tuple(fc.nat(whole.byteLength - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(whole.byteLength), async (bytes, cut) => {
        const changed = Buffer.from(whole);
        for (const [at, byte] of bytes) {
          changed[at] = byte;
        }
        for (const content of [changed, changed.subarray(0, cut)]) {
          try {
            await readArchive(content, limits, undefined);
          } catch (error) {
            assert.equal(error instanceof ArchiveError, true, String(error));
            refused += 1;
          }
        }
      }),
      { numRuns: 1000 },
    );
    assert.equal(refused > 100, true, "hardly any archive was refused: the test tries too little");
  });
});

/** The end records of the 64-bit format, without the one of the old format. */
function zip64End(entries: number): Buffer {
  const record = Buffer.alloc(56);
  record.write("504b0606", "hex");
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  const locator = Buffer.alloc(20);
  locator.write("504b0607", "hex");
  locator.writeBigUInt64LE(BigInt(storedZip([{ name: "a.txt" }]).byteLength - 22), 8);
  return Buffer.concat([record, locator]);
}

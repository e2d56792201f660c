import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getDesignAssets } from "../../../../src/api/catalogue/operations/designs.ts";
import {
  type AssetsTarget,
  type FetchedAssets,
  fetchDesignAssets,
} from "../../../../src/api/families/design-assets.ts";
import type { PlatformError } from "../../../../src/api/http/errors.ts";
import { until } from "../../../harness/until.ts";
import { failureOf } from "../fake-platform.ts";
import { heldBytes, type LocalResponse, localServer } from "../local-server.ts";
import { renamedIn, withDeclaredSize, zipOf } from "../zip-files.ts";

const id = { designId: "d-1", version: "1.0.0" };
const symbolicLink = 0o120777;
const usual = await zipOf([{ name: "index.html" }, { name: "a/b/app.js", content: "let a;" }, { name: "ä/ü.txt" }]);

function sending(archive: Uint8Array, contentType = "application/zip", status = 200): LocalResponse {
  return (_, response) => {
    response.writeHead(status, { "content-type": contentType, "content-length": archive.byteLength });
    response.end(archive);
  };
}

/** All paths below a folder, sorted. */
async function pathsIn(directory: string): Promise<string[]> {
  return (await readdir(directory, { recursive: true })).toSorted();
}

describe("design assets", () => {
  let directory = "";
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-assets-"));
  });
  afterEach(async () => await rm(directory, { recursive: true }));

  async function fetched(response: LocalResponse, target: AssetsTarget, signal?: AbortSignal): Promise<FetchedAssets> {
    const server = await localServer(response);
    try {
      return await fetchDesignAssets(server.client, id, target, signal === undefined ? {} : { signal });
    } finally {
      await server.stop();
    }
  }

  async function refused(response: LocalResponse, target: AssetsTarget): Promise<PlatformError> {
    const failure = await failureOf(fetched(response, target));
    assert.deepEqual([failure.kind, failure.entity], ["asset", "design d-1, version 1.0.0"]);
    return failure;
  }

  it("saves the archive unchanged", async () => {
    const result = await fetched(sending(usual), { archiveDirectory: join(directory, "new/folder") });
    assert.deepEqual(result, { bytes: usual.byteLength, archive: join(directory, "new/folder/archive.zip") });
    assert.deepEqual(await readFile(join(directory, "new/folder/archive.zip")), usual);
    assert.deepEqual(await readdir(join(directory, "new/folder")), ["archive.zip"]);
  });

  it("unpacks it without keeping it", async () => {
    const unpackDirectory = join(directory, "source");
    const result = await fetched(sending(usual), { unpackDirectory });
    const unpacked = { files: 3, bytes: 8, leftOut: [], renamed: [], directory: unpackDirectory };
    assert.deepEqual(result, { bytes: usual.byteLength, unpacked });
    assert.deepEqual(await pathsIn(unpackDirectory), ["a", "a/b", "a/b/app.js", "index.html", "ä", "ä/ü.txt"]);
    assert.equal(await readFile(join(unpackDirectory, "a/b/app.js"), "utf8"), "let a;");
  });

  // Proves 4.3: Rule 5: the archive can be saved in a folder
  it("keeps and unpacks it in one folder", async () => {
    await fetched(sending(usual), { archiveDirectory: directory, unpackDirectory: directory });
    assert.deepEqual((await readdir(directory)).toSorted(), ["a", "archive.zip", "index.html", "ä"]);
  });

  it("accepts an empty archive, folders, and names with a backslash", async () => {
    await fetched(sending(await zipOf([])), { unpackDirectory: join(directory, "none") });
    assert.deepEqual(await pathsIn(join(directory, "none")), []);
    await fetched(sending(await zipOf([{ name: "a\\b.txt" }, { name: "./c.txt" }])), {
      unpackDirectory: join(directory, "some"),
    });
    assert.deepEqual(await pathsIn(join(directory, "some")), ["a", "a/b.txt", "c.txt"]);
  });

  const bad: readonly { what: string; archive: () => Promise<Buffer>; message: RegExp; limits?: object }[] = [
    {
      what: "more entries than are allowed",
      archive: () => zipOf([{ name: "a" }, { name: "b" }, { name: "c" }]),
      message: /it has 3 entries, but only 2 are allowed/,
      limits: { entries: 2 },
    },
    {
      what: "more bytes than are allowed, however well packed",
      archive: () =>
        zipOf([
          { name: "a", content: Buffer.alloc(600_000) },
          { name: "b", content: Buffer.alloc(600_000) },
        ]),
      message: /more than 1000000 bytes in total/,
      limits: { bytes: 1_000_000 },
    },
    {
      what: "more bytes than the archive itself declares",
      archive: async () => withDeclaredSize(await zipOf([{ name: "a", content: Buffer.alloc(2_000_000) }]), 10),
      message: /its entry a can't be read/,
      limits: { bytes: 1_000_000 },
    },
    {
      what: "another size than the archive declares",
      archive: async () => withDeclaredSize(await zipOf([{ name: "a", content: Buffer.alloc(2000) }]), 10),
      message: /its entry a can't be read/,
    },
    {
      what: "an archive that is too big itself",
      archive: async () => usual,
      message: /it has \d+ bytes, but only 10 are allowed/,
      limits: { bytes: 10 },
    },
    {
      what: "half an archive",
      archive: async () => usual.subarray(0, usual.byteLength / 2),
      message: /isn't a readable ZIP archive/,
    },
  ];
  const odd: readonly { what: string; archive: () => Promise<Buffer>; written: readonly string[]; leftOut: RegExp }[] =
    [
      {
        what: "an entry that leaves the folder",
        archive: async () =>
          renamedIn(await zipOf([{ name: "good.txt" }, { name: "aa/evil.txt" }]), "aa/evil", "../evil"),
        written: ["good.txt"],
        leftOut: /^\.\.\/evil\.txt: it is outside the folder$/,
      },
      {
        what: "an entry that leaves the folder further down",
        archive: async () => renamedIn(await zipOf([{ name: "a/bb/bb/evil.txt" }]), "a/bb/bb/", "a/../../"),
        written: [],
        leftOut: /it is outside the folder$/,
      },
      {
        what: "an entry that leaves the folder with backslashes",
        archive: async () => zipOf([{ name: "..\\evil.txt" }]),
        written: [],
        leftOut: /it is outside the folder$/,
      },
      {
        what: "an entry from the root",
        archive: async () => renamedIn(await zipOf([{ name: "aetc/passwd" }]), "aetc", "/etc"),
        written: [],
        leftOut: /it is outside the folder$/,
      },
      {
        what: "an entry of a drive",
        archive: () => zipOf([{ name: "C:\\evil.txt" }]),
        written: [],
        leftOut: /it is outside the folder$/,
      },
      {
        what: "a symbolic link",
        archive: () => zipOf([{ name: "good.txt" }, { name: "link", content: "/etc/passwd", mode: symbolicLink }]),
        written: ["good.txt"],
        leftOut: /^link: it is a link$/,
      },
      {
        what: "a device",
        archive: () => zipOf([{ name: "null", mode: 0o020666 }]),
        written: [],
        leftOut: /^null: it isn't a regular file$/,
      },
      {
        what: "a file that is a folder as well",
        archive: () => zipOf([{ name: "a" }, { name: "a/b" }]),
        written: ["a"],
        leftOut: /^a\/b: another entry is a file where it needs a folder$/,
      },
    ];
  for (const { what, archive, written, leftOut } of odd) {
    it(`leaves out ${what}, names it, and unpacks the rest`, async () => {
      const place = join(directory, "source");
      const { unpacked } = await fetched(sending(await archive()), { unpackDirectory: place });
      assert.deepEqual(await readdir(place), written);
      assert.match((unpacked?.leftOut ?? []).map(({ name, reason }) => `${name}: ${reason}`).join("\n"), leftOut);
      assert.deepEqual(await readdir(directory), ["source"]);
    });
  }

  for (const { what, archive, message, limits = {} } of bad) {
    it(`unpacks nothing from an archive with ${what}, and keeps the archive on request`, async () => {
      const place = join(directory, "inner/source");
      const response = sending(await archive());
      const failure = await refused(response, { unpackDirectory: place, limits });
      assert.match(failure.message, message);
      assert.deepEqual(await pathsIn(directory), ["inner"]);
      const kept = await refused(response, { unpackDirectory: place, archiveDirectory: directory, limits });
      assert.match(kept.message, /The archive itself is in .*archive\.zip\.$/);
      assert.deepEqual(await pathsIn(directory), ["archive.zip", "inner"]);
    });
  }

  it("recognizes the text Not Found with any status", async () => {
    for (const status of [200, 404, 500]) {
      const failure = await refused(sending(Buffer.from("Not Found\n"), "text/plain", status), {
        archiveDirectory: directory,
      });
      assert.equal(
        failure.message,
        `Can't download version 1.0.0 of app design d-1: the platform has no archive for it: it returned the text Not Found (${status}). Check the version, and that its assets were published.`,
      );
      assert.deepEqual([failure.status, failure.response?.body], [status, "Not Found\n"]);
    }
    assert.deepEqual(await pathsIn(directory), []);
    const server = await localServer(sending(Buffer.from("Not Found"), "text/plain"));
    const failure = await failureOf(server.client.call(getDesignAssets, id));
    await server.stop();
    assert.match(failure.message, /the text Not Found \(200\)/);
  });

  it("reports any other refusal by its status", async () => {
    const missing = await refused(sending(Buffer.from('{"message":"gone","toe":"T-1"}'), "application/json", 404), {
      archiveDirectory: directory,
    });
    assert.match(missing.message, /: gone \(404\) \(trace T-1\)\. It doesn't exist, or you don't have access/);
    const broken = await refused(sending(Buffer.from(""), "text/plain", 500), { archiveDirectory: directory });
    assert.match(broken.message, /: the server returned an error \(500\)\. Try again later\.$/);
  });

  it("saves no web page and no other text", async () => {
    const page = await refused(sending(Buffer.from("<h1>Sign in</h1>"), "text/html"), { archiveDirectory: directory });
    assert.equal(page.failureCause.type, "notJson");
    const text = await refused(sending(Buffer.from("hello")), { archiveDirectory: directory });
    assert.match(text.message, /didn't send a ZIP archive/);
    assert.deepEqual(await pathsIn(directory), []);
  });

  it("rejects a nonempty folder and an existing archive before a request", async () => {
    const server = await localServer(sending(usual));
    try {
      await writeFile(join(directory, "mine.txt"), "mine");
      const full = await failureOf(fetchDesignAssets(server.client, id, { unpackDirectory: directory }));
      assert.match(full.message, /isn't empty\. Choose a new or empty folder\.$/);
      await writeFile(join(directory, "archive.zip"), "mine");
      const there = await failureOf(fetchDesignAssets(server.client, id, { archiveDirectory: directory }));
      assert.match(there.message, /archive\.zip already exists/);
      const nowhere = await failureOf(fetchDesignAssets(server.client, id, {}));
      assert.match(nowhere.message, /no destination folder was specified/);
      const file = await failureOf(
        fetchDesignAssets(server.client, id, { archiveDirectory: join(directory, "mine.txt") }),
      );
      assert.match(file.message, /it can't be saved \(EEXIST/);
      assert.equal(server.requests.length, 0);
      assert.equal(await readFile(join(directory, "archive.zip"), "utf8"), "mine");
      await fetchDesignAssets(server.client, id, { archiveDirectory: directory, replaceArchive: true });
      assert.deepEqual(await readFile(join(directory, "archive.zip")), usual);
    } finally {
      await server.stop();
    }
  });

  it("leaves nothing behind when it is canceled", async () => {
    const stop = new AbortController();
    const slow = (response: ServerResponse): void => {
      response.writeHead(200, { "content-type": "application/zip", "content-length": 10_000 });
      response.write(usual);
    };
    const place = join(directory, "new");
    const failed = failureOf(fetched((_, response) => slow(response), { archiveDirectory: place }, stop.signal));
    await until("a part of it is kept", async () => (await pathsIn(directory)).length > 1);
    stop.abort();
    const failure = await failed;
    assert.deepEqual([failure.kind, failure.failureCause.type], ["request", "cancelled"]);
    assert.deepEqual(await pathsIn(directory), []);
  });

  it("restarts a broken transfer, and reports progress", async () => {
    const progress: (number | undefined)[][] = [];
    const server = await localServer((_, response, nth) => {
      response.writeHead(200, { "content-type": "application/zip", "content-length": usual.byteLength });
      if (nth === 1) {
        response.write(Buffer.alloc(usual.byteLength - 1), () => response.destroy());
      } else {
        response.end(usual);
      }
    });
    try {
      const onReceived = (received: number, total?: number) => progress.push([received, total]);
      const result = await fetchDesignAssets(server.client, id, { archiveDirectory: directory }, { onReceived });
      assert.deepEqual([result.bytes, server.requests.length], [usual.byteLength, 2]);
      assert.deepEqual(await readFile(join(directory, "archive.zip")), usual);
      assert.deepEqual(progress.at(-1), [usual.byteLength, usual.byteLength]);
      assert.equal(server.requests[0]?.accept, "*/*");
      assert.equal(
        server.lines.some(
          (line) => line.endsWith(` 200 ${usual.byteLength} B`) || line.includes(`ms ${usual.byteLength} B`),
        ),
        true,
      );
    } finally {
      await server.stop();
    }
  });

  // Proves 4.3: GET assets streams a ZIP archive
  it("streams 100 MB to disk without keeping them in memory, at the speed of the disk", async () => {
    const part = Buffer.alloc(1024 * 1024, 7);
    usual.copy(part, 0, 0, 4);
    const server = await localServer((_, response) => {
      response.writeHead(200, { "content-type": "application/zip" });
      let sent = 0;
      const more = (): void => {
        while (sent < 100) {
          sent += 1;
          if (!response.write(part)) {
            response.once("drain", more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    try {
      const held = await heldBytes();
      const before = held();
      let highest = 0;
      let total: number | undefined = -1;
      const onReceived = (received: number, all?: number): void => {
        total = all;
        if (received % (10 * part.byteLength) < 65_536) {
          highest = Math.max(highest, held() - before);
        }
      };
      const { bytes } = await fetchDesignAssets(server.client, id, { archiveDirectory: directory }, { onReceived });
      assert.deepEqual([bytes, total], [100 * part.byteLength, undefined]);
      assert.equal((await stat(join(directory, "archive.zip"))).size, bytes);
      assert.equal(highest < 30 * part.byteLength, true, `${highest} bytes were held`);
    } finally {
      await server.stop();
    }
  });

  it("doesn't retry a transfer after a disk error", async () => {
    const server = await localServer(sending(usual));
    try {
      for (const receiver of [
        { begin: () => Promise.reject(Object.assign(new Error("no room"), { code: "ENOSPC" })), write: async () => {} },
        { begin: async () => {}, write: () => Promise.reject(Object.assign(new Error("no room"), { code: "ENOSPC" })) },
      ]) {
        const before = server.requests.length;
        const failure = await failureOf(server.client.call(getDesignAssets, id, { receiver }));
        assert.deepEqual(failure.failureCause, { type: "receiver", code: "ENOSPC" });
        assert.match(failure.message, /couldn't be stored \(no room\)/);
        assert.equal(server.requests.length - before, 1);
      }
      await mkdir(join(directory, "archive.zip"));
      const target = { archiveDirectory: directory, replaceArchive: true };
      const failure = await failureOf(fetchDesignAssets(server.client, id, target));
      assert.match(failure.message, /it can't be saved/);
      assert.deepEqual(await pathsIn(directory), ["archive.zip"]);
    } finally {
      await server.stop();
    }
  });
});

import assert from "node:assert/strict";
import { memoryLimits, readDesignAssets } from "../../../../src/api/families/design-assets.ts";
import { failureOf } from "../fake-platform.ts";
import { type LocalResponse, localServer } from "../local-server.ts";
import { zipOf } from "../zip-files.ts";

const id = { designId: "d-1", version: "1.0.0" };

function sending(archive: Uint8Array): LocalResponse {
  return (_, response) => {
    response.writeHead(200, { "content-type": "application/zip", "content-length": archive.byteLength });
    response.end(archive);
  };
}

async function read(archive: Uint8Array, limits = memoryLimits): Promise<ReadonlyMap<string, Uint8Array>> {
  const server = await localServer(sending(archive));
  try {
    return await readDesignAssets(server.client, id, limits);
  } finally {
    await server.stop();
  }
}

describe("design assets in memory", () => {
  it("are the archive's files by their paths, in the order of the paths", async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    const files = await read(
      await zipOf([{ name: "index.html" }, { name: "a/b.bin", content: bytes }, { name: "ä.txt" }]),
    );
    assert.deepEqual([...files.keys()], ["a/b.bin", "index.html", "ä.txt"]);
    assert.deepEqual(Buffer.from(files.get("a/b.bin") ?? []), bytes);
  });

  it("don't include an entry outside of the folder, and are rejected if there is no archive", async () => {
    const files = await read(await zipOf([{ name: "../evil.js" }, { name: "good.js" }]));
    assert.deepEqual([...files.keys()], ["good.js"]);
    const failure = await failureOf(read(Buffer.from("no archive")));
    assert.deepEqual([failure.kind, failure.entity], ["asset", "design d-1, version 1.0.0"]);
  });

  it("are rejected above a number of bytes, packed or unpacked", async () => {
    const zeros = await zipOf([{ name: "zeros", content: Buffer.alloc(100_000) }]);
    const unpacked = await failureOf(read(zeros, { bytes: 50_000, entries: 10 }));
    assert.match(unpacked.message, /its files have more than 50000 bytes in total/);
    const packed = await failureOf(read(zeros, { bytes: 10, entries: 10 }));
    assert.match(packed.message, /it has more than 10 bytes and is too large to browse; download it instead/);
  });
});

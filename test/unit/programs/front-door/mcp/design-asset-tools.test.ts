import assert from "node:assert/strict";
import { designAssetTools } from "../../../../../src/programs/front-door/mcp/design-asset-tools.ts";
import type { Tool } from "../../../../../src/programs/front-door/mcp/tool.ts";
import { fakePlatform, sent } from "../../../api/fake-platform.ts";
import { renamedIn, storedZip, withDeclaredSize, zipOf } from "../../../api/zip-files.ts";

const given = { designId: "d-1", version: "1.0.0" };
const megabyte = 1024 * 1024;

function assetTool(): Tool {
  const [tool] = designAssetTools();
  assert.ok(tool !== undefined);
  return tool;
}

/** The tool's answer if the platform has this archive. */
async function responded(archive: Uint8Array, path?: string, signal = new AbortController().signal): Promise<unknown> {
  const headers = { "content-type": "application/zip" };
  const fake = fakePlatform(() => ({ status: 200, headers, body: archive }));
  const clients = {
    person: "ada",
    redacted: (text: string) => text,
    signal,
    platform: async () => fake.platform,
    content: () => Promise.reject(new Error("no content server is needed")),
  };
  const whole = { position: { offset: 0, skip: 0 }, limit: undefined };
  const { value } = await assetTool().run(path === undefined ? given : { ...given, path }, whole, clients);
  assert.equal(sent(fake).length, 1);
  return value;
}

describe("front door: the source of a design", () => {
  it("is a list of paths and sizes, in the order of the paths, without folders", async () => {
    const archive = await zipOf([
      { name: "b.js", content: "12345" },
      { name: "a/", content: "", mode: 0o040755 },
      { name: "a/c.css" },
    ]);
    const files = [
      { path: "a/c.css", size: 1 },
      { path: "b.js", size: 5 },
    ];
    assert.deepEqual(await responded(archive), { ...given, files });
  });

  it("is one file's bytes, as text if possible, including a byte order mark", async () => {
    const text = "\ufeffl\u00e4uft\r\n";
    const archive = await zipOf([
      { name: "a.txt", content: text },
      { name: "b.bin", content: Buffer.from([0xff, 0, 1]) },
    ]);
    assert.deepEqual(await responded(archive, "a.txt"), { path: "a.txt", size: 11, encoding: "text", content: text });
    const bytes = { path: "b.bin", size: 3, encoding: "base64", content: "/wAB" };
    assert.deepEqual(await responded(archive, "b.bin"), bytes);
  });

  it("rejects missing files, and names of object members", async () => {
    const archive = await zipOf([{ name: "a.txt" }]);
    for (const path of ["b.txt", "a", "__proto__", "constructor", "../a.txt", "/a.txt"]) {
      await assert.rejects(responded(archive, path), { kind: "arguments", message: /has no file/ });
    }
  });

  it("is unpacked within limits, regardless of the sizes that the archive claims", async () => {
    const bomb = withDeclaredSize(await zipOf([{ name: "a.txt", content: Buffer.alloc(70 * megabyte) }]), 10);
    assert.ok(bomb.byteLength < megabyte);
    await assert.rejects(responded(bomb), { kind: "archive" });
    await assert.rejects(responded(bomb, "a.txt"), { kind: "archive" });
    const big = await zipOf([{ name: "a.txt", content: Buffer.alloc(9 * megabyte) }, { name: "b.txt" }]);
    await assert.rejects(responded(big, "a.txt"), { kind: "archive", message: /more than 8388608 bytes/ });
    assert.deepEqual(await responded(big, "b.txt"), { path: "b.txt", size: 1, encoding: "text", content: "x" });
  });

  it("is rejected if it isn't an archive, or has too many entries", async () => {
    const refused = {
      kind: "archive",
      message: /^The archive of version 1.0.0 of app design d-1 can't be used: .+\.$/,
    };
    const many = Array.from({ length: 5001 }, (_, nth) => ({ name: `${nth}`, content: "" }));
    const shared = Array.from({ length: 300_000 }, (_, nth) => ({ name: `${nth}`, sharesHeader: nth > 0 }));
    const archives = [
      Buffer.from("no archive"),
      new Uint8Array(),
      await zipOf(many),
      storedZip(shared),
      storedZip(shared, 4000),
      storedZip(shared.slice(0, 4000)),
      storedZip([{ name: "a.txt", extra: 65_532 }, ...Array(30).fill({ name: "b.txt", extra: 65_532 })]),
    ];
    for (const archive of archives) {
      await assert.rejects(responded(archive), refused);
      await assert.rejects(responded(archive, "a.txt"), refused);
    }
  });

  it("leaves out entries that lead out of its folder, and never follows a link", async () => {
    const outside = renamedIn(await zipOf([{ name: "aa/a.txt" }, { name: "b.txt" }]), "aa/a", "../a");
    assert.deepEqual(await responded(outside), { ...given, files: [{ path: "b.txt", size: 1 }] });
    await assert.rejects(responded(outside, "../a.txt"), { kind: "arguments", message: /has no file/ });
    const linked = await zipOf([{ name: "link", content: "../secret", mode: 0o120777 }]);
    const content = "Link to ../secret\n";
    assert.deepEqual(await responded(linked, "link"), { path: "link", size: 18, encoding: "text", content });
  });

  it("is not fetched for a call that has ended", async () => {
    await assert.rejects(responded(await zipOf([{ name: "a.txt" }]), undefined, AbortSignal.abort()), {
      name: "AbortError",
    });
  });
});

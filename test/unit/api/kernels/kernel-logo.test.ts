import assert from "node:assert/strict";
import type { ContentClient } from "../../../../src/api/client/client.ts";
import { isSmallPng, readKernelLogo } from "../../../../src/api/kernels/kernel-logo.ts";

/** The beginning of a PNG with an image of this size. */
function png(width: number, height: number, bytes = 100): Uint8Array {
  const image = Buffer.alloc(bytes);
  image.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  image.write("IHDR", 12);
  image.writeUInt32BE(width, 16);
  image.writeUInt32BE(height, 20);
  return image;
}

describe("A kernel's logo", () => {
  const signal = new AbortController().signal;
  const spec = { name: "python3", displayName: "Python 3", language: "python", logoFile: "logo-64x64.png" };
  const clientThat = (raw: ContentClient["raw"]): ContentClient => ({ raw }) as ContentClient;

  it("is a PNG of a few bytes and pixels", () => {
    assert.ok(isSmallPng(png(64, 64)));
    for (const other of [
      ...[png(0, 64), png(64, 513), png(2 ** 32 - 1, 1), png(64, 64, 100_001), png(64, 64).subarray(0, 23)],
      ...[Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'></svg>"), Buffer.alloc(100)],
    ]) {
      assert.equal(isSmallPng(other), false);
    }
  });

  it("is omitted if the server has something else, or none", async () => {
    const responses = [
      { status: 200, body: png(64, 64) },
      { status: 404, body: png(64, 64) },
      { status: 200, body: Buffer.from("<html>") },
    ];
    const asked: unknown[] = [];
    const logos = [];
    for (const response of responses) {
      const client = clientThat(async (_, input) => {
        asked.push(input);
        return { headers: {}, ...response };
      });
      logos.push(await readKernelLogo(client, spec, signal));
    }
    assert.deepEqual(logos, [responses[0]?.body, undefined, undefined]);
    assert.deepEqual(asked[0], { name: "python3", file: "logo-64x64.png" });
    const none = clientThat(() => assert.fail("nothing is asked for"));
    assert.equal(await readKernelLogo(none, { ...spec, logoFile: undefined }, signal), undefined);
  });

  it("is not read further if it is too large; a server that doesn't respond is an error", async () => {
    const large = clientThat(async (_, __, options = {}) => {
      options.onReceived?.(100_000);
      assert.equal(options.signal?.aborted, false);
      options.onReceived?.(100_001);
      options.signal?.throwIfAborted();
      return assert.fail("it was read on");
    });
    assert.equal(await readKernelLogo(large, spec, signal), undefined);
    const silent = clientThat(() => Promise.reject(new Error("no answer")));
    await assert.rejects(readKernelLogo(silent, spec, signal), /no answer/);
  });
});

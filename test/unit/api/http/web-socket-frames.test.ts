import assert from "node:assert/strict";
import fc from "fast-check";
import { FrameError, FrameReader, frameCodes, frameOf } from "../../../../src/api/http/web-socket-frames.ts";

const limits = { bytes: 100_000, fragments: 10 };

/** A server's frame: like a client's, but without the mask. */
function serverFrame(code: number, data: Uint8Array, isFinal = true): Buffer {
  const length = data.length;
  const head = length > 0xffff ? Buffer.alloc(10) : length > 125 ? Buffer.alloc(4) : Buffer.from([0, length]);
  head[0] = (isFinal ? 0x80 : 0) | code;
  if (head.length === 4) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else if (head.length === 10) {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, data]);
}

function inParts(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (const size of sizes) {
    parts.push(bytes.subarray(from, from + size));
    from += size;
  }
  return [...parts, bytes.subarray(from)];
}

function refusal(bytes: Buffer): FrameError {
  try {
    new FrameReader(limits).read(bytes);
  } catch (error) {
    assert.ok(error instanceof FrameError);
    return error;
  }
  return assert.fail("it was taken");
}

describe("WebSocket frames", () => {
  it("are read from any split of the bytes, with control frames between fragments", () => {
    const message = fc.record({
      code: fc.constantFrom(frameCodes.text, frameCodes.binary),
      fragments: fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 }),
      hasPing: fc.boolean(),
    });
    const long = fc.uint8Array({ minLength: 65_000, maxLength: 66_000 }).map((data) => ({
      code: frameCodes.binary as number,
      fragments: [data],
      hasPing: false,
    }));
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 5, arbitrary: message }, { weight: 1, arbitrary: long }), { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 40 }),
        (messages, sizes) => {
          const frames = messages.flatMap(({ code, fragments, hasPing }) =>
            fragments.flatMap((data, index) => [
              ...(hasPing && index > 0 ? [serverFrame(frameCodes.ping, Buffer.from("p"))] : []),
              serverFrame(index === 0 ? code : frameCodes.continuation, data, index === fragments.length - 1),
            ]),
          );
          const reader = new FrameReader(limits);
          const read = inParts(Buffer.concat(frames), sizes).flatMap((part) => reader.read(part));
          assert.deepEqual(
            read.filter(({ code }) => code < frameCodes.close).map(({ code, data }) => [code, data.toString("hex")]),
            messages.map(({ code, fragments }) => [code, Buffer.concat(fragments).toString("hex")]),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it("are rejected by their declared length before they arrive", () => {
    const head = serverFrame(frameCodes.binary, Buffer.alloc(limits.bytes + 1)).subarray(0, 10);
    assert.equal(refusal(head).closeCode, 1009);
    const huge = Buffer.from([0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    assert.equal(refusal(huge).closeCode, 1009);
  });

  it("are rejected if a message has too many fragments", () => {
    const fragments = Array.from({ length: 11 }, (_, index) =>
      serverFrame(index === 0 ? frameCodes.text : frameCodes.continuation, Buffer.alloc(0), false),
    );
    assert.equal(refusal(Buffer.concat(fragments)).closeCode, 1009);
  });

  it("are rejected if they are masked, extended, out of order, or invalid control frames", () => {
    const invalid = [
      Buffer.from([0x81, 0x80, 0, 0, 0, 0]),
      Buffer.from([0xc1, 0]),
      Buffer.from([0x80, 0]),
      Buffer.from([0x83, 0]),
      Buffer.from([0x09, 0]),
      Buffer.from([0x8b, 0]),
      Buffer.concat([
        serverFrame(frameCodes.text, Buffer.alloc(1), false),
        serverFrame(frameCodes.text, Buffer.alloc(1)),
      ]),
    ];
    for (const bytes of invalid) assert.equal(refusal(bytes).closeCode, 1002);
  });

  it("of this client are masked with a separate key", () => {
    for (const length of [0, 1, 125, 126, 65_535, 65_536]) {
      const data = Buffer.alloc(length, "abc");
      const frame = frameOf(frameCodes.binary, data);
      const head = length > 0xffff ? 10 : length > 125 ? 4 : 2;
      assert.equal(frame[0], 0x82);
      assert.equal((frame[1] ?? 0) & 0x80, 0x80);
      const key = frame.subarray(head, head + 4);
      const plain = frame.subarray(head + 4).map((byte, index) => byte ^ (key[index % 4] ?? 0));
      assert.deepEqual(Buffer.from(plain), data);
      assert.equal(frame.length, head + 4 + length);
    }
    const [one, other] = [frameOf(1, Buffer.alloc(64)), frameOf(1, Buffer.alloc(64))];
    assert.notDeepEqual(one, other);
  });
});

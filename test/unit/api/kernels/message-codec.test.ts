import assert from "node:assert/strict";
import { serialize } from "node:v8";
import fc from "fast-check";
import { MessageError, type OutgoingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";
import { binaryProtocol, decodeMessage, encodeMessage } from "../../../../src/api/kernels/wire/message-codec.ts";
import { parsableJson } from "../../../harness/parsable-json.ts";

const fields = parsableJson(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true, maxKeys: 4 }));
const header = fc.record({ msg_id: fc.string(), msg_type: fc.string(), session: fc.string() });
const message: fc.Arbitrary<OutgoingMessage> = fc.record({
  channel: fc.constantFrom("shell", "control", "iopub", "stdin"),
  header,
  parentHeader: header,
  metadata: fields,
  content: fields,
  buffers: fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 4 }),
});

function asSocketMessage(data: Uint8Array | string): { readonly isText: boolean; readonly data: Buffer } {
  return { isText: typeof data === "string", data: Buffer.from(data) };
}

describe("Kernel messages on the wire", () => {
  for (const protocol of [binaryProtocol, undefined]) {
    it(`survive a round trip, ${protocol ?? "JSON"}`, () => {
      fc.assert(
        fc.property(message, (sent) => {
          const read = decodeMessage(asSocketMessage(encodeMessage(sent, protocol)), protocol);
          const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
          assert.deepEqual(json(read.header), json(sent.header));
          assert.deepEqual(json(read.parentHeader), json(sent.parentHeader));
          assert.deepEqual(json(read.content), json(sent.content));
          assert.deepEqual(json(read.metadata), json(sent.metadata));
          assert.equal(read.channel, sent.channel);
          assert.deepEqual(
            read.buffers.map((buffer) => Buffer.from(buffer)),
            (sent.buffers ?? []).map((buffer) => Buffer.from(buffer)),
          );
        }),
      );
    });

    it(`are rejected safely if they are anything else, ${protocol ?? "JSON"}`, () => {
      const valid = message.map((sent) => asSocketMessage(encodeMessage(sent, protocol)).data);
      const broken = fc
        .tuple(valid, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }), fc.nat())
        .map(([data, changes, cut]) => {
          const copy = Buffer.from(data);
          for (const [position, byte] of changes) copy[position % copy.length] = byte;
          return copy.subarray(0, copy.length - (cut % 20));
        });
      const anything = fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((data) => Buffer.from(data)),
        broken,
      );
      fc.assert(
        fc.property(anything, fc.boolean(), (data, isText) => {
          try {
            const read = decodeMessage({ isText, data }, protocol);
            serialize([read.content, read.metadata]);
          } catch (error) {
            assert.ok(error instanceof MessageError, String(error));
          }
        }),
        { numRuns: 500 },
      );
    });
  }

  it("with a table of more parts than bytes are rejected immediately", () => {
    const data = Buffer.alloc(64);
    data.writeBigUInt64LE(2n ** 62n, 0);
    assert.throws(() => decodeMessage({ isText: false, data }, binaryProtocol), MessageError);
  });

  it("with values that are nested too deeply are rejected", () => {
    const content = JSON.stringify({ a: 1 }).replace("1", "[".repeat(5000) + "]".repeat(5000));
    const data = Buffer.from(`{"channel":"iopub","header":{"msg_id":"1","msg_type":"stream"},"content":${content}}`);
    assert.throws(() => decodeMessage({ isText: true, data }, undefined), MessageError);
  });
});

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { duplexPair } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { type SocketEnd, socketHandshake, WebSocketConnection } from "../../../../src/api/http/web-socket.ts";
import { frameCodes } from "../../../../src/api/http/web-socket-frames.ts";

const limits = { bytes: 100_000, fragments: 10 };

/** A server's frame of at most 125 bytes. */
function frame(code: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0x80 | code, data.length]), data]);
}

/** The data of the last of a client's frames, which have at most 125 bytes. */
function lastOf(frames: Buffer): string {
  const length = (frames[1] ?? 0) & 0x7f;
  const [frame, rest] = [frames.subarray(0, 6 + length), frames.subarray(6 + length)];
  const data = frame.subarray(6).map((byte, index) => byte ^ (frame[2 + (index % 4)] ?? 0));
  return rest.length > 0 ? lastOf(rest) : data.toString();
}

async function turns(): Promise<void> {
  for (let count = 0; count < 10; count += 1) await turn();
}

function connected(
  onMessages: (texts: readonly string[]) => void | Promise<void>,
  awaitsMessages: () => boolean = () => false,
) {
  const [client, server] = duplexPair();
  const ends: SocketEnd[] = [];
  const received: Buffer[] = [];
  server.on("data", (part: Buffer) => received.push(part));
  const socket = new WebSocketConnection(
    client,
    {
      onMessages: (messages) => onMessages(messages.map(({ data }) => data.toString())),
      awaitsMessages,
      onEnd: (end) => ends.push(end),
    },
    limits,
  );
  return { socket, client, server, ends, sent: () => Buffer.concat(received) };
}

describe("WebSockets", () => {
  it("accept only the response to their own key, without extensions, with an offered subprotocol", () => {
    const handshake = socketHandshake(["one", "two"]);
    const key = handshake.headers["sec-websocket-key"] ?? "";
    assert.equal(Buffer.from(key, "base64").length, 16);
    assert.equal(handshake.headers["sec-websocket-protocol"], "one, two");
    const accepted = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    const response = { "sec-websocket-accept": accepted };
    assert.equal(handshake.refusal(response), undefined);
    assert.equal(handshake.refusal({ ...response, "sec-websocket-protocol": "two" }), undefined);
    assert.notEqual(handshake.refusal({ ...response, "sec-websocket-protocol": "three" }), undefined);
    assert.notEqual(handshake.refusal({ ...response, "sec-websocket-extensions": "permessage-deflate" }), undefined);
    assert.notEqual(handshake.refusal({ "sec-websocket-accept": "other" }), undefined);
  });

  it("pause reading while their listener is busy", async () => {
    const seen: string[] = [];
    let proceed = (): void => {};
    const { socket, server } = connected((texts) => {
      seen.push(...texts);
      return new Promise((resolve) => {
        proceed = resolve;
      });
    });
    server.write(frame(frameCodes.text, Buffer.from("one")));
    await turns();
    server.write(frame(frameCodes.text, Buffer.from("two")));
    await turns();
    assert.deepEqual(seen, ["one"]);
    assert.equal(socket.isPaused, true);
    proceed();
    await turns();
    assert.deepEqual(seen, ["one", "two"]);
  });

  it("reply to a ping with its data", async () => {
    const { server, sent } = connected(() => {});
    server.write(frame(frameCodes.ping, Buffer.from("abc")));
    await turns();
    const response = sent();
    assert.equal(response[0], 0x80 | frameCodes.pong);
    assert.equal(response.length, 2 + 4 + 3);
  });

  it("queue few replies for a server that pings without reading, and reply to its last ping", async () => {
    const { client, server, sent } = connected(() => {});
    server.pause();
    for (let count = 0; count < 5000; count += 1) {
      server.write(frame(frameCodes.ping, Buffer.alloc(100)));
    }
    server.write(frame(frameCodes.ping, Buffer.from("last")));
    await turns();
    assert.ok(client.writableLength < 100_000, `${client.writableLength} bytes`);
    server.resume();
    await turns();
    assert.equal(lastOf(sent()), "last");
  });

  it("acknowledge each part that arrives while messages are awaited, with a pong", async () => {
    let isAwaited = false;
    const seen: string[] = [];
    const { server, sent } = connected(
      (texts) => void seen.push(...texts),
      () => isAwaited,
    );
    const deliver = async (text: string): Promise<void> => {
      server.write(frame(frameCodes.text, Buffer.from(text)));
      await turns();
    };
    await deliver("nobody waits");
    isAwaited = true;
    const long = frame(frameCodes.text, Buffer.from("in two parts"));
    server.write(long.subarray(0, 5));
    await turns();
    server.write(long.subarray(5));
    await turns();
    isAwaited = false;
    await deliver("nobody waits");
    assert.deepEqual(seen, ["nobody waits", "in two parts", "nobody waits"]);
    const pongs = sent();
    assert.equal(pongs.length, 2 * 6);
    for (const start of [0, 6]) {
      assert.deepEqual([...pongs.subarray(start, start + 2)], [0x80 | frameCodes.pong, 0x80]);
    }
  });

  it("acknowledge nothing while the server does not read", async () => {
    const { client, server, sent } = connected(
      () => {},
      () => true,
    );
    server.pause();
    for (let count = 0; count < 200 && !client.writableNeedDrain; count += 1) {
      client.write(Buffer.alloc(1000));
    }
    assert.ok(client.writableNeedDrain);
    server.write(frame(frameCodes.text, Buffer.from("one")));
    await turns();
    server.resume();
    await turns();
    assert.equal(sent().length % 1000, 0);
  });

  it("deliver messages before a close frame, reply to it, and report its code once", async () => {
    const seen: string[] = [];
    const { server, ends, sent } = connected((texts) => {
      seen.push(...texts);
    });
    const goodbye = Buffer.concat([Buffer.from([0x03, 0xe9]), Buffer.from("going away")]);
    server.write(Buffer.concat([frame(frameCodes.text, Buffer.from("last")), frame(frameCodes.close, goodbye)]));
    await turns();
    assert.deepEqual(seen, ["last"]);
    assert.deepEqual(ends, [{ code: 1001, reason: "going away" }]);
    assert.equal(sent()[0], 0x80 | frameCodes.close);
  });

  it("end with the reason if the server violates the protocol, and report a broken connection without a code", async () => {
    const invalid = connected(() => {});
    invalid.server.write(Buffer.from([0xff, 0]));
    await turns();
    assert.equal(invalid.ends[0]?.code, undefined);
    assert.match(invalid.ends[0]?.reason ?? "", /frame/);
    const broken = connected(() => {});
    broken.server.destroy();
    await turns();
    assert.deepEqual(broken.ends.length, 1);
    assert.equal(broken.ends[0]?.code, undefined);
  });
});

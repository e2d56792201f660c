import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { tunnelWindowBytes } from "../../../../../src/api/companion/operations/tunnel.ts";
import { ForwardedPort } from "../../../../../src/api/companion/tunnel/forwarded-port.ts";
import { TunnelStreamError } from "../../../../../src/api/companion/tunnel/tunnel-stream.ts";
import { until } from "../../../../harness/until.ts";
import { FakeCompanion } from "./fake-companion.ts";

describe("A tunnel", () => {
  let companion: FakeCompanion;

  beforeEach(() => {
    companion = new FakeCompanion();
  });

  it("numbers its batches, keeps the order, and has at most eight of them under way", async () => {
    companion.isReplying = false;
    const tunnel = await companion.tunnel();
    const stream = tunnel.connect(8501);
    for (let nth = 0; nth < 20; nth += 1) {
      stream.write(Buffer.from([nth]));
      await new Promise(setImmediate);
    }
    assert.deepEqual(
      companion.batches.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    companion.reply();
    await until("the rest", () => companion.sentBytes === 20);
    assert.deepEqual(
      companion.batches.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    assert.deepEqual(companion.frames[0], { type: "open", connection: 1, port: 8501 });
    const sent = Buffer.concat(companion.batches.flatMap(({ buffers }) => buffers));
    assert.deepEqual(
      [...sent],
      Array.from({ length: 20 }, (_, nth) => nth),
    );
  });

  it("stops to send when the window is full, and continues when the port has taken some", async () => {
    const tunnel = await companion.tunnel();
    const stream = tunnel.connect(1);
    const piece = Buffer.alloc(256 * 1024);
    let written = 0;
    const total = 2 * tunnelWindowBytes;
    const writing = (async () => {
      while (written < total) {
        written += piece.length;
        if (!stream.write(piece)) await once(stream, "drain");
      }
    })();
    await until("a full window", () => companion.sentBytes >= tunnelWindowBytes);
    await new Promise(setImmediate);
    assert.equal(companion.sentBytes, tunnelWindowBytes);
    companion.push([{ type: "received", connection: 1, bytes: piece.length }]);
    await until("one more", () => companion.sentBytes > tunnelWindowBytes);
    assert.equal(companion.sentBytes, tunnelWindowBytes + piece.length);
    for (let nth = 0; nth < 8; nth += 1) {
      companion.push([{ type: "received", connection: 1, bytes: tunnelWindowBytes / 4 }]);
      await new Promise(setImmediate);
    }
    await writing;
    await until("all", () => companion.sentBytes === total);
  });

  it("reports what was read, and nothing while nobody reads", async () => {
    const tunnel = await companion.tunnel();
    const stream = tunnel.connect(1);
    const reported = (): number =>
      companion.frames.reduce((sum, frame) => sum + (frame.type === "received" ? frame.bytes : 0), 0);
    const piece = Buffer.alloc(1024 * 1024);
    for (let nth = 0; nth < 4; nth += 1) companion.push([{ type: "data", connection: 1 }], piece);
    await new Promise(setImmediate);
    assert.equal(reported(), 0);
    stream.resume();
    await until("the report", () => reported() === 4 * piece.length);
  });

  it("ends with a companion that sends more than the window", async () => {
    const tunnel = await companion.tunnel();
    const stream = tunnel.connect(1);
    const failed = once(stream, "error");
    const piece = Buffer.alloc(1024 * 1024);
    for (let nth = 0; nth < 5; nth += 1) companion.push([{ type: "data", connection: 1 }], piece);
    const [error] = await failed;
    assert.equal(error instanceof TunnelStreamError && error.reason, "lost");
    assert.match(String(tunnel.end), /more than it may/);
    assert.equal(companion.isCanceled, true);
  });

  it("ends both directions of a connection on their own", async () => {
    const tunnel = await companion.tunnel();
    const stream = tunnel.connect(1);
    stream.end("question");
    await until("the end", () => companion.frames.some(({ type }) => type === "end"));
    companion.push(
      [
        { type: "data", connection: 1 },
        { type: "end", connection: 1 },
      ],
      Buffer.from("answer"),
    );
    assert.equal(Buffer.concat(await stream.toArray()).toString(), "answer");
    await until("its end", () => tunnel.connections === 0);
    assert.equal(
      companion.frames.some(({ type }) => type === "close"),
      false,
    );
  });

  it("ends a connection that the port refuses, and one that is destroyed", async () => {
    const tunnel = await companion.tunnel();
    const [refused, destroyed] = [tunnel.connect(1), tunnel.connect(2)];
    const failed = once(refused, "error");
    companion.push([{ type: "closed", connection: 1, reason: "refused", message: "Nothing listens." }]);
    const [error] = await failed;
    assert.equal(error instanceof TunnelStreamError && error.reason, "refused");
    destroyed.destroy();
    await until("the message", () => companion.frames.some(({ type }) => type === "close"));
    assert.deepEqual(companion.frames.at(-1), { type: "close", connection: 2 });
    assert.equal(tunnel.connections, 0);
  });

  it("ends all connections if the companion is lost", async () => {
    const tunnel = await companion.tunnel();
    const streams = [tunnel.connect(1), tunnel.connect(2)];
    const failed = streams.map((stream) => once(stream, "error"));
    companion.lose();
    for (const [error] of await Promise.all(failed)) assert.equal((error as TunnelStreamError).reason, "lost");
    const late = tunnel.connect(3);
    const [error] = await once(late, "error");
    assert.equal((error as TunnelStreamError).reason, "lost");
  });
});

describe("A forwarded port", () => {
  const forward = (companion: FakeCompanion, tunnelTimeoutMs = 30_000): Promise<ForwardedPort> => {
    const tunnel = companion.tunnel();
    return ForwardedPort.listen({
      ...{ port: 8501, tunnel: () => tunnel, hosts: () => [], onChange: () => {}, wordsOf: String, tunnelTimeoutMs },
    });
  };

  it("listens on the loopback only, passes bytes on, and ends its connections when it is disposed of", async () => {
    const companion = new FakeCompanion();
    const forwarded = await forward(companion);
    const socket = connect(forwarded.localPort, "127.0.0.1");
    socket.write("PING\r\n");
    await until("the bytes", () => companion.sentBytes === 6);
    companion.push([{ type: "data", connection: 1 }], Buffer.from("PONG"));
    const [answer] = await once(socket, "data");
    assert.equal(String(answer), "PONG");
    assert.equal(forwarded.connections, 1);
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    forwarded.dispose();
    await closed;
    const late = connect(forwarded.localPort, "127.0.0.1");
    const [error] = await once(late, "error");
    assert.equal((error as NodeJS.ErrnoException).code, "ECONNREFUSED");
  });

  it("tells a browser why it can't be reached", async () => {
    const companion = new FakeCompanion();
    const forwarded = await forward(companion);
    const asked = fetch(`http://127.0.0.1:${forwarded.localPort}/`);
    await until("the connection", () => companion.frames.length > 0);
    companion.push([{ type: "closed", connection: 1, reason: "refused", message: "Nothing listens on the port." }]);
    const response = await asked;
    assert.equal(response.status, 502);
    assert.equal(await response.text(), "Nothing listens on port 8501.\n");
    assert.equal(String(forwarded.problem), "Nothing listens on port 8501.");
    forwarded.dispose();
  });

  it("refuses a name of somebody else before anything is sent to the port", async () => {
    const companion = new FakeCompanion();
    const forwarded = await forward(companion);
    const socket = connect(forwarded.localPort, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    const answer = Buffer.concat(await socket.toArray()).toString();
    assert.match(answer, /^HTTP\/1\.1 403 Forbidden\r\n/);
    assert.equal(companion.sentBytes, 0);
    forwarded.dispose();
  });
});

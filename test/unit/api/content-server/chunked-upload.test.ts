import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { uploadInChunks } from "../../../../src/api/content-server/chunked-upload.ts";
import {
  bodyOf,
  connectionError,
  contentPathOf,
  empty,
  failureOf,
  fakePlatform,
  item,
  json,
  told,
} from "../fake-platform.ts";

const megabyte = 1024 * 1024;
const options = { chunkBytes: megabyte, sleep: async () => {} };

/** A content server that joins chunks as Jupyter does. */
class ChunkServer {
  bytes: Buffer = Buffer.alloc(0);

  take(request: Parameters<typeof bodyOf>[0]): ReturnType<typeof json> {
    const { content, chunk } = bodyOf(request);
    const part = Buffer.from(String(content), "base64");
    this.bytes = chunk === 1 ? part : Buffer.concat([this.bytes, part]);
    return this.tell(request);
  }

  tell(request: Parameters<typeof bodyOf>[0]): ReturnType<typeof json> {
    const hash = request.path.includes("hash=1") ? createHash("sha256").update(this.bytes).digest("hex") : null;
    const facts = { size: this.bytes.byteLength, hash, hash_algorithm: hash === null ? null : "sha256" };
    return json(200, { ...item(contentPathOf(request)), ...facts });
  }
}

describe("upload in chunks", () => {
  const content = randomBytes(2.5 * megabyte);

  it("sends the chunks in order, marks the last one, and reports progress", async () => {
    const server = new ChunkServer();
    const fake = fakePlatform((request) => server.take(request));
    const sent: number[] = [];
    const written = await uploadInChunks(fake.content, "a.bin", content, { ...options, onSent: (n) => sent.push(n) });
    assert.equal(written?.size, content.byteLength);
    assert.ok(server.bytes.equals(content));
    assert.deepEqual(
      fake.requests.map((request) => bodyOf(request).chunk),
      [1, 2, -1],
    );
    assert.deepEqual(sent, [megabyte, 2 * megabyte, content.byteLength]);
  });

  it("uses smaller chunks if the server or a proxy rejects larger ones", async () => {
    const server = new ChunkServer();
    const fake = fakePlatform((request) =>
      String(request.body).length > megabyte ? json(413, { message: "too large" }) : server.take(request),
    );
    assert.ok((await uploadInChunks(fake.content, "a.bin", content, options)) !== undefined);
    assert.ok(server.bytes.equals(content));
    assert.equal(fake.requests.length, 1 + 5);
  });

  it("detects a server that replaces the file with each chunk, or doesn't support chunks, before the third chunk", async () => {
    const forgetful = fakePlatform((request) => {
      const { content: part } = bodyOf(request);
      return json(200, { ...item("a.bin"), size: Buffer.from(String(part), "base64").byteLength });
    });
    assert.equal(await uploadInChunks(forgetful.content, "a.bin", content, options), undefined);
    assert.equal(forgetful.requests.length, 2);
    for (const status of [400, 404]) {
      const strict = fakePlatform(() => json(status, { message: "unknown field chunk, or no such file" }));
      assert.equal(await uploadInChunks(strict.content, "a.bin", content, options), undefined);
      assert.equal(strict.requests.length, 1);
    }
    const silent = fakePlatform(() => json(200, { ...item("a.bin"), size: null }));
    assert.equal(await uploadInChunks(silent.content, "a.bin", content, options), undefined);
  });

  it("checks what arrived before it retries a chunk, and then compares the complete file", async () => {
    for (const hasArrived of [true, false]) {
      const server = new ChunkServer();
      const fake = fakePlatform((request, nth) => {
        if (request.method === "GET") return server.tell(request);
        if (nth === 2) {
          if (hasArrived) server.take(request);
          throw connectionError("ECONNRESET");
        }
        return server.take(request);
      });
      assert.ok((await uploadInChunks(fake.content, "a.bin", content, options)) !== undefined);
      assert.ok(server.bytes.equals(content));
      const parts = hasArrived ? ["PUT", "PUT", "GET", "PUT", "GET"] : ["PUT", "PUT", "GET", "PUT", "PUT", "GET"];
      assert.deepEqual(
        fake.requests.map(told),
        parts.map((method) => `${method} a.bin`),
      );
    }
  });

  it("fails if the size matches neither state, and if a late chunk arrived twice", async () => {
    const half = new ChunkServer();
    const broken = fakePlatform((request, nth) => {
      if (request.method === "GET") return half.tell(request);
      const response = half.take(request);
      if (nth === 2) {
        half.bytes = half.bytes.subarray(0, -10);
        throw connectionError("ECONNRESET");
      }
      return response;
    });
    assert.equal(
      (await failureOf(uploadInChunks(broken.content, "a.bin", content, options))).failureCause.type,
      "network",
    );
    const late = new ChunkServer();
    const twice = fakePlatform((request, nth) => {
      if (request.method === "GET") return late.tell(request);
      if (nth === 2) throw connectionError("ECONNRESET");
      late.take(request);
      // The lost one arrives at the end, before the last part.
      if (nth === 4) late.bytes = Buffer.concat([late.bytes, late.bytes.subarray(megabyte)]);
      return late.tell(request);
    });
    const failure = await failureOf(uploadInChunks(twice.content, "a.bin", content, options));
    assert.match(failure.message, /Can't save a\.bin: the server has \d+ bytes, but \d+ were sent/);
  });

  it("waits as long as an overloaded server requests, in seconds or until a date, and continues", async () => {
    const later = new Date(Date.now() + 9000).toUTCString();
    const past = new Date(Date.now() - 60_000).toUTCString();
    for (const [asked, least, max] of [
      ["3", 3000, 3000],
      [later, 6000, 9000],
      [past, 0, 0],
      ["86400", 15_000, 15_000],
      ["soon", 500, 500],
    ] as const) {
      const server = new ChunkServer();
      const waits: number[] = [];
      const fake = fakePlatform((request, nth) => {
        if (request.method === "GET") return server.tell(request);
        return nth === 2 ? empty(429, { "retry-after": asked }) : server.take(request);
      });
      const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
      assert.ok((await uploadInChunks(fake.content, "a.bin", content, { ...options, sleep })) !== undefined);
      const [wait = -1] = waits;
      assert.deepEqual([waits.length, wait >= least, wait <= max], [1, true, true], `${asked}: ${waits}`);
      assert.ok(server.bytes.equals(content));
    }
  });

  it("doesn't retry a rejected chunk", async () => {
    const fake = fakePlatform((_, nth) =>
      nth === 1 ? json(200, { ...item("a.bin"), size: megabyte }) : json(507, {}),
    );
    const failure = await failureOf(uploadInChunks(fake.content, "a.bin", content, options));
    assert.deepEqual([failure.status, fake.requests.length], [507, 2]);
  });

  it("sends a small file as a single first chunk", async () => {
    const server = new ChunkServer();
    const fake = fakePlatform((request) => server.take(request));
    const small = content.subarray(0, megabyte);
    assert.equal((await uploadInChunks(fake.content, "a.bin", small, options))?.size, megabyte);
    assert.ok(server.bytes.equals(small));
    assert.deepEqual(
      fake.requests.map((request) => bodyOf(request).chunk),
      [1],
    );
  });

  it("uses no chunks smaller than half a megabyte, and doesn't shrink them after a chunk was accepted", async () => {
    const never = fakePlatform(() => json(413, { message: "too large" }));
    assert.equal((await failureOf(uploadInChunks(never.content, "a.bin", content, options))).status, 413);
    assert.equal(never.requests.length, 2);
    const server = new ChunkServer();
    const full = fakePlatform((request, nth) => (nth === 1 ? server.take(request) : json(413, {})));
    assert.equal((await failureOf(uploadInChunks(full.content, "a.bin", content, options))).status, 413);
    assert.equal(full.requests.length, 2);
  });

  it("fails if the first chunk is rejected for another reason, or a later chunk is rejected", async () => {
    const forbidden = fakePlatform(() => json(403, {}));
    assert.equal((await failureOf(uploadInChunks(forbidden.content, "a.bin", content, options))).status, 403);
    const server = new ChunkServer();
    const late = fakePlatform((request, nth) => (nth === 1 ? server.take(request) : json(400, {})));
    assert.equal((await failureOf(uploadInChunks(late.content, "a.bin", content, options))).status, 400);
  });

  it("fails if the server stops reporting the size after it joined two chunks", async () => {
    const server = new ChunkServer();
    const fake = fakePlatform((request, nth) => {
      const response = server.take(request);
      return nth === 3 ? json(200, { ...item("a.bin"), size: null }) : response;
    });
    const failure = await failureOf(uploadInChunks(fake.content, "a.bin", content, options));
    assert.deepEqual([failure.kind, failure.failureCause], ["crud", { type: "unexpectedResponse", fields: ["size"] }]);
    assert.equal(failure.operationWord, "update");
    assert.match(failure.message, /Can't save a\.bin: .* Try again\./);
  });

  it("retries the first chunk regardless of what is on the server", async () => {
    for (const existing of [undefined, 10]) {
      const server = new ChunkServer();
      const fake = fakePlatform((request, nth) => {
        if (nth === 1) throw connectionError("ECONNRESET");
        if (request.method === "PUT") return server.take(request);
        if (nth > 2) return server.tell(request);
        return existing === undefined ? json(404, {}) : json(200, { ...item("a.bin"), size: existing });
      });
      assert.ok((await uploadInChunks(fake.content, "a.bin", content, options)) !== undefined);
      assert.ok(server.bytes.equals(content));
    }
  });

  it("fails after four attempts with increasing pauses", async () => {
    const server = new ChunkServer();
    const fake = fakePlatform((request, nth) => {
      if (request.method === "GET") return server.tell(request);
      if (nth === 1) return server.take(request);
      throw connectionError("ECONNRESET");
    });
    const waits: number[] = [];
    const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const failure = await failureOf(uploadInChunks(fake.content, "a.bin", content, { ...options, sleep }));
    assert.equal(failure.failureCause.type, "network");
    assert.deepEqual(waits, [500, 1000, 2000]);
    assert.equal(fake.requests.filter(({ method }) => method === "PUT").length, 1 + 4);
  });

  it("continues after a server was temporarily unreachable", async () => {
    const server = new ChunkServer();
    let refused = 0;
    const fake = fakePlatform((request) => {
      if (request.method === "GET") return server.tell(request);
      if (server.bytes.byteLength === megabyte && refused < 5) {
        refused += 1;
        throw connectionError("ECONNREFUSED");
      }
      return server.take(request);
    });
    assert.ok((await uploadInChunks(fake.content, "a.bin", content, options)) !== undefined);
    assert.ok(server.bytes.equals(content));
  });

  it("stops when canceled: while a chunk is sent, before a retry, and before the comparison", async () => {
    for (const [cancelledAt, requests] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [5, 5],
    ] as const) {
      const server = new ChunkServer();
      const cancellation = new AbortController();
      const fake = fakePlatform((request, nth) => {
        if (nth === cancelledAt) cancellation.abort();
        if (request.method === "GET") return server.tell(request);
        if (nth === 2) throw connectionError("ECONNRESET");
        return server.take(request);
      });
      const work = uploadInChunks(fake.content, "a.bin", content, { ...options, signal: cancellation.signal });
      assert.equal((await failureOf(work)).failureCause.type, "cancelled", `at request ${cancelledAt}`);
      assert.equal(fake.requests.length, requests);
    }
  });

  describe("compares the complete file after a retry", () => {
    for (const [name, hash, isDamaged] of [
      ["another hash", { hash: "0".repeat(64), hash_algorithm: "sha256" }, true],
      ["a server that tells no hash", { hash: null, hash_algorithm: null }, false],
      ["a hash without its algorithm", { hash: "0".repeat(64), hash_algorithm: null }, false],
      ["an algorithm without a hash", { hash: null, hash_algorithm: "sha256" }, false],
      ["a hash by an algorithm that is unknown here", { hash: "0".repeat(64), hash_algorithm: "no-hash" }, false],
    ] as const) {
      it(`${isDamaged ? "and fails with" : "unless it can't, with"} ${name}`, async () => {
        const server = new ChunkServer();
        const fake = fakePlatform((request, nth) => {
          if (request.method === "GET") {
            const isAsked = /[?&]type=file(?:&|$)/.test(request.path) && request.path.includes("hash=1");
            return json(200, { ...item("a.bin"), size: server.bytes.byteLength, ...(isAsked ? hash : {}) });
          }
          if (nth === 2) throw connectionError("ECONNRESET");
          return server.take(request);
        });
        const work = uploadInChunks(fake.content, "a.bin", content, options);
        if (isDamaged) {
          assert.match((await failureOf(work)).message, /the uploaded content differs from the content that was sent/);
        } else {
          assert.equal((await work)?.size, content.byteLength);
        }
      });
    }
  });
});

import assert from "node:assert/strict";
import { connectionError, empty, html } from "../fake-platform.ts";
import { never, once, outcomeOf, repeatable, sequence } from "../fake-transport.ts";

describe("transport: retries", () => {
  for (const status of [429, 502, 503, 504]) {
    it(`${status} of a repeatable request until it succeeds`, async () => {
      const outcome = await outcomeOf(sequence(empty(status), empty(status)));
      assert.deepEqual([outcome.status, outcome.sent], [200, 3]);
    });

    it(`${status} never for other requests`, async () => {
      const outcome = await outcomeOf(sequence(empty(status)), once);
      assert.deepEqual([outcome.status, outcome.sent, outcome.waits], [status, 1, []]);
    });
  }

  for (const status of [200, 201, 204, 302, 304, 400, 401, 403, 404, 405, 409, 500, 501]) {
    it(`nothing after ${status}`, async () => {
      const outcome = await outcomeOf(sequence(empty(status)));
      assert.deepEqual([outcome.status, outcome.sent], [status, 1]);
    });
  }

  it("at most three times, and then returns the last response", async () => {
    const outcome = await outcomeOf(() => empty(503));
    assert.deepEqual([outcome.status, outcome.sent], [503, 4]);
    assert.equal(outcome.waits.length, 3);
  });

  it("no 503 of a hub, which would stay the same", async () => {
    const outcome = await outcomeOf(() => html(503, { "x-jupyterhub-version": "6.1.1" }));
    assert.deepEqual([outcome.status, outcome.sent], [503, 1]);
  });

  it("a running workspace's own 429, even though its server also sends the hub's header", async () => {
    const outcome = await outcomeOf(sequence(empty(429, { "x-jupyterhub-version": "6.1.1" })));
    assert.deepEqual([outcome.status, outcome.sent], [200, 2]);
  });

  it("waits longer each time, with jitter", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(() => empty(502))));
    for (const [index, middle] of [250, 500, 1000].entries()) {
      const waits = all.map(({ waits }) => waits[index] ?? 0);
      assert.equal(
        waits.every((wait) => wait >= middle * 0.75 && wait <= middle * 1.25),
        true,
        String(waits),
      );
      assert.equal(new Set(waits).size > 1, true);
    }
  });

  it("waits as the server requests: seconds, a date, at most 15 s", async () => {
    const retried = (value: string) => outcomeOf(sequence(empty(429, { "retry-after": value })));
    assert.deepEqual((await retried("3")).waits, [3000]);
    assert.deepEqual((await retried("0")).waits, [0]);
    assert.deepEqual((await retried("86400")).waits, [15_000]);
    assert.deepEqual((await retried(new Date(Date.now() - 60_000).toUTCString())).waits, [0]);
    const [wait = 0] = (await retried(new Date(Date.now() + 5000).toUTCString())).waits;
    assert.equal(wait > 3000 && wait <= 5000, true, String(wait));
    const [other = 0] = (await retried("soon")).waits;
    assert.equal(other >= 187 && other <= 313, true, String(other));
  });

  it("nothing that would exceed the time limit", async () => {
    const short = { ...repeatable, timeLimitMs: 2000 };
    const outcome = await outcomeOf(() => empty(503, { "retry-after": "10" }), short);
    assert.deepEqual([outcome.status, outcome.sent, outcome.waits], [503, 1, []]);
    const unsent = () => Promise.reject(connectionError("ECONNREFUSED"));
    assert.equal((await outcomeOf(unsent, { ...repeatable, timeLimitMs: 180 })).sent, 1);
    const moving = await outcomeOf(sequence(empty(503, { "retry-after": "10" })), { ...short, transfer: true });
    assert.deepEqual([moving.status, moving.sent], [200, 2]);
  });

  for (const code of ["ECONNREFUSED", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]) {
    it(`anything after ${code}: it never reached the server`, async () => {
      for (const request of [repeatable, once]) {
        const outcome = await outcomeOf(sequence(connectionError(code)), request);
        assert.deepEqual([outcome.status, outcome.sent], [200, 2]);
      }
      const failed = await outcomeOf(() => Promise.reject(connectionError(code)), once);
      assert.equal(failed.failure?.type === "network" && !failed.failure.reachedServer && failed.failure.code, code);
      assert.equal(failed.sent, 4);
    });
  }

  it("nothing that must never be retried", async () => {
    for (const code of ["ECONNREFUSED", "ECONNRESET"]) {
      assert.equal((await outcomeOf(sequence(connectionError(code)), never)).sent, 1);
    }
    const responded = await outcomeOf(sequence(empty(503)), never);
    assert.deepEqual([responded.status, responded.sent], [503, 1]);
  });

  for (const code of ["ECONNRESET", "UND_ERR_SOCKET", "EPIPE", "ETIMEDOUT"]) {
    it(`after ${code} only repeatable requests, because the server may have processed them`, async () => {
      assert.equal((await outcomeOf(sequence(connectionError(code)))).sent, 2);
      const outcome = await outcomeOf(sequence(connectionError(code)), once);
      assert.equal(outcome.sent, 1);
      assert.equal(outcome.failure?.type === "network" && outcome.failure.reachedServer && outcome.failure.code, code);
    });
  }

  for (const code of [
    "ENOTFOUND",
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "UND_ERR_INVALID_ARG",
  ]) {
    it(`nothing after ${code}, because a retry wouldn't help`, async () => {
      const outcome = await outcomeOf(sequence(connectionError(code)));
      assert.equal(outcome.sent, 1);
      assert.equal(outcome.failure?.type === "network" && outcome.failure.reachedServer, false);
    });
  }

  it("finds the code within a cause and among several addresses", async () => {
    const nested = new TypeError("fetch failed", { cause: connectionError("ECONNRESET") });
    const several = new AggregateError([connectionError("ECONNREFUSED"), connectionError("ENETUNREACH")]);
    const codes = await Promise.all(
      [nested, several, new Error("what")].map(async (error) => {
        const { failure } = await outcomeOf(() => Promise.reject(error), once);
        return failure?.type === "network" ? failure.code : failure?.type;
      }),
    );
    assert.deepEqual(codes, ["ECONNRESET", "ECONNREFUSED", "UNKNOWN"]);
  });
});

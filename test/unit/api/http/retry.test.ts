import assert from "node:assert/strict";
import { pause, retryAfter } from "../../../../src/api/http/retry.ts";

describe("retry", () => {
  it("reads the requested pause from seconds or an HTTP date", () => {
    assert.equal(retryAfter({ "retry-after": "3" }), 3000);
    assert.equal(retryAfter({ "retry-after": "0.5" }), 500);
    assert.equal(retryAfter({ "retry-after": "-3" }), 0);
    assert.equal(retryAfter({ "retry-after": new Date(Date.now() - 60_000).toUTCString() }), 0);
    const later = retryAfter({ "retry-after": new Date(Date.now() + 60_000).toUTCString() }) ?? 0;
    assert.equal(later > 58_000 && later <= 60_000, true, String(later));
    for (const headers of [undefined, {}, { "retry-after": "soon" }, { "retry-after": "Infinity" }]) {
      assert.equal(retryAfter(headers), undefined);
    }
  });

  it("ends an aborted pause immediately, without an error", async () => {
    const stop = new AbortController();
    const started = performance.now();
    const waiting = pause(60_000, stop.signal);
    stop.abort();
    await waiting;
    await pause(60_000, stop.signal);
    assert.equal(performance.now() - started < 50_000, true);
  });
});

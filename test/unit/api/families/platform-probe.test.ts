import assert from "node:assert/strict";
import { type PlatformProbe, probePlatform } from "../../../../src/api/families/platform-probe.ts";
import type { DispatchRequest } from "../../../../src/api/http/dispatch.ts";
import { TransportError } from "../../../../src/api/http/transport-errors.ts";
import { connectionError, empty, fakePlatform, html, json, origin, type Responder } from "../fake-platform.ts";

async function probed(
  respond: Responder,
  base = origin,
): Promise<{ readonly probe: PlatformProbe; readonly requests: readonly DispatchRequest[] }> {
  const { transport, requests } = fakePlatform(respond);
  const probe = await probePlatform(transport, new URL(base), { signal: new AbortController().signal });
  return { probe, requests };
}

const unauthorized = json(401, { status: 401, message: "Unauthorized" });

/** A platform with only the matching paths. */
function platformWith(paths: RegExp): Responder {
  return ({ path }) => (path.includes("/datascience/") || paths.test(path) ? unauthorized : json(404, {}));
}

describe("a probe of a tenant's address", () => {
  it("recognizes a platform by its refusal, and its dialect by the paths that it has", async () => {
    for (const [paths, dialects] of [
      [/^\/version\/v1/, ["documented"]],
      [/^\/api\/version\/v1/, ["domo"]],
      [/./, ["documented", "domo"]],
      [/^\/none/, ["documented", "domo"]],
    ] as const) {
      const { probe } = await probed(platformWith(paths));
      assert.deepEqual(probe, { type: "platform", dialects }, String(paths));
    }
  });

  it("treats a web page or a redirect at a path as a missing path", async () => {
    for (const absent of [html(200), html(404), empty(302, { location: "/sign-in" }), json(500, {})]) {
      const { probe } = await probed(({ path }) => (/^\/version/.test(path) ? absent : unauthorized));
      assert.deepEqual(probe, { type: "platform", dialects: ["domo"] });
    }
  });

  it("knows the dialect of a known host without another request", async () => {
    for (const [host, dialects, count] of [
      ["acme.domo.com", ["domo"], 1],
      ["acme.notdomo.com", ["documented", "domo"], 3],
      ["domo.com.example.com", ["documented", "domo"], 3],
    ] as const) {
      const { probe, requests } = await probed(() => unauthorized, `https://${host}`);
      assert.deepEqual(probe, { type: "platform", dialects }, host);
      assert.equal(requests.length, count, host);
    }
  });

  it("sends requests below the path of the address", async () => {
    const { requests } = await probed(() => unauthorized, `${origin}/platform`);
    assert.deepEqual(requests.map(({ path }) => path.replace(/\?.*/, "")).toSorted(), [
      "/platform/api/datascience/v1/workspaces/user",
      "/platform/api/version/v1/authorizations",
      "/platform/version/v1/authorizations",
    ]);
  });

  it("sends no credential, and only reads", async () => {
    const { requests } = await probed(() => unauthorized);
    assert.equal(requests.length, 3);
    for (const { headers, method, body } of requests) {
      assert.deepEqual(headers, { accept: "application/json" });
      assert.deepEqual([method, body], ["GET", undefined]);
    }
  });

  it("accepts a platform that needs no credential", async () => {
    const { probe } = await probed(() => json(200, { name: "alice" }));
    assert.equal(probe.type, "platform");
  });

  it("reports what responds instead of the platform, and sends no more requests", async () => {
    for (const [response, reason] of [
      [html(200), /^acme\.example\.com returned a web page instead of an API response\.$/],
      [html(401), /returned a web page/],
      [json(200, "<html>"), /returned a web page/],
      [json(200, { names: [] }), /^acme\.example\.com responded, but it doesn't appear to be a platform\.$/],
      [json(200, "no JSON"), /it doesn't appear to be a platform/],
      [json(200, "[".repeat(50) + "]".repeat(50)), /it doesn't appear to be a platform/],
      [json(200, {}), /it doesn't appear to be a platform/],
      [json(404, { message: "Not Found" }), /has no platform API at this address \(404\)/],
      [json(503, {}), /returned an error \(503\)/],
      [json(429, {}), /returned an error \(429\)/],
      [
        empty(302, { location: "https://other.example.com/in?secret=1" }),
        /redirects requests to https:\/\/other\.example\.com\. If that/,
      ],
      [empty(302, { location: "/sign-in" }), /redirects API requests to another page/],
      [empty(302, { location: "http://[" }), /redirects API requests to another page/],
      [empty(304), /redirects API requests to another page/],
    ] as const) {
      const { probe, requests } = await probed(() => response);
      assert.equal(probe.type, "unrecognized", String(reason));
      assert.match(probe.type === "unrecognized" ? String(probe.reason) : "", reason);
      assert.equal(requests.length, 1);
    }
  });

  it("reports why there is no response, after one attempt", async () => {
    for (const [code, reason] of [
      ["ENOTFOUND", /^https:\/\/acme\.example\.com can't be reached \(ENOTFOUND\)\. Check the network/],
      ["SELF_SIGNED_CERT_IN_CHAIN", /certificate authority that this computer doesn't trust/],
      ["ECONNRESET", /was lost \(ECONNRESET\)/],
    ] as const) {
      const { probe, requests } = await probed(() => {
        throw connectionError(code);
      });
      assert.equal(probe.type, "unreachable");
      assert.match(probe.type === "unreachable" ? String(probe.reason) : "", reason);
      assert.equal(requests.length, 1);
    }
  });

  it("ends with the signal", async () => {
    const abort = new AbortController();
    const { transport } = fakePlatform(() => {
      abort.abort();
      throw new Error("aborted");
    });
    await assert.rejects(
      probePlatform(transport, new URL(origin), { signal: abort.signal }),
      (error) => error instanceof TransportError && error.failure.type === "cancelled",
    );
  });
});

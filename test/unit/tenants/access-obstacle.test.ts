import assert from "node:assert/strict";
import { getContent } from "../../../src/api/catalogue/operations/contents.ts";
import { getWorkspace, startInstance } from "../../../src/api/catalogue/operations/workspaces.ts";
import type { DispatchResponse } from "../../../src/api/http/dispatch.ts";
import { ProxyError } from "../../../src/api/http/network/proxy.ts";
import {
  AccessError,
  type AccessObstacle,
  accessObstacle,
  isSignedOut,
  lastingObstacle,
} from "../../../src/tenants/access-obstacle.ts";
import { failureOf, fakePlatform, html, json } from "../api/fake-platform.ts";

const workspaceId = "4f7c21aa-90d3-4b6e-8a51-2e6d0b9f3c10";

function platformFailure(respond: () => DispatchResponse): Promise<unknown> {
  return failureOf(fakePlatform(respond).platform.call(getWorkspace, { workspaceId }));
}

function contentFailure(respond: () => DispatchResponse): Promise<unknown> {
  return failureOf(fakePlatform(respond).content.call(getContent, { path: "a.py" }));
}

function broken(error: Error): () => never {
  return () => {
    throw error;
  };
}

describe("an obstacle to access", () => {
  it("follows from each failure, and an outage isn't a lasting one", async () => {
    const handshake = { errorCode: "DS-0018", details: { jupyterAuthURL: "https://acme.example.com/hub" } };
    const proxy = new ProxyError({ type: "rejected", address: "http://proxy.test:3128", source: "setting" });
    const unreachable = { type: "unreachable", isProxyProblem: false } as const;
    const cases: readonly (readonly [unknown, AccessObstacle | undefined])[] = [
      [await contentFailure(() => json(403, {})), { type: "tokenRefused" }],
      [await contentFailure(() => json(401, {})), { type: "tokenRefused" }],
      [await contentFailure(() => json(424, {})), { type: "stopped" }],
      [await platformFailure(() => json(401, {})), { type: "credentialRefused" }],
      [
        await failureOf(fakePlatform(() => json(403, handshake)).platform.call(startInstance, { workspaceId })),
        { type: "visitRequired", address: "https://acme.example.com/hub" },
      ],
      [await platformFailure(broken(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }))), unreachable],
      [await platformFailure(broken(proxy)), { type: "unreachable", isProxyProblem: true }],
      [await platformFailure(() => json(503, {})), unreachable],
      [await platformFailure(() => html(502)), unreachable],
      // The platform works, but the item or the request doesn't.
      [await platformFailure(() => json(403, {})), undefined],
      [await platformFailure(() => json(404, {})), undefined],
      [await platformFailure(() => json(500, {})), undefined],
      [new Error("other"), undefined],
    ];
    for (const [error, obstacle] of cases) {
      assert.deepEqual(accessObstacle(error), obstacle, String(error));
      assert.deepEqual(lastingObstacle(error), obstacle?.type === "unreachable" ? undefined : obstacle, String(error));
    }
  });

  it("before a request is the one that the error names, and only signing out hides content", () => {
    for (const type of ["unknownTenant", "signedOut", "stopped", "noToken", "noAddress"] as const) {
      const error = new AccessError(type, { tenantId: "acme" }, "No access.");
      assert.deepEqual(accessObstacle(error), { type });
      assert.equal(isSignedOut(error), type === "unknownTenant" || type === "signedOut");
    }
  });
});

import assert from "node:assert/strict";
import { getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import {
  checkEntitlement,
  getStoredCredential,
  validateCredential,
} from "../../../../src/api/catalogue/operations/front-door.ts";
import { getSettings } from "../../../../src/api/catalogue/operations/workspaces.ts";
import { Client } from "../../../../src/api/client/client.ts";
import { InternalSecret, NotebookToken, PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { dialects } from "../../../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../../../src/api/http/response-limits.ts";
import { failureOf, fakePlatform, json, origin, secret } from "../fake-platform.ts";

const stored = { email: "ada@example.com", slug: "token" };

function internalClient(fake: ReturnType<typeof fakePlatform>): Client<"internal"> {
  const credential = new InternalSecret(origin, secret);
  return new Client(
    { kind: "internal", base: new URL(origin), dialect: dialects.documented, credential, limits: singleUserLimits },
    fake.transport,
  );
}

describe("the internal secret", () => {
  it("is sent in its own header, and its operations only to its own service", async () => {
    const fake = fakePlatform(() => json(200, true));
    await internalClient(fake).call(validateCredential, { body: stored });
    assert.equal(fake.requests[0]?.headers["x-webui-secret"], secret);
    assert.equal(fake.requests[0]?.headers.authorization, undefined);
    assert.equal(fake.lines.join("\n").includes(secret), false);
  });

  it("is required by the front door's operations: neither the compiler nor the client accepts another credential", async () => {
    const fake = fakePlatform(() => json(200, {}));
    const failures = [
      // @ts-expect-error The platform's client cannot call an operation of the front door.
      await failureOf(fake.platform.call(checkEntitlement, { email: "a@b.c", resource: "r" })),
      // @ts-expect-error Neither can it fetch a stored credential.
      await failureOf(fake.platform.call(getStoredCredential, stored)),
      // @ts-expect-error A content server's client cannot, either.
      await failureOf(fake.content.call(validateCredential, { body: stored })),
      // @ts-expect-error The front door's client cannot call the platform.
      await failureOf(internalClient(fake).call(getSettings, {})),
      // @ts-expect-error Nor a content server.
      await failureOf(internalClient(fake).call(getContent, { path: "a" })),
    ];
    assert.deepEqual(
      failures.map(({ kind, failureCause }) => [kind, failureCause.type]),
      failures.map(() => ["request", "credential"]),
    );
    assert.equal(fake.requests.length, 0);
  });

  it("is a separate kind of credential for clients", () => {
    const fake = fakePlatform(() => json(200, {}));
    const common = { base: new URL(origin), dialect: dialects.documented };
    const token = new NotebookToken(origin, secret);
    const platform = new PlatformCredential(origin, secret);
    // @ts-expect-error A notebook token is not an internal secret.
    assert.ok(new Client({ ...common, kind: "internal", credential: token }, fake.transport));
    // @ts-expect-error A platform credential is none, either.
    assert.ok(new Client({ ...common, kind: "internal", credential: platform }, fake.transport));
  });
});

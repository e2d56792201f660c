import assert from "node:assert/strict";
import { PlatformError } from "../../../../src/api/http/errors.ts";
import { checkAddress, checkCredential } from "../../../../src/features/tenants/credential-check.ts";
import { fakePlatform, html, json, origin, type Responder, secret } from "../../api/fake-platform.ts";
import { english } from "../../ui/translate.ts";

const tenant = { label: "Acme", baseUrl: origin };

function check(respond: Responder, signal = new AbortController().signal): ReturnType<typeof checkCredential> {
  return checkCredential(fakePlatform(respond).platform, tenant, english, signal);
}

describe("a tenant's address with a path", () => {
  const page = { label: "Acme", baseUrl: `${origin}/page/1` };

  function checkPage(respond: Responder): {
    readonly result: ReturnType<typeof checkAddress>;
    readonly tried: string[];
  } {
    const tried: string[] = [];
    const result = checkAddress(
      ({ baseUrl }) => {
        tried.push(baseUrl);
        return fakePlatform(baseUrl === origin ? respond : () => html(404)).platform;
      },
      page,
      english,
      new AbortController().signal,
    );
    return { result, tried };
  }

  it("is replaced with the address without the path if the platform responds there", async () => {
    const { result, tried } = checkPage(() => json(200, { name: "alice" }));
    assert.deepEqual(await result, { accepted: true, value: { account: "alice", baseUrl: origin } });
    assert.deepEqual(tried, [page.baseUrl, origin]);
  });

  it("is kept if it is the platform's", async () => {
    const { platform } = fakePlatform(() => json(200, { name: "alice" }));
    const result = await checkAddress(() => platform, page, english, new AbortController().signal);
    assert.deepEqual(result, { accepted: true, value: { account: "alice", baseUrl: page.baseUrl } });
  });

  it("reports the refusal of the platform, or else of the typed address", async () => {
    const refused = await checkPage(() => json(401, { message: "Token expired" })).result;
    assert.ok(!refused.accepted);
    assert.equal(refused.about, "credential");
    const unknown = await checkPage(() => html(200)).result;
    assert.ok(!unknown.accepted);
    assert.equal(unknown.about, "address");
  });
});

describe("a credential that is tested before it is stored", () => {
  it("is accepted if the platform returns its user", async () => {
    assert.deepEqual(await check(() => json(200, { name: "alice" })), { accepted: true, value: { account: "alice" } });
  });

  it("is accepted if only the notebook service must be opened first", async () => {
    const handshake = { errorCode: "DS-0018", details: { jupyterAuthURL: `${origin}/sign-in` } };
    assert.deepEqual(await check(() => json(403, handshake)), { accepted: true, value: { account: "Acme" } });
  });

  it("is rejected with the server's message", async () => {
    const refused = await check(() => json(401, { message: "Token expired" }));
    assert.deepEqual(refused, {
      accepted: false,
      about: "credential",
      reason: "acme.example.com rejected this token: Token expired (401).",
    });
  });

  it("is rejected if a web page responds", async () => {
    for (const respond of [() => html(200), () => html(404)]) {
      const refused = await check(respond);
      assert.ok(!refused.accepted);
      assert.match(refused.reason, /^acme\.example\.com returned a web page/);
      assert.equal(refused.about, "address");
    }
  });

  it("is not accepted if the server is unreachable or lacks the grant, and not shown in messages", async () => {
    const refusals = await Promise.all([
      check(() => {
        throw Object.assign(new Error("refused"), { code: "ENOTFOUND" });
      }),
      check(() => json(403, { message: `no grant for ${secret}` })),
      check(() => json(500, {})),
    ]);
    for (const refusal of refusals) {
      assert.equal(refusal.accepted, false);
      assert.doesNotMatch(JSON.stringify(refusal), /s3cr3t/);
    }
  });

  it("has messages that keep a leading address unchanged", async () => {
    const refused = await check(() => {
      throw Object.assign(new Error("refused"), { code: "ENOTFOUND" });
    });
    assert.ok(!refused.accepted);
    assert.ok(refused.reason.startsWith(origin), refused.reason);
    assert.equal(refused.about, "address");
  });

  it("is neither accepted nor rejected if the user cancels", async () => {
    const abort = new AbortController();
    abort.abort();
    await assert.rejects(
      check(() => {
        throw new Error("aborted");
      }, abort.signal),
      (error) => error instanceof PlatformError && error.failureCause.type === "cancelled",
    );
  });
});

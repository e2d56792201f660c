import assert from "node:assert/strict";
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

  it("gives way to the address without it, where the platform answers", async () => {
    const { result, tried } = checkPage(() => json(200, { name: "alice" }));
    assert.deepEqual(await result, { accepted: true, value: { account: "alice", baseUrl: origin } });
    assert.deepEqual(tried, [page.baseUrl, origin]);
  });

  it("stays if it is the platform's", async () => {
    const { platform } = fakePlatform(() => json(200, { name: "alice" }));
    const result = await checkAddress(() => platform, page, english, new AbortController().signal);
    assert.deepEqual(result, { accepted: true, value: { account: "alice", baseUrl: page.baseUrl } });
  });

  it("reports the refusal of the platform, or else of the address as it was typed", async () => {
    const refused = await checkPage(() => json(401, { message: "Token expired" })).result;
    assert.ok(!refused.accepted);
    assert.equal(refused.about, "credential");
    const unknown = await checkPage(() => html(200)).result;
    assert.ok(!unknown.accepted);
    assert.equal(unknown.about, "address");
  });
});

describe("a credential, tried before it is stored,", () => {
  it("is good when the platform tells whose it is", async () => {
    assert.deepEqual(await check(() => json(200, { name: "alice" })), { accepted: true, value: { account: "alice" } });
  });

  it("is good when only the notebook service wants to be opened first", async () => {
    const handshake = { errorCode: "DS-0018", details: { jupyterAuthURL: `${origin}/sign-in` } };
    assert.deepEqual(await check(() => json(403, handshake)), { accepted: true, value: { account: "Acme" } });
  });

  it("is refused in the server's words", async () => {
    const refused = await check(() => json(401, { message: "Token expired" }));
    assert.deepEqual(refused, {
      accepted: false,
      about: "credential",
      reason: "acme.example.com rejected this token: Token expired (401).",
    });
  });

  it("is refused where a web page answers", async () => {
    for (const respond of [() => html(200), () => html(404)]) {
      const refused = await check(respond);
      assert.ok(!refused.accepted);
      assert.match(refused.reason, /^acme\.example\.com returned a web page/);
      assert.equal(refused.about, "address");
    }
  });

  it("is not taken where the server can't be reached or lacks the grant, and no answer shows it", async () => {
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

  it("is told in words that begin with an address as it is written", async () => {
    const refused = await check(() => {
      throw Object.assign(new Error("refused"), { code: "ENOTFOUND" });
    });
    assert.ok(!refused.accepted);
    assert.ok(refused.reason.startsWith(origin), refused.reason);
    assert.equal(refused.about, "address");
  });

  it("is neither good nor bad when the user gave up", async () => {
    const abort = new AbortController();
    abort.abort();
    await assert.rejects(
      check(() => {
        throw new Error("aborted");
      }, abort.signal),
    );
  });
});

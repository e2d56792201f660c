import assert from "node:assert/strict";
import { getWorkspace } from "../../../../src/api/catalogue/operations/workspace-reading.ts";
import { ProxyError, type ProxyProblem } from "../../../../src/api/http/network/proxy.ts";
import { shortReason } from "../../../../src/ui/tree/short-reason.ts";
import { connectionError, failureOf, fakePlatform, json, type Responder } from "../../api/fake-platform.ts";
import { english } from "../translate.ts";

describe("the reason in a row that could not be loaded", () => {
  const reasonOf = async (respond: Responder): Promise<string | undefined> =>
    shortReason(await failureOf(fakePlatform(respond).platform.call(getWorkspace, { workspaceId: "w" })), english);

  it("has a few words for a proxy or a certificate", async () => {
    const proxy = { address: "http://proxy.test:3128", source: "setting" } as const;
    const problems: readonly (readonly [ProxyProblem, string])[] = [
      [{ ...proxy, type: "invalid" }, "invalid proxy address"],
      [{ ...proxy, type: "signInRequired" }, "proxy requires sign-in"],
      [{ ...proxy, type: "rejected" }, "proxy rejected sign-in"],
      [{ ...proxy, type: "unreachable", code: "ECONNREFUSED" }, "proxy can't be reached"],
      [{ ...proxy, type: "refused", status: 403 }, "proxy refused connection"],
    ];
    for (const [problem, reason] of problems) {
      assert.equal(await reasonOf(() => Promise.reject(new ProxyError(problem))), reason);
    }
    for (const [code, reason] of [
      ["CERT_HAS_EXPIRED", "expired certificate"],
      ["SELF_SIGNED_CERT_IN_CHAIN", "untrusted certificate"],
      ["ERR_TLS_CERT_ALTNAME_INVALID", "invalid certificate"],
      ["ERR_SSL_WRONG_VERSION_NUMBER", "no https at this address"],
      ["EPROTO", "no secure connection"],
    ] as const) {
      assert.equal(await reasonOf(() => Promise.reject(connectionError(code))), reason);
    }
  });

  it("is that of the error for everything else", async () => {
    assert.equal(
      await reasonOf(() => Promise.reject(connectionError("ENOTFOUND"))),
      "https://acme.example.com can't be reached (ENOTFOUND)",
    );
    assert.equal(await reasonOf(() => json(503, {})), "503 from the platform");
    assert.equal(await reasonOf(() => json(403, { message: "No access" })), "No access (403)");
    assert.equal(shortReason(new Error("other"), english), undefined);
  });
});

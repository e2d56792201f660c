import assert from "node:assert/strict";
import { format, inspect } from "node:util";
import { cleanPastedSecret, NotebookToken, PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { secret } from "../fake-platform.ts";

describe("credentials", () => {
  for (const credential of [
    new PlatformCredential("https://acme.example.com/some/path?x=1", secret),
    new NotebookToken("https://acme.example.com", secret),
  ]) {
    it(`${credential.kind}: is never visible by accident`, () => {
      const holder = { nested: [credential] };
      const views = [
        String(credential),
        `${credential}`,
        JSON.stringify(credential),
        JSON.stringify(holder),
        inspect(credential),
        inspect(holder, { depth: 9, showHidden: true }),
        inspect(credential, { customInspect: false, showHidden: true, depth: 9 }),
        format("%s %o %O %j", credential, credential, credential, credential),
        ["a", credential].join(" "),
        JSON.stringify({ ...credential }),
        JSON.stringify(Object.entries(credential)),
        String(new Error(`${credential}`)),
      ];
      for (const view of views) {
        assert.equal(view.includes(secret), false, view.replaceAll(secret, "<the secret>"));
      }
      assert.equal(credential.reveal(), secret);
    });

    it(`${credential.kind}: belongs to an origin`, () => assert.equal(credential.origin, "https://acme.example.com"));
  }

  const pasted: readonly (readonly [string, string])[] = [
    ["abc123", "abc123"],
    ["  abc123\n", "abc123"],
    ["\tabc\r\n   123 ", "abc123"],
    ["abc  \n  123", "abc123"],
    ["Authorization: token abc123", "abc123"],
    ["authorization:Bearer abc123", "abc123"],
    ["Token abc123", "abc123"],
    ["bearer\nabc123", "abc123"],
    ["X-DOMO-Developer-Token: abc123", "abc123"],
    ['"abc123"', "abc123"],
    ["'token abc123'", "abc123"],
    ["eyJh.eyJz-_.a+b/c==", "eyJh.eyJz-_.a+b/c=="],
    ["tokenish", "tokenish"],
  ];
  for (const [text, expected] of pasted) {
    it(`cleans ${JSON.stringify(text)}`, () =>
      assert.deepEqual(cleanPastedSecret(text), { valid: true, secret: expected }));
  }

  const refused: readonly (readonly [string, RegExp])[] = [
    ["", /empty/],
    [" \r\n ", /empty/],
    ['""', /empty/],
    ["abc 123", /space/],
    ["abc\u200b123", /character/],
    ["pässwörd", /character/],
    ["abc\u0007", /character/],
  ];
  for (const [text, reason] of refused) {
    it(`refuses ${JSON.stringify(text)} and repeats nothing of it`, () => {
      const result = cleanPastedSecret(text);
      assert.equal(result.valid, false);
      assert.match(result.valid ? "" : String(result.reason), reason);
      assert.equal(text.trim().length > 2 && !result.valid && String(result.reason).includes(text), false);
    });
  }
});

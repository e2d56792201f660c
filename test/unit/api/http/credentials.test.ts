import assert from "node:assert/strict";
import { format, inspect } from "node:util";
import {
  cleanPastedSecret,
  InternalSecret,
  isConfidential,
  NotebookToken,
  PlatformCredential,
} from "../../../../src/api/http/credentials.ts";
import { secret } from "../fake-platform.ts";

describe("credentials", () => {
  for (const credential of [
    new PlatformCredential("https://acme.example.com/some/path?x=1", secret),
    new NotebookToken("https://acme.example.com", secret),
    new InternalSecret("https://acme.example.com/", secret),
  ]) {
    it(`${credential.kind}: is never shown accidentally`, () => {
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

    it(`${credential.kind}: is shown as redacted`, () => {
      const views = [`${credential}`, JSON.parse(JSON.stringify(credential)), inspect(credential)];
      assert.deepEqual(views, ["[redacted]", "[redacted]", "[redacted]"]);
    });

    it(`${credential.kind}: belongs to an origin`, () => assert.equal(credential.origin, "https://acme.example.com"));
  }

  it("are of three kinds", () => {
    const kinds = [PlatformCredential, NotebookToken, InternalSecret].map(
      (Kind) => new Kind("https://a.example", "x").kind,
    );
    assert.deepEqual(kinds, ["platform", "notebook", "internal"]);
  });

  it("belong to the scheme, host, and port of their address", () => {
    for (const [address, origin] of [
      ["https://acme.example.com:443/x", "https://acme.example.com"],
      ["https://acme.example.com:8443", "https://acme.example.com:8443"],
      ["http://localhost:8888/user/alice/", "http://localhost:8888"],
      ["https://acme.example.com@other.example/", "https://other.example"],
    ] as const) {
      assert.equal(new NotebookToken(address, secret).origin, origin);
    }
    assert.throws(() => new NotebookToken("acme.example.com", secret), TypeError);
  });

  for (const address of [
    "https://a.example",
    "https://10.0.0.1:8443",
    "http://localhost:1",
    "http://LOCALHOST",
    "http://127.0.0.1",
    "http://127.9.9.9",
    "http://127.10.20.30:8888",
    "http://127.100.200.255",
    "http://[::1]:2",
  ]) {
    it(`may be sent to ${address}`, () => assert.equal(isConfidential(new URL(address)), true));
  }

  for (const address of [
    "http://a.example",
    "http://localhost.a.example",
    "http://alocalhost",
    "http://localhost@a.example",
    "http://127.0.0.1.a.example",
    "http://127.0.0.1@a.example",
    "http://127.a.example",
    "http://128.0.0.1",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://[::2]",
    "http://[::]",
    "ws://127.0.0.1",
    "ftp://localhost",
    "file:///localhost",
  ]) {
    it(`may not be sent to ${address}`, () => assert.equal(isConfidential(new URL(address)), false));
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
    ["authorization : abc123", "abc123"],
    ["Bearer  \t abc123", "abc123"],
    ['"abc123"', "abc123"],
    ["  `abc123` \n", "abc123"],
    ["ab\"c'1`23", "ab\"c'1`23"],
    ["abc.x-d:123", "abc.x-d:123"],
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
    ["my-token abc123", /space/],
    ["abc\u200b123", /character/],
    ["pässwörd", /character/],
    ["abc\u0007", /character/],
  ];
  for (const [text, reason] of refused) {
    it(`rejects ${JSON.stringify(text)} without repeating it`, () => {
      const result = cleanPastedSecret(text);
      assert.equal(result.valid, false);
      assert.match(result.valid ? "" : String(result.reason), reason);
      assert.equal(text.trim().length > 2 && !result.valid && String(result.reason).includes(text), false);
    });
  }
});

import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import pLimit from "p-limit";
import {
  type CredentialName,
  openEnvelope,
  secretWithin,
} from "../../../../../src/programs/front-door/credential/decryption.ts";
import {
  type EnvelopeKeys,
  jweCompact,
  jweObject,
  makeEnvelopeKeys,
  plainParts,
  spoiled,
} from "../../../../harness/front-door/envelopes.ts";

const text = "stored-credential";
const cannot = "it can't be decrypted";
const notAllowed = "its format or algorithm is not allowed";

describe("front door: decrypting an envelope", () => {
  let first: EnvelopeKeys;
  let second: EnvelopeKeys;
  let rules: Parameters<typeof openEnvelope>[1];

  before(() => {
    [first, second] = [makeEnvelopeKeys(), makeEnvelopeKeys()];
    rules = {
      keys: [
        { kid: "one", key: createPrivateKey(first.privatePem) },
        { kid: "two", key: createPrivateKey(second.privatePem) },
      ],
      allowOaepSha1: false,
      allowPlainEnvelope: true,
    };
  });

  /** The content of the envelope, or the reason why it can't be read. */
  async function opened(value: unknown, more: Partial<typeof rules> = {}): Promise<string> {
    const outcome = await openEnvelope(value, { ...rules, ...more }, pLimit(1));
    if (outcome.outcome === "opened") {
      return Buffer.from(outcome.plaintext).toString();
    }
    assert.equal(outcome.outcome, "unreadable");
    return outcome.reason;
  }

  it("accepts JWE as a string and as an object, with each allowed algorithm", async () => {
    assert.equal(await opened(await jweObject(text, first.publicKey)), text);
    for (const alg of ["RSA-OAEP-256", "RSA-OAEP-384", "RSA-OAEP-512"]) {
      for (const enc of ["A256GCM", "A256CBC-HS512"]) {
        assert.equal(await opened(await jweCompact(text, first.publicKey, { alg, enc })), text, `${alg} ${enc}`);
      }
    }
    for (const enc of ["A128GCM", "A192GCM", "A128CBC-HS256"]) {
      assert.equal(await opened(await jweCompact(text, first.publicKey, { enc })), cannot, enc);
    }
  });

  it("accepts SHA-1 only if allowed", async () => {
    const jwe = await jweCompact(text, first.publicKey, { alg: "RSA-OAEP" });
    const plain = { ...plainParts(text, first.publicKey, { oaepHash: "sha1" }), alg: "RSA-OAEP" };
    assert.deepEqual([await opened(jwe), await opened(plain)], [cannot, notAllowed]);
    const allowed = { allowOaepSha1: true };
    assert.deepEqual([await opened(jwe, allowed), await opened(plain, allowed)], [text, text]);
    assert.equal(await opened({ ...plain, alg: "RSA1_5" }, allowed), notAllowed);
  });

  it("accepts the custom format only if allowed, with its named algorithm, and no unknown one", async () => {
    const plain = plainParts(text, first.publicKey);
    assert.equal(await opened(plain), text);
    assert.equal(await opened({ ...plain, alg: "RSA-OAEP-256" }), text);
    assert.equal(await opened({ ...plain, alg: "RSA-OAEP-512" }), cannot);
    assert.equal(await opened({ ...plain, alg: "RSA1_5" }), notAllowed);
    assert.equal(await opened(plain, { allowPlainEnvelope: false }), notAllowed);
    assert.equal(await opened(plainParts(text, first.publicKey, { keyLength: 16 })), cannot);
    assert.equal(await opened({ ...plain, ciphertext: spoiled(plain.ciphertext, 0.1) }), cannot);
  });

  it("uses the key that the envelope names, or else the first one", async () => {
    for (const [keys, kid, expected] of [
      [first, undefined, text],
      [first, "one", text],
      [first, "nobody's", text],
      [first, "two", cannot],
      [second, "two", text],
      [second, undefined, cannot],
    ] as const) {
      const named = kid === undefined ? {} : { kid };
      assert.equal(await opened(await jweCompact(text, keys.publicKey, { header: named })), expected, `JWE ${kid}`);
      assert.equal(await opened({ ...plainParts(text, keys.publicKey), ...named }), expected, `plain ${kid}`);
    }
  });

  it("returns the authenticated header, and none for the custom format", async () => {
    const jwe = await jweCompact(text, first.publicKey, { header: { tenant: "acme" } });
    const outcome = await openEnvelope(jwe, rules, pLimit(1));
    assert.deepEqual(outcome.outcome === "opened" && outcome.header, {
      tenant: "acme",
      alg: "RSA-OAEP-256",
      enc: "A256GCM",
    });
    const plain = await openEnvelope({ ...plainParts(text, first.publicKey), tenant: "acme" }, rules, pLimit(1));
    assert.deepEqual(plain.outcome === "opened" && plain.header, {});
  });

  it("rejects unsupported extensions in the header without decryption", async () => {
    const reason = "its header requires an unsupported extension";
    const [, ...rest] = (await jweCompact(text, first.publicKey)).split(".");
    for (const more of [{ zip: "DEF" }, { crit: ["x"], x: 1 }, { crit: [] }]) {
      const header = JSON.stringify({ alg: "RSA-OAEP-256", enc: "A256GCM", ...more });
      assert.equal(await opened([Buffer.from(header).toString("base64url"), ...rest].join(".")), reason);
    }
  });

  it("doesn't reveal the failed step, but reports why a format is invalid", async () => {
    const jwe = await jweCompact(text, first.publicKey);
    for (const part of [1, 2, 3, 4]) {
      const changed = jwe.split(".").map((one, nth) => (nth === part ? spoiled(one, 0.3) : one));
      assert.equal(await opened(changed.join(".")), cannot);
    }
    assert.equal(await opened(7), "it is neither a string nor an object");
  });

  it("waits for its turn", async () => {
    const limit = pLimit(1);
    let release = (): void => {};
    const busy = limit(() => new Promise<void>((resolve) => (release = resolve)));
    const work = openEnvelope(await jweCompact(text, first.publicKey), rules, limit);
    assert.equal(limit.pendingCount, 1);
    release();
    await busy;
    assert.equal((await work).outcome, "opened");
  });
});

describe("front door: the secret in a decrypted envelope", () => {
  const name: CredentialName = { email: "anna@example.com", slug: "platform", tenant: "acme" };

  function within(content: unknown, { header = {}, required = false, of = name } = {}): string {
    const plaintext =
      content instanceof Uint8Array
        ? content
        : Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
    const outcome = secretWithin({ plaintext, header }, of, required);
    return outcome.outcome === "secret" ? outcome.secret : outcome.reason;
  }
  const another = "it belongs to another user, slug, or tenant";
  const noHeader = "its token can't be sent in a header";

  it("is the text itself, or the first token in an object", () => {
    assert.equal(within(`  ${text}\n`), text);
    for (const member of ["token", "access_token", "developer_token", "api_key"]) {
      assert.equal(within({ other: 1, [member]: text }), text);
    }
    assert.equal(within({ api_key: "second", token: text }), text);
  });

  it("is one line of visible ASCII with at most 8,192 characters", () => {
    assert.equal(within("s".repeat(8192)), "s".repeat(8192));
    for (const content of ["", "   ", "two words", "line\r\nX-Admin: 1", "é", "\u0000", "s".repeat(8193)]) {
      assert.equal(within(content), noHeader, JSON.stringify(content.slice(0, 20)));
      assert.equal(within({ token: content }), noHeader);
    }
    assert.equal(within({ token: 7 }), noHeader);
  });

  it("is undefined without text, JSON, or a token", () => {
    assert.equal(within(Uint8Array.of(0xff, 0xfe)), "its content is not text");
    assert.equal(within("{token"), "its content is not valid JSON");
    assert.equal(within({ hello: 1 }), "it contains no token");
    assert.equal(within("{}"), "it contains no token");
  });

  it("is only for the user that the header and the object name, if any", () => {
    const own = { email: "Anna@Example.com", slug: "platform", tenant: "acme" };
    assert.equal(within({ token: text, ...own }), text);
    assert.equal(within(text, { header: own }), text);
    for (const other of [{ email: "bert@example.com" }, { email: 7 }, { slug: "notebook" }, { tenant: "other" }]) {
      assert.equal(within({ token: text, ...own, ...other }), another, JSON.stringify(other));
      assert.equal(within({ token: text }, { header: { ...own, ...other } }), another);
      assert.equal(within(text, { header: { ...own, ...other } }), another);
    }
  });

  it("can name any tenant if the platform has none", () => {
    const of = { ...name, tenant: undefined };
    assert.equal(within({ token: text, tenant: "other" }, { of }), text);
    assert.equal(within(text, { of, required: true }), text);
  });

  it("must name the tenant in the header or the object if required", () => {
    const required = true;
    assert.equal(within(text, { required }), "it does not name a tenant");
    assert.equal(within({ token: text }, { required }), "it does not name a tenant");
    assert.equal(within(text, { required, header: { tenant: "acme" } }), text);
    assert.equal(within({ token: text }, { required, header: { tenant: "acme" } }), text);
    assert.equal(within({ token: text, tenant: "acme" }, { required }), text);
    assert.equal(within({ token: text, tenant: "other" }, { required }), another);
  });
});

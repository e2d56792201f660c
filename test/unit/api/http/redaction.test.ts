import assert from "node:assert/strict";
import fc from "fast-check";
import { parseExact } from "../../../../src/api/http/json.ts";
import {
  beginningOf,
  createRedaction,
  withoutSecretHeaders,
  withoutSecrets,
} from "../../../../src/api/http/redaction.ts";

const planted = "pl4nted-s3cret";
const secretNames = ["token", "access_token", "clientSecret", "PASSWORD", "credential", "Set-Cookie", "authorization"];
const plainNames = ["name", "id", "authorizations", "path with spaces", 'quoted "name"'];
const queryNames = ["access_token", "clientSecret", "password"];

const secretName = fc.constantFrom(...secretNames);
const plainText = fc.string({ unit: fc.constantFrom(..."ab \\\"'/?&=:,[]{}\n🙂"), maxLength: 20 });
/** Values with a planted secret under secret names and in addresses, and repeatedly as JSON within their texts. */
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(
      plainText,
      fc.nat(),
      fc.boolean(),
      fc.constant(null),
      fc
        .tuple(fc.constantFrom(..."?&"), fc.constantFrom(...queryNames))
        .map(([start, name]) => `/path${start}${name}=${planted}&page=2`),
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...plainNames), tie("value"), { noNullPrototype: true, maxKeys: 4 }),
    fc.tuple(secretName, plainText).map(([name, text]) => ({ [name]: `${text}${planted}` })),
    secretName.map((name) => ({ [name]: [planted, `${planted}"`] })),
    tie("value").map((inner) => JSON.stringify(inner) ?? ""),
    tie("value").map((inner) => JSON.stringify(inner, undefined, 2) ?? ""),
  ),
}));
/** Texts with the scanner's own markers, complete and broken. */
const markedText = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', "'", "\\", '\\"', '\\\\\\"', ":", "?", "&", "=", "#", " ", "\n", ",", "[", "]", "{", "}"),
      fc.constantFrom("token", "Secret", "password", "cookie", "authorization", "x", "[redacted]"),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("redaction", () => {
  const named = createRedaction([], "named");

  it("removes the values of secret-looking names from parsed JSON, and nothing else", () => {
    const given = {
      token: "a",
      id: "b",
      count: 3,
      Authorization: "c",
      authorizations: ["d"],
      tokens: ["e", 1, { id: "f" }],
      inner: [{ clientSecret: "g", text: '{"token":"h","note":"i"}' }],
      url: "https://x/?page=1&access_token=j#k",
    };
    assert.deepEqual(named.value(given), {
      token: "[redacted]",
      id: "b",
      count: 3,
      Authorization: "[redacted]",
      authorizations: ["d"],
      tokens: ["[redacted]", 1, { id: "f" }],
      inner: [{ clientSecret: "[redacted]", text: '{"token":"[redacted]","note":"i"}' }],
      url: "https://x/?page=1&access_token=[redacted]",
    });
    const unchanged = { name: "x", list: [1, { a: null }] };
    assert.equal(named.value(unchanged), unchanged);
  });

  it("removes them from texts with JSON, quoted and escaped in any way, complete or truncated", () => {
    for (const [given, shown] of [
      ['{"token":"a\\"b","id":"c"}', '{"token":"[redacted]","id":"c"}'],
      ['{"my \\"token\\" here" : "a","id":"c"}', '{"my \\"token\\" here" : "[redacted]","id":"c"}'],
      ['"{\\"token\\":\\"a\\\\\\"b\\",\\"id\\":\\"c\\"}"', '"{\\"token\\":\\"[redacted]\\",\\"id\\":\\"c\\"}"'],
      ['{"token":"a\\\\","id":"c"}', '{"token":"[redacted]","id":"c"}'],
      ['{"note":"a \\"token\\":","id":"c"}', '{"note":"a \\"token\\":","id":"c"}'],
      ['[{"token":"a"},{"name":"\':"}]', '[{"token":"[redacted]"},{"name":"\':"}]'],
      ['{"tokens": ["a", "b"], "id": "c"}', '{"tokens": ["[redacted]", "[redacted]"], "id": "c"}'],
      ['{"id":"c","token":"a b c', '{"id":"c","token":"[redacted]'],
      ['say "token", then "a"', 'say "token", then "a"'],
      ["/x?a=1&token=b&c=2 d=e", "/x?a=1&token=[redacted]&c=2 d=e"],
      ['"/x?token=a\\"', '"/x?token=[redacted]\\"'],
    ] as const) {
      assert.equal(withoutSecrets(given, ""), shown);
    }
  });

  it("removes all planted secrets from a value and its strings, and keeps JSON valid", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const cleaned = named.value(value);
        assert.ok(!JSON.stringify(cleaned).includes(planted));
        const text = withoutSecrets(JSON.stringify(value), "");
        assert.ok(!text.includes(planted), text);
        assert.doesNotThrow(() => JSON.parse(text));
      }),
      { numRuns: 3000 },
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const once = named.value(value);
        assert.deepEqual(named.value(once), once);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(markedText, fc.string(), anyValue.map(String)), (text) => {
        const once = withoutSecrets(text, "");
        assert.equal(withoutSecrets(once, ""), once);
      }),
      { numRuns: 5000 },
    );
  });

  it("removes given secrets in every form, longest first, from strings, names, and numbers", () => {
    const secrets = ['s3cr"et', 's3cr"et-and-more', "9007199254740993"];
    const given = createRedaction(secrets, "given");
    assert.equal(given.text('s3cr"et-and-more s3cr\\"et s3cr%22et'), "[redacted] [redacted] [redacted]");
    assert.deepEqual(given.value({ 's3cr"et': [90, "token"], token: "kept" }), {
      "[redacted]": [90, "token"],
      token: "kept",
    });
    assert.deepEqual(createRedaction(["123456"], "given").value([123456, 12]), ["[redacted]", 12]);
  });

  it("removes everything that is nested too deeply", () => {
    let deep: unknown = "end";
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    assert.ok(!JSON.stringify(named.value(deep)).includes("end"));
  });

  it("shows no part of a secret that is cut off at the end of a body", () => {
    const secret = "abcdefghijklmnopqrstuvwxyz";
    fc.assert(
      fc.property(fc.integer({ max: 200, min: 1 }), fc.nat(30), (length, spaces) => {
        const body = new TextEncoder().encode(`${" ".repeat(spaces)}${secret.repeat(20)}`);
        assert.equal(
          beginningOf(body, length, secret)
            .replaceAll(/\[r?e?d?a?c?t?e?d?\]?/g, "")
            .trim(),
          "",
        );
      }),
    );
    assert.equal(beginningOf(new TextEncoder().encode("x".repeat(100)), 50, secret), "x".repeat(50));
  });

  it("removes the values of secret headers, and the given secret in all others", () => {
    const hidden = {
      Authorization: "a",
      cookie: "a",
      "set-cookie": "a",
      "x-access-token": "a",
      "x-webui-secret": "a",
      "x-password": "a",
      "x-credential": "a",
      "x-developer-key": "a",
    };
    const shown = { "content-type": "text/plain", location: "/x?y=1", etag: "s3cret", link: "/x?token=b&y=1" };
    const clean = withoutSecretHeaders({ ...hidden, ...shown }, "s3cret");
    for (const name of Object.keys(hidden)) assert.equal(clean[name], "[redacted]", name);
    assert.deepEqual(
      Object.keys(shown).map((name) => clean[name]),
      ["text/plain", "/x?y=1", "[redacted]", "/x?token=[redacted]&y=1"],
    );
  });

  it("of only the given secrets keeps values with secret names", () => {
    const text = '{"token":"a","text":"s3cret"}';
    const given = createRedaction(["s3cret"], "given");
    assert.equal(given.text(text), '{"token":"a","text":"[redacted]"}');
    assert.deepEqual(given.value({ token: "a", list: ["s3cret"] }), { token: "a", list: ["[redacted]"] });
    const body = new TextEncoder().encode(text);
    assert.equal(beginningOf(body, 1000, "s3cret", "given"), '{"token":"a","text":"[redacted]"}');
    assert.equal(beginningOf(body, 1000, "s3cret"), '{"token":"[redacted]","text":"[redacted]"}');
  });

  it("removes a secret that is a number, including its exact digits, and no other number", () => {
    const { value } = createRedaction(["9007199254740993", "12"], "given");
    assert.deepEqual(value(parseExact("[9007199254740993,12,13]")), ["[redacted]", "[redacted]", 13]);
    const exact = parseExact("[9007199254740995]");
    assert.equal(value(exact), exact);
    assert.equal(createRedaction(["s3cret"], "given").value(12), 12);
  });

  it("changes nothing for an empty secret, or for one in the replacement", () => {
    for (const secret of ["", "red", "[redacted]", "[red"]) {
      assert.equal(createRedaction([secret], "given").text("a red [redacted] b"), "a red [redacted] b");
    }
    assert.equal(createRedaction(["red", "s3cret"], "given").text("red s3cret"), "red [redacted]");
    assert.equal(createRedaction([], "given").text("red"), "red");
  });

  it("recognizes secret names after any number of other names", () => {
    const members = Object.fromEntries(Array.from({ length: 3000 }, (_, nth) => [`name ${nth}`, "a"]));
    const last = { "last token": "b", "last name": "c" };
    const expected = { ...members, "last token": "[redacted]", "last name": "c" };
    assert.deepEqual(named.value({ ...members, ...last }), expected);
    assert.deepEqual(named.value({ ...members, ...last }), expected);
  });

  it("shows values that are nested as deeply as in real responses", () => {
    let deep: unknown = "end";
    for (let level = 0; level < 900; level += 1) deep = level % 2 === 0 ? [deep] : { inner: deep };
    assert.equal(named.value(deep), deep);
  });

  it("removes everything in members that are nested more deeply", () => {
    let deep: unknown = "end";
    for (let level = 0; level < 1200; level += 1) deep = { inner: deep };
    const shown = JSON.stringify(named.value(deep));
    assert.match(shown, /^(\{"inner":)+"\[redacted\]"\}+$/);
    const levels = shown.split("inner").length - 1;
    assert.ok(levels > 900 && levels < 1200, `${levels} levels`);
  });

  it("doesn't change text after an address", () => {
    assert.equal(withoutSecrets("/x?a and token=b", ""), "/x?a and token=b");
    assert.equal(withoutSecrets("/x?a&token=b and token=c", ""), "/x?a&token=[redacted] and token=c");
  });

  it("removes a given secret from a text without secret names", () => {
    assert.equal(withoutSecrets("a s3cret b", "s3cret"), "a [redacted] b");
  });

  it("removes a number among other secrets", () => {
    assert.deepEqual(createRedaction(["s3cret", "12"], "given").value([12, 13]), ["[redacted]", 13]);
  });

  it("shows a complete body if it is shorter, or barely longer, than the beginning", () => {
    for (const length of [7, 8, 10, 11, 13]) {
      const body = "abcdefghijklm".slice(0, length);
      assert.equal(beginningOf(new TextEncoder().encode(body), 10, "xyz"), body.slice(0, 10));
    }
  });
});

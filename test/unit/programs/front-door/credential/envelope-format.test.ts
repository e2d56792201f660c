import assert from "node:assert/strict";
import { shapeOfEnvelope } from "../../../../../src/programs/front-door/credential/envelope-format.ts";

const jwe = "aGVhZA.a2V5.aXY.dGV4dA.dGFn";
const [head, key, iv, ciphertext, tag] = jwe.split(".");
const flattened = { protected: head, encrypted_key: key, iv, ciphertext, tag };
const { encrypted_key: _, ...common } = flattened;
const general = { ...common, recipients: [{ encrypted_key: key }] };
const bytes = (length: number, value = 0xfb): Buffer => Buffer.alloc(length, value);
const plain = {
  encryptedKey: bytes(256).toString("base64"),
  iv: bytes(12).toString("base64"),
  ciphertext: bytes(5).toString("base64"),
  tag: bytes(16).toString("base64"),
};

function reasonOf(value: unknown): string | undefined {
  const shape = shapeOfEnvelope(value);
  return shape.form === "none" ? shape.reason : undefined;
}

describe("front door: the format of an envelope", () => {
  it("is five parts between dots, with white space around them", () => {
    assert.deepEqual(shapeOfEnvelope(jwe), { form: "compact", jwe });
    assert.deepEqual(shapeOfEnvelope(` ${jwe}\n`), { form: "compact", jwe });
  });

  it("is the members of JWE, with one recipient or none in a list", () => {
    assert.deepEqual(shapeOfEnvelope(flattened), { form: "json", jwe: flattened });
    assert.deepEqual(shapeOfEnvelope({ ...flattened, aad: "YWFk" }), {
      form: "json",
      jwe: { ...flattened, aad: "YWFk" },
    });
    assert.deepEqual(shapeOfEnvelope(general), { form: "json", jwe: flattened });
    assert.deepEqual(shapeOfEnvelope({ ...general, aad: "YWFk" }), {
      form: "json",
      jwe: { ...flattened, aad: "YWFk" },
    });
  });

  it("is a wrapped key next to the encrypted content, under any of the usual names and in both alphabets", () => {
    for (const keyName of ["encryptedKey", "encrypted_key", "wrappedKey", "wrapped_key", "key", "ek"]) {
      for (const ivName of ["iv", "nonce"]) {
        for (const textName of ["ciphertext", "ct", "data", "encryptedValue", "encrypted_value"]) {
          for (const tagName of ["tag", "authTag", "auth_tag"]) {
            const value = {
              [keyName]: bytes(256).toString("base64url"),
              [ivName]: plain.iv,
              [textName]: plain.ciphertext,
              [tagName]: plain.tag,
            };
            const shape = shapeOfEnvelope(value);
            assert.ok(shape.form === "plain");
            const { algorithm, kid, encryptedKey, sealed } = shape.envelope;
            assert.deepEqual([algorithm, kid], [undefined, undefined]);
            assert.deepEqual(Buffer.from(encryptedKey), bytes(256));
            assert.deepEqual(Buffer.from(shape.envelope.iv), bytes(12));
            assert.deepEqual(Buffer.from(sealed), bytes(21));
          }
        }
      }
    }
  });

  it("can have its tag at the end of the ciphertext, and can name algorithms and a key", () => {
    const { tag: __, ...joined } = { ...plain, ciphertext: bytes(21).toString("base64") };
    const shape = shapeOfEnvelope({ ...joined, tag: null, alg: "RSA-OAEP", kid: "k", enc: "A256GCM" });
    assert.ok(shape.form === "plain");
    assert.deepEqual(
      [shape.envelope.algorithm, shape.envelope.kid, shape.envelope.sealed.length],
      ["RSA-OAEP", "k", 21],
    );
    assert.equal(shapeOfEnvelope(joined).form, "plain");
  });

  it("is found in JSON text, and in an object under one of the usual names", () => {
    for (const value of [jwe, flattened, plain, JSON.stringify(flattened), JSON.stringify(plain)]) {
      const { form } = shapeOfEnvelope(value);
      assert.notEqual(form, "none");
      for (const name of ["credential", "envelope", "encrypted_credential", "ciphertext", "data", "value"]) {
        assert.equal(shapeOfEnvelope({ [name]: value }).form, form, name);
      }
    }
    assert.equal(shapeOfEnvelope(` ${JSON.stringify({ data: jwe })}`).form, "none");
  });

  const tooLong = "A".repeat(65_540);
  const notKnown = "it is a string in an unknown format";
  const noMembers = "it is an object in an unknown format";
  const missing = "it is an incomplete JWE";
  const spelling = "its base64url encoding is not canonical";
  const noBase64 = "a part of it is missing or is not base64";
  const lengths = "its initialization vector or tag has the wrong length for AES-GCM";
  for (const [name, value, reason] of [
    ["a text", "credential", notKnown],
    ["an empty text", "", notKnown],
    ["four parts", "a.b.c.d", notKnown],
    ["six parts", `${jwe}.AAAA`, notKnown],
    ["a text before the parts", `x ${jwe}`, notKnown],
    ["a text after the parts", `${jwe} x`, notKnown],
    ["an empty part", "aGVhZA.a2V5.aXY.dGV4dA.", notKnown],
    ["a part in the other alphabet", "aGVhZA.a2V5.aXY.dGV4dA.+/+/", notKnown],
    ["parts that are too long", `aGVhZA.a2V5.aXY.dGFn.${tooLong}`, notKnown],
    ["a part in another spelling", "aGVhZA.a2V5.aXY.dGV4dA.dGFo".replace("dGV4dA", "dGV4dB"), spelling],
    ["JSON that is cut off", '{"protected":', notKnown],
    ["JSON in JSON in JSON", JSON.stringify({ data: JSON.stringify({ data: jwe }) }), noMembers],
    ["nothing", null, "it is neither a string nor an object"],
    ["a number", 7, "it is neither a string nor an object"],
    ["a list", [jwe], "it is neither a string nor an object"],
    ["no members", {}, noMembers],
    ["an envelope in an envelope", { data: { data: jwe } }, noMembers],
    ["JWE without a part", { ...flattened, tag: undefined }, missing],
    ["JWE with an empty part", { ...flattened, iv: "" }, missing],
    ["JWE with a number as a part", { ...flattened, iv: 7 }, missing],
    ["JWE with a part that is too long", { ...flattened, ciphertext: tooLong }, missing],
    ["JWE for nobody", { ...general, recipients: [] }, missing],
    ["JWE for two", { ...general, recipients: [{ encrypted_key: key }, { encrypted_key: key }] }, missing],
    ["JWE with a part in another spelling", { ...flattened, tag: "dGFo=" }, spelling],
    ["JWE with an unprotected header", { ...flattened, unprotected: {} }, "it has an unprotected header"],
    ["JWE with a recipient's header", { ...flattened, header: {} }, "it has an unprotected header"],
    ["a key alone", { key: plain.encryptedKey }, noBase64],
    ["no ciphertext", { ...plain, ciphertext: undefined }, noBase64],
    ["no initial value", { ...plain, iv: undefined }, noBase64],
    ["a key that is no base64", { ...plain, encryptedKey: "a b" }, noBase64],
    ["a key that begins with another letter", { ...plain, encryptedKey: `!${plain.encryptedKey}` }, noBase64],
    ["a key that ends with another letter", { ...plain, encryptedKey: `${plain.encryptedKey}!` }, noBase64],
    ["a key with three letters of padding", { ...plain, encryptedKey: "AAAAA===" }, noBase64],
    ["a key in another spelling", { ...plain, encryptedKey: "AB==" }, noBase64],
    ["a ciphertext that is too long", { ...plain, ciphertext: tooLong }, noBase64],
    ["a tag that is a number", { ...plain, tag: 7 }, noBase64],
    ["a short tag", { ...plain, tag: bytes(15).toString("base64") }, lengths],
    ["a long initial value", { ...plain, iv: bytes(13).toString("base64") }, lengths],
    ["a tag alone", { ...plain, tag: undefined, ciphertext: plain.tag }, "it is empty"],
    ["another content encryption", { ...plain, enc: "A128GCM" }, "its content encryption is not A256GCM"],
    ["a number as its algorithm", { ...plain, alg: 1 }, "its alg or kid is not a string"],
    ["a number as its key's id", { ...plain, kid: 1 }, "its alg or kid is not a string"],
  ] as const) {
    it(`is invalid with ${name}`, () => assert.equal(reasonOf(value), reason));
  }
});

import assert from "node:assert/strict";
import { createRedaction } from "../../../../src/api/http/redaction.ts";
import { countRounds } from "../event-loop.ts";

describe("a redaction in turns", () => {
  const named = createRedaction([], "named");
  /** Each is longer than two turns. */
  const long = (unit: string): string => unit.repeat(150_000 / unit.length);

  /** The result of a redaction, and the number of turns of the event loop that it took. */
  async function inTurns(value: unknown, redaction = named): Promise<{ readonly cleaned: unknown; rounds: number }> {
    const rounds = countRounds();
    const cleaned = await redaction.valueInTurns(value);
    rounds.stop();
    return { cleaned, rounds: rounds.count };
  }

  it("scans long texts of any kind in turns, with the same result", async () => {
    for (const unit of [
      "?token",
      '"token":"',
      '"token":["a", ',
      '\\"token\\":\\"',
      "token ",
      "?token=b&c ",
      '{"token":"x"},',
    ]) {
      const text = long(unit);
      const { cleaned, rounds } = await inTurns({ a: [text, { text, none: null, count: 1 }], token: text });
      const once = named.text(text);
      assert.deepEqual(cleaned, { a: [once, { text: once, none: null, count: 1 }], token: "[redacted]" });
      assert.ok(rounds >= 4, `${unit}: ${rounds} rounds`);
    }
  });

  it("scans the strings of a long list, and the text after a long string, in turns", async () => {
    const list = `{"token":[${'"abc",'.repeat(30_000)}"z"],"name":"shown"}`;
    const before = `{"password":"${'a\\" '.repeat(40_000)}","name":"shown"}`;
    for (const text of [list, before]) {
      const { cleaned, rounds } = await inTurns([text]);
      assert.deepEqual(cleaned, [named.text(text)]);
      assert.match(String(cleaned), /,"name":"shown"\}$/);
      assert.ok(rounds >= 2, `${rounds} rounds`);
    }
  });

  it("scans several texts at the same time", async () => {
    const texts = ["?token", '"token":"', "?token=b&c ", '{"token":"x"},'].map(long);
    const all = await Promise.all(texts.map((text) => named.valueInTurns([text])));
    assert.deepEqual(
      all,
      texts.map((text) => [named.text(text)]),
    );
  });

  it("also scans many short texts in turns, and yields once per turn", async () => {
    const texts = Array.from({ length: 3000 }, (_, nth) => `/x?token=${"a".repeat(200)}${nth}&page=${nth}`);
    const { cleaned, rounds } = await inTurns(texts);
    assert.deepEqual(
      cleaned,
      texts.map((_, nth) => `/x?token=[redacted]&page=${nth}`),
    );
    assert.ok(rounds >= 8 && rounds < 100, `${rounds} rounds`);
  });

  it("takes one turn for short values, and for long texts that can't name a secret", async () => {
    assert.deepEqual(await inTurns(["/x?token=a", null]), { cleaned: ["/x?token=[redacted]", null], rounds: 0 });
    const plain = [long("plain "), long('"name":"x",')];
    assert.deepEqual(await inTurns(plain), { cleaned: plain, rounds: 0 });
  });

  it("takes one turn if only the given secrets are removed, and removes them", async () => {
    const given = createRedaction(["s3cret"], "given");
    const { cleaned, rounds } = await inTurns({ token: long("?token=b s3cret ") }, given);
    assert.deepEqual(cleaned, { token: long("?token=b s3cret ").replaceAll("s3cret", "[redacted]") });
    assert.equal(rounds, 0);
    const text = long('{"token":"x"},').replace("x", "s3cret");
    const both = createRedaction(["s3cret"], "named");
    assert.deepEqual((await inTurns([text, "s3cret"], both)).cleaned, [both.text(text), "[redacted]"]);
  });

  it("keeps a text that is the entire value", async () => {
    assert.equal(await named.valueInTurns("plain"), "plain");
    assert.equal(named.value("plain"), "plain");
  });
});

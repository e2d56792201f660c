import assert from "node:assert/strict";
import fc from "fast-check";
import { MessageError } from "../../../../src/api/kernels/wire/kernel-message.ts";
import { longTextAt } from "../../../../src/api/kernels/wire/long-text.ts";

const parts = (json: string, path: readonly string[]): readonly string[] => [
  ...(longTextAt(Buffer.from(json), path)?.parts() ?? assert.fail("it isn't long")),
];
/** JSON whose characters are all escaped. */
const escaped = (text: string): string =>
  `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"`;

describe("the long text of a message", () => {
  it("is read in small parts that are whole characters, however it is written", () => {
    const unit = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 30 }),
      fc.constantFrom("\n", "\\", '"', "\\\\n", "😀", "é\n", "\u0000"),
    );
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 1, maxLength: 5 }),
        fc.nat(70),
        fc.boolean(),
        (units, shift, isEscaped) => {
          const repeated = units.join("").toWellFormed();
          const text = "x".repeat(shift) + repeated.repeat(Math.ceil(1_000_000 / repeated.length));
          const json = `{"text": ${isEscaped ? escaped(text) : JSON.stringify(text)}}`;
          const read = parts(json, ["text"]);
          assert.equal(read.join(""), text);
          assert.ok(read.every((part) => part.length <= 65_536 && part.isWellFormed()));
        },
      ),
      { numRuns: 15 },
    );
  });

  it("is found at its path only, and the rest stays valid", () => {
    const long = "y".repeat(1_000_000);
    const decoy = { text: "short", other: [{ text: long }, "text"], deep: { content: { text: long } } };
    const json = JSON.stringify({ decoy, 'a"text': "text", content: { name: "stdout", n: { text: 1 }, text: long } });
    const found = longTextAt(Buffer.from(json), ["content", "text"]);
    assert.equal([...(found?.parts() ?? [])].join(""), long);
    assert.deepEqual(JSON.parse(found?.rest.toString() ?? ""), {
      decoy,
      'a"text': "text",
      content: { name: "stdout", n: { text: 1 }, text: "" },
    });
    const others = [
      JSON.stringify(decoy),
      JSON.stringify([{ text: long }]),
      `{"text":${" ".repeat(1_000_000)}"short"}`,
    ];
    for (const other of [...others, long, `{"text":["${long}"]}`, `{"text" "${long}"}`, "{".repeat(1_000_000)]) {
      assert.equal(longTextAt(Buffer.from(other), ["text"]), undefined);
    }
  });

  it("is an error of the message if it isn't valid JSON", () => {
    assert.throws(() => parts(`{"text":"${"\\x".repeat(600_000)}"}`, ["text"]), MessageError);
  });
});

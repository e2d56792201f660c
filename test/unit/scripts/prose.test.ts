import assert from "node:assert/strict";
import { stringTexts } from "../../../scripts/phrases.ts";
import { findingsIn } from "../../../scripts/tests/prose.ts";

describe("The prose check", () => {
  it("finds words to avoid in text for users, even across a line break", async () => {
    const found = await findingsIn([
      {
        place: "a.md",
        text: "# Title\n\nThe folder is no\nworkspace. It stands in a list.\n",
        format: "md",
        forUsers: true,
      },
    ]);

    assert.deepEqual(
      found.map((line) => line.split(" Incorrect ")[0]),
      ["a.md:3:12", "a.md:4:15"],
    );
  });

  it("ignores code, and words that are allowed in comments", async () => {
    const pieces = [
      { place: "a.md", text: "Set `e-mail` to `as it is`.", format: "md", forUsers: true },
      { place: "a.ts", text: "const a = 1; // is no comment of its own\n", format: "ts", forUsers: false },
      { place: "b.ts", text: "/** A row `is no thing`. What it tells. */\n", format: "ts", forUsers: false },
    ] as const;

    assert.deepEqual(await findingsIn(pieces), []);
  });

  it("reports the line of a comment", async () => {
    const text = 'const text = "is no finding";\n\n/**\n * A value\n * that is no number.\n */\n';

    const [found = "", ...others] = await findingsIn([{ place: "a.ts", text, format: "ts", forUsers: false }]);

    assert.match(found, /^a\.ts:5:6 /);
    assert.deepEqual(others, []);
  });

  it("reports the line of a string that a program prints", async () => {
    const source = [
      'import { told } from "told";',
      "console.log(`please wait for $" + "{told}`);",
      'const name = "told";',
      "const lines = `one line",
      "that is no file`;",
    ].join("\n");

    const found = await findingsIn([{ place: "a.ts", text: stringTexts(source), format: "txt", forUsers: true }]);

    assert.deepEqual(found.map((line) => line.split(" Incorrect ")[0]).toSorted(), ["a.ts:2:1", "a.ts:5:6"]);
  });
});

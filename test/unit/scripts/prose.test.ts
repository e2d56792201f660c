import assert from "node:assert/strict";
import { findingsIn } from "../../../scripts/tests/prose.ts";

describe("The prose check", () => {
  it("finds words to avoid in what users read, across a line break too", async () => {
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

  it("leaves code alone, and what only comments may say", async () => {
    const pieces = [
      { place: "a.md", text: "Set `e-mail` to `as it is`.", format: "md", forUsers: true },
      { place: "a.ts", text: "const a = 1; // is no comment of its own\n", format: "ts", forUsers: false },
      { place: "b.ts", text: "/** A row `is no thing`. What it tells. */\n", format: "ts", forUsers: false },
    ] as const;

    assert.deepEqual(await findingsIn(pieces), []);
  });

  it("names the line of a comment", async () => {
    const text = 'const text = "is no finding";\n\n/**\n * A value\n * that is no number.\n */\n';

    const [found = "", ...others] = await findingsIn([{ place: "a.ts", text, format: "ts", forUsers: false }]);

    assert.match(found, /^a\.ts:5:6 /);
    assert.deepEqual(others, []);
  });
});

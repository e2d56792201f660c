import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { References } from "../../../scripts/fidelity/references.ts";
import { sections } from "../../../scripts/fidelity/sections.ts";
import { operation, type Statement, statement } from "../../../scripts/fidelity/statement.ts";
import { fidelityPage } from "../../../scripts/generate-fidelity.ts";
import { catalogue } from "../../../src/api/catalogue/operations/catalogue.ts";

const page = join(import.meta.dirname, "..", "..", "..", "docs", "reference", "fidelity.md");

describe("docs/reference/fidelity.md", () => {
  const statements = sections.flatMap((section) => section.statements);
  let references: References;

  before(async () => {
    references = await References.read();
  });

  for (const { number, title, statements: own } of sections) {
    it(`section ${number}, ${title}: each statement is implemented, reached, served, and proven, or open with a reason`, async () => {
      const problems = await Promise.all(
        own.map(async (one) => (await references.problemsOf(one)).map((problem) => `${one.text}: ${problem}`)),
      );
      assert.deepEqual(problems.flat(), []);
    });
  }

  it("matches the statements (else run: node scripts/generate-fidelity.ts)", async () => {
    assert.equal(await readFile(page, "utf8"), await fidelityPage(references));
  });

  it("has each statement once, and each operation of the description in one", () => {
    const texts = sections.flatMap(({ number, statements: own }) => own.map(({ text }) => `${number} ${text}`));
    assert.equal(new Set(texts).size, texts.length);
    const named = new Set(statements.flatMap(({ served }) => served));
    const described = catalogue.filter(({ section }) => section !== "beyond").map(({ id }) => `operation:${id}`);
    assert.deepEqual(
      described.filter((id) => !named.has(id)),
      [],
    );
  });

  it("reports each missing part of a statement, and each reference to something that doesn't exist", async () => {
    const good = operation("designs.list", "A list");
    assert.deepEqual(await references.problemsOf(good), []);
    for (const part of ["code", "reach", "served", "proof"] as const) {
      const lacking: Statement = { ...good, [part]: [] };
      assert.deepEqual(await references.problemsOf(lacking), [`no ${part}`]);
      assert.deepEqual(await references.problemsOf({ ...lacking, open: { [part]: "Nobody knows." } }), []);
    }
    const wrong = statement("Nothing", {
      code: ["operation:designs.lst", "src/none.ts#x", "src/api/lazy.ts#nothing"],
      reach: ["operation:designs.lst", "command:designs", "view:x", "setting:x", "tool:x", "scheme:x", "front-door:x"],
      served: ["operation:designs.lst", "src/api/lazy.ts#nothing"],
      proof: [
        ...["case:designs.lst", "test/none.test.ts > x", "test/unit/api/lazy.test.ts > no such title at all"],
        "test/unit/api/lazy.test.ts",
      ],
    });
    assert.equal((await references.problemsOf(wrong)).length, 16);
  });
});

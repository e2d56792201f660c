import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { References } from "../../../scripts/fidelity/references.ts";
import { sections } from "../../../scripts/fidelity/sections.ts";
import { operation, rule, type Statement, statement } from "../../../scripts/fidelity/statement.ts";
import { claimsIn, type Proofs, proofsFrom, readClaims } from "../../../scripts/fidelity/tests.ts";
import { fidelityPage } from "../../../scripts/generate-fidelity.ts";
import { catalogue } from "../../../src/api/catalogue/operations/catalogue.ts";

const page = join(import.meta.dirname, "..", "..", "..", "docs", "reference", "fidelity.md");

describe("docs/reference/fidelity.md", () => {
  const statements = sections.flatMap((section) => section.statements);
  const test = { file: "test/a.test.ts", title: "a test" };
  let references: References;
  let proofs: Proofs;

  before(async () => {
    references = await References.read();
    proofs = proofsFrom(await readClaims(), sections);
  });

  for (const { number, title, statements: own } of sections) {
    it(`section ${number}, ${title}: each statement is implemented, reached, served, and proven, or open with a reason`, async () => {
      const problems = await Promise.all(
        own.map(async (one) =>
          (await references.problemsOf(one, proofs.tests.get(one) ?? [])).map((problem) => `${one.text}: ${problem}`),
        ),
      );
      assert.deepEqual(problems.flat(), []);
    });
  }

  it("is complete: each comment above a test names one statement", () => {
    assert.deepEqual(proofs.unclear, []);
  });

  it("matches the statements (else run: node scripts/generate-fidelity.ts)", async () => {
    assert.equal(await readFile(page, "utf8"), await fidelityPage(references, proofs));
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
    assert.deepEqual(await references.problemsOf(good, []), []);
    for (const part of ["code", "reach", "served"] as const) {
      const lacking: Statement = { ...good, [part]: [] };
      assert.deepEqual(await references.problemsOf(lacking, []), [`no ${part}`]);
      assert.deepEqual(await references.problemsOf({ ...lacking, open: { [part]: "Nobody knows." } }, []), []);
    }
    for (const unproven of [rule("designs.list", "A list"), statement("A list", good)]) {
      assert.deepEqual(await references.problemsOf(unproven, []), ["no proof"]);
      assert.deepEqual(await references.problemsOf({ ...unproven, open: { proof: "Nobody knows." } }, []), []);
      assert.deepEqual(await references.problemsOf(unproven, [test]), []);
    }
    const unknown: Statement = { ...good, operation: "designs.lst" };
    assert.deepEqual(await references.problemsOf(unknown, []), ["no contract case of designs.lst"]);
    const wrong = statement("Nothing", {
      code: ["operation:designs.lst", "src/none.ts#x", "src/api/lazy.ts#nothing"],
      reach: ["operation:designs.lst", "command:designs", "view:x", "setting:x", "tool:x", "scheme:x", "front-door:x"],
      served: ["operation:designs.lst", "src/api/lazy.ts#nothing"],
    });
    assert.equal((await references.problemsOf(wrong, [test])).length, 12);
  });

  it("finds the title of a test or a case below a comment, and the section and beginning of each statement in it", () => {
    const content = [
      ...["  // Proves 5.3: the prefix; a token", "  // Proves 7: Create", '  it("starts", () => {});'],
      ...["  // Proves 2: One", `  it(\`of \${list} is read\`, () => {});`],
      ...["  // Proves 2: Two", "  {", "    expected: served(3),", '    name: "a \\"row\\"",', "  },"],
      '  it("proves nothing", () => {});',
    ];
    assert.deepEqual(
      claimsIn("a.test.ts", content.join("\n")).map(({ section, beginning, title }) => [section, beginning, title]),
      [
        ["5.3", "the prefix", "starts"],
        ["5.3", "a token", "starts"],
        ["7", "Create", "starts"],
        ["2", "One", "of …"],
        ["2", "Two", 'a "row"'],
      ],
    );
  });

  it("assigns a claim only to the one statement that it names", () => {
    const own = { code: [], reach: [], served: [] };
    const [first, second, third] = ["Create", "Create a folder", "5.3: a prefix"].map((text) => statement(text, own));
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const claim = (section: string, beginning: string) => ({ ...test, section, beginning });
    const clear = [claim("7", "Create"), claim("7", "Create a"), claim("5.3", "a p"), claim("5.3", "a prefix")];
    const unclear = [claim("7", "Cre"), claim("7", "a folder"), claim("5", "a prefix"), claim("7", "Delete")];
    const found = proofsFrom([...clear, ...unclear], [{ number: "7", title: "", statements: [first, second, third] }]);
    assert.deepEqual(found.unclear, unclear);
    assert.deepEqual(
      [first, second, third].map((one) => found.tests.get(one)?.length),
      [1, 1, 2],
    );
  });
});

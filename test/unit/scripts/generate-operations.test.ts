import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { operationsPage } from "../../../scripts/generate-operations.ts";
import type { AnyOperation } from "../../../src/api/catalogue/operation.ts";
import { catalogue } from "../../../src/api/catalogue/operations/catalogue.ts";
import { listAccounts } from "../../../src/api/catalogue/operations/data.ts";
import { dialects } from "../../../src/api/http/dialects.ts";

const documents = join(import.meta.dirname, "..", "..", "..", "docs");

describe("docs/reference/operations.md", () => {
  it("matches the catalog (else run: node scripts/generate-operations.ts)", async () => {
    assert.equal(await readFile(join(documents, "reference", "operations.md"), "utf8"), operationsPage());
  });

  it("has each operation once, with its path in each dialect", () => {
    const page = operationsPage();
    for (const { id } of catalogue) {
      assert.equal(page.split(`\n### ${id}\n`).length, 2, id);
    }
    const first: AnyOperation = listAccounts;
    assert.notEqual(operationsPage([{ ...first, summary: "Another" }]), operationsPage([first]));
    assert.match(operationsPage([{ ...first, path: "/<sandbox>/x" }]), /domo: `GET \/api\/version\/v1\/x`/);
  });
});

describe("docs/dialects.md", () => {
  it("lists every part, path, and member that differs between dialects", async () => {
    const page = await readFile(join(documents, "dialects.md"), "utf8");
    const { documented, domo } = dialects;
    const segments = Object.values(domo.segments).filter((text) => !Object.values(documented.segments).includes(text));
    const differences = [
      ...segments,
      ...Object.keys(domo.paths),
      ...Object.keys(domo.bodyMembers),
      documented.workflowEntityType,
    ];
    assert.deepEqual(
      differences.filter((text) => !page.includes(text)),
      [],
    );
  });
});

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDirectory, resultsDirectory } from "../../scripts/set-up/paths.ts";
import { broken } from "./judgement.ts";
import { operations } from "./operations.ts";
import { faultsPage } from "./page.ts";
import type { Cell } from "./strikes.ts";
import { endTable, table, wantTable } from "./table.ts";

wantTable();

describe("every fault at every request of every operation, on a real Jupyter Server", () => {
  let cells: readonly Cell[] = [];

  before(async () => {
    cells = await table();
  });
  after(endTable);

  for (const operation of operations) {
    it(`${operation.name}: loses or truncates nothing, reports the right error, and names all leftovers`, () => {
      const own = cells.filter((cell) => cell.operation === operation);
      assert.ok(own.length > (operation.isVariant === true ? 3 : 15), `${own.length} cells`);
      const problems = own.flatMap(({ strike, result }) =>
        broken(operation, strike, result).map(
          (problem) =>
            `${strike.fault.name} at request ${strike.step} (${strike.requests[strike.step - 1]}): ${problem}`,
        ),
      );
      assert.deepEqual(problems, []);
    });
  }

  it("docs/reference/faults.md lists the outcomes", async () => {
    const page = faultsPage(cells);
    await mkdir(resultsDirectory, { recursive: true });
    await writeFile(join(resultsDirectory, "faults.md"), page);
    const kept = await readFile(join(projectDirectory, "docs", "reference", "faults.md"), "utf8");
    const advice = "Look at test-results/faults.md: where it is right, it takes the place of docs/reference/faults.md.";
    assert.deepEqual(page.split("\n"), kept.split("\n"), advice);
  });
});

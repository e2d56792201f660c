import assert from "node:assert/strict";
import { broken } from "./judgement.ts";
import { type Operation, operations } from "./operations.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { type Cell, runCells, strikesAt } from "./strikes.ts";

/** Operations that use other requests or responses on a server with only the API description. */
const differing = [
  "open a notebook",
  "save a notebook",
  "create a notebook",
  "copy a file",
  "copy a folder",
  "upload a big file",
  "save a big file",
  "create a checkpoint",
];

describe("every fault at every request that differs on a server with only the API description", () => {
  const chosen = operations.filter(({ name }) => differing.includes(name)).map(withSmallFolder);
  let place: FaultyPlace | undefined;
  let cells: readonly Cell[] = [];

  before(async () => {
    place = await startFaultyPlace("described");
    const plan = [];
    for (const operation of chosen) plan.push({ operation, strikes: await strikesAt(place, operation) });
    // The longest ones first, so that none is left for the end.
    cells = await runCells(
      place,
      plan.toSorted((one, other) => other.strikes.length - one.strikes.length),
    );
  });
  after(async () => await place?.stop());

  it("are existing operations", () => assert.equal(chosen.length, differing.length));

  for (const operation of chosen) {
    it(`${operation.name}: loses or truncates nothing, reports the right error, and names all leftovers`, () => {
      const own = cells.filter((cell) => cell.operation === operation);
      assert.ok(own.length > 15, `${own.length} cells`);
      const problems = own.flatMap(({ strike, result }) =>
        broken(operation, strike, result).map(
          (problem) => `${strike.fault.name} at request ${strike.step} (${strike.requests.join(" ")}): ${problem}`,
        ),
      );
      assert.deepEqual(problems, []);
    });
  }
});

/** Copying a folder takes many requests here, so one file in it is enough. */
function withSmallFolder(operation: Operation): Operation {
  const before = { "f/a.txt": "a\n" };
  return operation.name === "copy a folder"
    ? { ...operation, before, after: { ...before, "h/a.txt": "a\n" } }
    : operation;
}

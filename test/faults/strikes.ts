import type { CellResult, Strike } from "./cell.ts";
import { runCell } from "./cell.ts";
import { faults } from "./faults.ts";
import type { Operation } from "./operations.ts";
import type { FaultyPlace } from "./place.ts";

/** A cell of the table: an operation, a fault at one of its requests, and the result. */
export interface Cell {
  readonly operation: Operation;
  readonly strike: Strike;
  readonly result: CellResult;
}

/** The number of cells that run at the same time. They mostly wait. */
const lanes = 24;

/** Every fault at every request of an operation. Throws if the operation fails without a fault. */
export async function strikesAt(place: FaultyPlace, operation: Operation): Promise<readonly Strike[]> {
  const sound = await runCell(place, operation);
  if (sound.ending.type !== "worked") throw new Error(`${operation.name}: ${JSON.stringify(sound.ending)}`);
  const { requests, bodies } = sound;
  return requests.flatMap((_, index) =>
    faults
      // A request without a body has no half: either the server has received it when the connection breaks, or not.
      .filter((fault) => fault.needsBody !== true || (bodies[index] ?? 0) > 0)
      .filter((fault) => operation.isVariant !== true || fault.isTypical === true)
      .map((fault) => ({ fault, requests, step: index + 1 })),
  );
}

/** Runs all cells, several at a time, with the slow ones spread out. Returns them in the table's order. */
export async function runCells(
  place: FaultyPlace,
  plan: readonly { readonly operation: Operation; readonly strikes: readonly Strike[] }[],
): Promise<readonly Cell[]> {
  const all = plan.flatMap(({ operation, strikes }) => strikes.map((strike) => ({ operation, strike })));
  const cells = new Array<Cell | undefined>(all.length);
  const waiting = all.entries();
  const lane = async (): Promise<void> => {
    for (const [index, { operation, strike }] of waiting) {
      cells[index] = { operation, strike, result: await runCell(place, operation, strike) };
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return cells.filter((cell) => cell !== undefined);
}

import type { CellResult, Strike } from "./cell.ts";
import { runCell } from "./cell.ts";
import { faults } from "./faults.ts";
import type { Operation } from "./operations.ts";
import type { FaultyPlace } from "./place.ts";

/** One cell of the table: an operation, a fault at one of its requests, and what came of it. */
export interface Cell {
  readonly operation: Operation;
  readonly strike: Strike;
  readonly result: CellResult;
}

/** How many cells are tried at the same moment: they mostly wait. */
const lanes = 24;

/** Every fault at every request of an operation. Throws when the operation does not work without a fault. */
export async function strikesAt(place: FaultyPlace, operation: Operation): Promise<readonly Strike[]> {
  const sound = await runCell(place, operation);
  if (sound.ending.type !== "worked") throw new Error(`${operation.name}: ${JSON.stringify(sound.ending)}`);
  const { requests, bodies } = sound;
  return requests.flatMap((_, index) =>
    faults
      // Of a request without a body there is no half: the server has it whole before the connection breaks, or not.
      .filter((fault) => fault.needsBody !== true || (bodies[index] ?? 0) > 0)
      .map((fault) => ({ fault, requests, step: index + 1 })),
  );
}

/** Tries every cell, several at a time, in an order that keeps the slow ones apart; gives them in the table's order. */
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

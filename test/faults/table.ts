import { operations } from "./operations.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { type Cell, runCells, strikesAt } from "./strikes.ts";

let isWanted = false;
let cells: Promise<readonly Cell[]> | undefined;
let place: FaultyPlace | undefined;

/** Declares that the table will be requested. */
export function wantTable(): void {
  isWanted = true;
}

/** Starts the table if it will be requested. Its cells mostly wait, so that other suites can run at the same time. */
export function beginTable(): void {
  // The caller that requests it gets any failure.
  if (isWanted) void table().catch(() => undefined);
}

/** Every fault at every request of every operation. */
export function table(): Promise<readonly Cell[]> {
  cells ??= makeTable();
  return cells;
}

async function makeTable(): Promise<readonly Cell[]> {
  place = await startFaultyPlace();
  const plan = [];
  for (const operation of operations) plan.push({ operation, strikes: await strikesAt(place, operation) });
  return runCells(place, plan);
}

/** Stops the servers. */
export async function endTable(): Promise<void> {
  await cells?.catch(() => undefined);
  await place?.stop();
}

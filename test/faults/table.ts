import { operations } from "./operations.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { type Cell, runCells, strikesAt } from "./strikes.ts";

let isWanted = false;
let cells: Promise<readonly Cell[]> | undefined;
let place: FaultyPlace | undefined;

/** Says that the table will be asked for. */
export function wantTable(): void {
  isWanted = true;
}

/** Begins with the table when it will be asked for: its cells mostly wait, so that other suites may run beside it. */
export function beginTable(): void {
  // Whoever asks for it hears of a failure.
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

/** Ends the servers behind it. */
export async function endTable(): Promise<void> {
  await cells?.catch(() => undefined);
  await place?.stop();
}

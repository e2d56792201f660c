// The extension host's clock, and conditions that tests wait for. Caches last for seconds: a test that waited for their
// end would take as long, and a test that relied on their duration would fail on a slow machine.
import { type Look, until as untilWithin } from "../harness/until.ts";

/** The clock of the computer, and the monotonic one, which caches use. */
const systemClocks = new Map<{ now(): number }, () => number>([
  [Date, Date.now],
  [performance, performance.now.bind(performance)],
]);
let ahead = 0;
let stoppedAt: ReadonlyMap<object, number> | undefined;

for (const [clock, systemNow] of systemClocks) {
  clock.now = () => (stoppedAt?.get(clock) ?? systemNow()) + ahead;
}

/** Advances the time by this many milliseconds for everything in the extension host. */
export function pass(milliseconds: number): void {
  ahead += milliseconds;
}

/** Runs the work while the time stands still, so that nothing in a cache gets older meanwhile. */
export async function inNoTime<T>(work: () => PromiseLike<T>): Promise<T> {
  const before = stoppedAt;
  stoppedAt ??= new Map([...systemClocks].map(([clock, systemNow]) => [clock, systemNow()]));
  try {
    return await work();
  } finally {
    stoppedAt = before;
  }
}

/** Waits as the other tests do, but longer, because a window can be slow. */
export function until<Value>(what: string, look: Look<Value>, seen?: () => string): Promise<Value> {
  return untilWithin(what, look, { seconds: 240, interval: 25, ...(seen === undefined ? {} : { seen }) });
}

/** Repeats an action until its effect occurs, because the window may not have shown it yet. */
export async function repeatUntilDone<T>(running: PromiseLike<T>, act: () => PromiseLike<unknown>): Promise<T> {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  running.then(done, done);
  await until("what was begun to end", async () => {
    if (!isDone) await act();
    return isDone;
  });
  return running;
}

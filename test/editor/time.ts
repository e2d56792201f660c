// The extension host's clock and what tests wait for. Caches live for seconds; a test that slept through them would take as
// long, and one that relied on their lives would fail on a slow machine.

const systemElapsed = performance.now.bind(performance);
/** The clock of the computer, and the one that only moves forward: caches use the second. */
const systemClocks = new Map<{ now(): number }, () => number>([
  [Date, Date.now],
  [performance, systemElapsed],
]);
let ahead = 0;
let stoppedAt: ReadonlyMap<object, number> | undefined;

for (const [clock, systemNow] of systemClocks) {
  clock.now = () => (stoppedAt?.get(clock) ?? systemNow()) + ahead;
}

/** Lets that many milliseconds pass for everything in the extension host that asks for the time. */
export function pass(milliseconds: number): void {
  ahead += milliseconds;
}

/** Does something in no time at all: what is known at its beginning is as old at its end. */
export async function inNoTime<T>(work: () => PromiseLike<T>): Promise<T> {
  const before = stoppedAt;
  stoppedAt ??= new Map([...systemClocks].map(([clock, systemNow]) => [clock, systemNow()]));
  try {
    return await work();
  } finally {
    stoppedAt = before;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until something is so or a value is there: four minutes at most, which only ends a test that hangs. */
export async function until<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  for (const end = systemElapsed() + 240_000; ; await pause(25)) {
    const found = await look();
    if (found !== undefined && found !== false) {
      return found;
    }
    if (systemElapsed() > end) throw new Error(`waited 240 s for: ${what}`);
  }
}

/** Does something again and again until what it is to end has ended: the window may not have shown it yet. */
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

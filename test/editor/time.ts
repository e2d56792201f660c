// The extension host's clock, and conditions that tests wait for. Caches last for seconds: a test that waited for their
// end would take as long, and a test that relied on their duration would fail on a slow machine.

const systemElapsed = performance.now.bind(performance);
/** The clock of the computer, and the monotonic one, which caches use. */
const systemClocks = new Map<{ now(): number }, () => number>([
  [Date, Date.now],
  [performance, systemElapsed],
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

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until a condition is true or a value exists, at most four minutes. The limit only ends a test that hangs. */
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

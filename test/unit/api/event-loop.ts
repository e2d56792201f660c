/** Counts the turns of the event loop, in each of which other work can run. */
export function countRounds(): { readonly count: number; stop(): void } {
  let count = 0;
  let next: NodeJS.Immediate;
  const round = (): void => {
    count += 1;
    next = setImmediate(round);
  };
  next = setImmediate(round);
  return {
    get count() {
      return count;
    },
    stop: () => clearImmediate(next),
  };
}

/** The totals of a mocha run. A pending test counts as a failure, so that no test is skipped silently. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}

/** The totals of a Mocha runner after its end. */
export function totalsOf(runner: Mocha.Runner): Totals {
  const failures: { title: string; message: string }[] = [];
  runner.suite.eachTest((test) => {
    if (test.state === "failed") failures.push({ title: test.fullTitle(), message: test.err?.message ?? "" });
    if (test.isPending()) failures.push({ title: test.fullTitle(), message: "pending: a test must run" });
  });
  const { passes = 0, failures: failed = 0, pending = 0 } = runner.stats ?? {};
  return { passed: passes, failed: failed + pending, failures };
}

/** What a layer or a check came to. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

export const onePassed: Outcome = { passed: 1, failed: 0 };
export const oneFailed: Outcome = { passed: 0, failed: 1 };

export function sumOf(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  };
}

export function heading(title: string): void {
  console.log(`\n── ${title} ${"─".repeat(Math.max(3, 76 - title.length))}`);
}

/** Prints why a layer or a check failed, on one line (and what a tool said below it). */
export function failure(title: string, reason: string, details = ""): Outcome {
  console.error(`${title} failed: ${reason}`);
  if (details !== "") console.error(details);
  return oneFailed;
}

/** A layer's title as part of a file name: `editor (restricted)` gives `editor-restricted`. */
export function fileNameOf(title: string): string {
  return title.replace(/\W+/g, "-").replace(/-$/, "");
}

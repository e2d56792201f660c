import { basename } from "node:path";

/** A failed test or check, for the end of a run. */
interface Failure {
  readonly title: string;
  readonly message: string;
}

/** The outcome of a layer or a check. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
}

export const onePassed: Outcome = { passed: 1, failed: 0, failures: [] };

export function sumOf(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

/** The outcome that another process reported; undefined if the value isn't one. */
export function outcomeOf(value: unknown): Outcome | undefined {
  if (typeof value !== "object" || value === null || !("passed" in value) || !("failed" in value)) return undefined;
  const failures = "failures" in value && Array.isArray(value.failures) ? value.failures.filter(isFailure) : [];
  return { passed: Number(value.passed), failed: Number(value.failed), failures };
}

function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "title" in value && "message" in value;
}

export function heading(title: string): void {
  console.log(`\n── ${title} ${"─".repeat(Math.max(3, 76 - title.length))}`);
}

/** Prints why a layer or a check failed on a single line, followed by the output of a tool. */
export function failure(title: string, reason: string, details = ""): Outcome {
  console.error(`${title} failed: ${reason}`);
  if (details !== "") console.error(details);
  return { passed: 0, failed: 1, failures: [{ title, message: reason }] };
}

/** Maximum number of files in the name of a run. Beyond it, the name contains only the number of files. */
const filesNamed = 4;

/** The name of a run of a layer, or of some of its files, in results: `ui-pages`. */
export function runName(layer: string, files: readonly string[] = []): string {
  const named = files.slice(0, filesNamed).map((file) => basename(file, ".test.ts"));
  const more = files.length - named.length;
  return [layer, ...named, ...(more === 0 ? [] : [`and-${more}-more`])].join("-");
}

/** A layer's title as part of a file name: `editor 1.105.1` becomes `editor-1-105-1`. */
export function fileNameOf(title: string): string {
  return title.replace(/\W+/g, "-").replace(/-$/, "");
}

import type * as z from "zod/mini";

/** The issue; for a union the issues of the member that comes nearest: wrong somewhere within, and not as a whole. */
export function nearestIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") {
    return [issue];
  }
  const [nearest] = issue.errors
    .filter((issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0))
    .toSorted((left, right) => left.length - right.length);
  return nearest === undefined
    ? [issue]
    : nearest.flatMap(nearestIssues).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** What an input has to be instead. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `it must be of type ${issue.expected}`;
    case "invalid_value":
      return `it must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "it must not be empty" : `it must be at least ${issue.minimum}`;
    case "too_big":
      return `it must be at most ${issue.maximum}`;
    case "unrecognized_keys":
      return `it has the unknown fields ${issue.keys.join(", ")}`;
    default:
      return issue.message === "" || issue.message === "Invalid input"
        ? "it is not of a form that it takes"
        : issue.message;
  }
}

/** A copy of the value without the fields that the issues name: what is left must still be a valid answer. */
export function withoutFields(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    let holder: unknown = copy;
    for (const key of issue.path.slice(0, -1)) {
      holder = isRecord(holder) ? holder[String(key)] : undefined;
    }
    const last = issue.path.at(-1);
    if (isRecord(holder) && last !== undefined) {
      delete holder[String(last)];
    }
  }
  return copy;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

import type * as z from "zod/mini";
import { phrase, type Text } from "../phrase.ts";

/** The issue itself. For a union, the issues of the closest member, which differs only in its fields. */
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

/** Describes what a value must be. */
export function describeIssue(issue: z.core.$ZodIssue): Text {
  switch (issue.code) {
    case "invalid_type":
      return phrase`it must be of type ${issue.expected}`;
    case "invalid_value":
      return phrase`it must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string"
        ? phrase`it can't be empty`
        : phrase`it must be at least ${String(issue.minimum)}`;
    case "too_big":
      return phrase`it must be at most ${String(issue.maximum)}`;
    case "unrecognized_keys":
      return phrase`it has unknown fields: ${issue.keys.join(", ")}`;
    default:
      return issue.message === "" || issue.message === "Invalid input"
        ? phrase`it has an invalid format`
        : issue.message;
  }
}

/** Stops validation at the first issue. Zod uses this option only for its `validate`, which reports no issues. */
export const untilFirstIssue: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

import { redacted } from "./named-values.ts";
import { isRawNumber } from "./raw-number.ts";

/**
 * Copies a response and masks secrets of other systems. `members` lists the confidential members: a name for a member
 * with everything below it, or `outer.inner` for all members `inner` below `outer`. Names and structure stay visible.
 */
export function masked(value: unknown, members: readonly string[]): unknown {
  return members.length === 0 ? value : maskedWithin(value, members, []);
}

function maskedWithin(value: unknown, members: readonly string[], above: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => maskedWithin(item, members, above));
  }
  if (typeof value === "object" && value !== null && !isRawNumber(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, maskedWithin(field, members, [...above, name])]),
    );
  }
  return value !== null && members.some((member) => isWithin(member, above)) ? redacted : value;
}

function isWithin(member: string, above: readonly string[]): boolean {
  const [outer = "", inner] = member.split(".");
  const at = above.indexOf(outer);
  return at >= 0 && (inner === undefined || above.indexOf(inner, at + 1) >= 0);
}

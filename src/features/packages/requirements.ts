/** A name, extras, and versions (PEP 508 and 440), such as `dask[array]>=2024,<2026`. It never begins with a hyphen. */
const requirementForm =
  /^[A-Za-z0-9](?:[\w.-]{0,98}[A-Za-z0-9])?(?:\[[\w.,-]{1,200}\])?(?:(?:===?|[~!<>]=|[<>])[\w.*+!-]{1,60}(?:,(?:===?|[~!<>]=|[<>])[\w.*+!-]{1,60}){0,9})?$/;
const maxTypedLength = 500;

/** True if the text can be passed to pip as a requirement, and as nothing else. */
export function isRequirement(text: string): boolean {
  return requirementForm.test(text);
}

/** The requirements that a user has typed, separated by spaces; undefined if one isn't valid, or if there are none. */
export function typedRequirements(typed: string): readonly string[] | undefined {
  if (typed.length > maxTypedLength) {
    return undefined;
  }
  const words = typed
    .split(/\s+/)
    .join(" ")
    .replaceAll(/ ?([<>=!~,[\]]) ?/g, "$1")
    .replaceAll(/\](?=\w)/g, "] ")
    .split(" ")
    .filter((word) => word !== "");
  return words.length > 0 && words.every(isRequirement) ? words : undefined;
}

/** A name as indexes compare it (PEP 503). */
export function normalizedName(name: string): string {
  return name.replace(/[-_.]+/g, "-").toLowerCase();
}

/** The name in a requirement. */
export function nameIn(requirement: string): string {
  return /^[\w.-]*/.exec(requirement)?.[0] ?? "";
}

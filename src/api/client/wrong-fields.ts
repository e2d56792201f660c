import * as z from "zod/mini";
import { nextTurn } from "../turns.ts";
import { nearestIssues, untilFirstIssue } from "./shape-issues.ts";

/** The wrong fields of a response, and whether it is valid without them. */
export interface WrongFields {
  readonly paths: readonly string[];
  readonly areOptional: boolean;
}

/** Each pass removes a field from all elements of a list, so this is enough for every shape in the catalog. */
const maxPasses = 30;

/**
 * Finds the wrong fields of a response. For a large response, each pass stops at its first issue, because one issue per
 * item would need more memory than the response. Yields to other work between passes.
 */
export async function wrongFieldsOf(shape: z.ZodMiniType, value: unknown, isLarge: boolean): Promise<WrongFields> {
  let copy: unknown;
  const paths = new Set<string>();
  const removed = new Set<string>();
  for (let pass = 0; pass < maxPasses; pass += 1) {
    if (isLarge) {
      await nextTurn();
    }
    const parsed = z.safeParse(shape, copy ?? value, isLarge ? untilFirstIssue : undefined);
    if (parsed.success) {
      return { paths: [...paths], areOptional: true };
    }
    const before = removed.size;
    for (const { path } of parsed.error.issues.flatMap(nearestIssues)) {
      if (pass === 0 || isLarge) {
        paths.add(path.map(String).join("."));
      }
      const field = path.map((key) => (typeof key === "number" ? "#" : String(key))).join(".");
      if (!removed.has(field)) {
        if (isLarge && !isValidWithout(shape, value, path)) {
          return { paths: [...paths], areOptional: false };
        }
        removed.add(field);
        copy ??= structuredClone(value);
        removeField(copy, path);
      }
    }
    if (removed.size === before) {
      break;
    }
  }
  return { paths: [...paths], areOptional: false };
}

/**
 * False if the value is still invalid at this field after the field was removed. Checks only one element of each list
 * on its path, so that a response with a million invalid items is rejected at the first one, without copying it.
 */
function isValidWithout(shape: z.ZodMiniType, value: unknown, path: readonly PropertyKey[]): boolean {
  const parsed = z.safeParse(shape, alone(value, path), untilFirstIssue);
  const again = parsed.success ? undefined : parsed.error.issues.flatMap(nearestIssues)[0]?.path;
  return again?.length !== path.length || !again.every((key, index) => key === path[index] || key === 0);
}

/** A copy of the value without the field. Each list on its path has only one element. */
function alone(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (!isObjectOrArray(value) || key === undefined) {
    return undefined;
  }
  const inner = alone(value[String(key)], rest);
  return Array.isArray(value) ? [inner] : { ...value, [key]: inner };
}

/** Removes a field, including from all other elements of each list on its path. */
function removeField(holder: unknown, [key, ...rest]: readonly PropertyKey[]): void {
  if (!isObjectOrArray(holder) || key === undefined) {
    return;
  }
  if (Array.isArray(holder) && rest.length > 0) {
    for (const item of holder) {
      removeField(item, rest);
    }
  } else if (rest.length > 0) {
    removeField(holder[String(key)], rest);
  } else if (Array.isArray(holder)) {
    holder.fill(undefined);
  } else {
    delete holder[String(key)];
  }
}

function isObjectOrArray(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

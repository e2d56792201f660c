import { changedFields, type FieldChange, type JsonObject, sameJson } from "./json-object.ts";

/** Fields that the platform maintains: they change while the user edits, and aren't editable. */
const kept: ReadonlySet<string> = new Set(["instances", "lastRun", "updated"]);

/** The effect of saving a workspace's configuration. */
export interface ConfigurationSave {
  /** The complete object to send. */
  readonly body: JsonObject;
  /** The changes on the platform. */
  readonly changes: readonly FieldChange[];
  /** Changes by someone else since it was read; undefined if the content that was read is no longer known. */
  readonly changedMeanwhile: readonly FieldChange[] | undefined;
}

/**
 * Combines the version that was read (`base`), the platform's current version, and the user's version. A field that the
 * platform maintains is sent with its current value, unless the user changed it.
 */
export function configurationSave(base: JsonObject | undefined, now: JsonObject, mine: JsonObject): ConfigurationSave {
  const body = Object.fromEntries(
    Object.entries(mine).map(([name, value]) => {
      const isUntouched = kept.has(name) && (base === undefined || sameJson(base[name], value));
      return [name, isUntouched && name in now ? now[name] : value];
    }),
  );
  return {
    body,
    changes: changedFields(now, body),
    changedMeanwhile: base === undefined ? undefined : changedFields(withoutKept(base), withoutKept(now)),
  };
}

function withoutKept(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !kept.has(name)));
}

/** The changes as lines of a message: up to ten, then the number of remaining ones. */
export function changeLines(changes: readonly FieldChange[], more: (count: number) => string): readonly string[] {
  const lines = changes.slice(0, 10).map(({ place, from, to }) => `${place}: ${from} → ${to}`);
  return changes.length > 10 ? [...lines, more(changes.length - 10)] : lines;
}

import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { kindOf } from "../read/file-status.ts";
import type { FileChange } from "../session/workspace-session.ts";

/** What a watched directory held when it was last told of: for each name its kind and, for a file, its version. */
export type Baseline = Map<string, { readonly kind: "file" | "directory"; readonly version: string }>;

export function baselineOf(children: readonly ContentItem[]): Baseline {
  return new Map(children.map((child) => [child.name, entryOf(child)]));
}

/** A directory has no version: what changes in it is told by whoever watches it. */
export function entryOf(item: ContentItem): { kind: "file" | "directory"; version: string } {
  const kind = kindOf(item);
  return { kind, version: kind === "directory" ? "" : `${item.last_modified ?? ""} ${item.size ?? ""}` };
}

/** What happened in a directory between two listings: each thing once, what went before what came. */
export function changesBetween(directory: string, before: Baseline, after: Baseline): readonly FileChange[] {
  const pathOf = (name: string): string => (directory === "" ? name : `${directory}/${name}`);
  const gone: FileChange[] = [];
  const come: FileChange[] = [];
  for (const [name, old] of before) {
    if (after.get(name)?.kind !== old.kind) {
      gone.push({ type: "deleted", path: pathOf(name) });
    }
  }
  for (const [name, now] of after) {
    const old = before.get(name);
    if (old === undefined || old.kind !== now.kind) {
      come.push({ type: "created", path: pathOf(name) });
    } else if (old.version !== now.version) {
      come.push({ type: "changed", path: pathOf(name) });
    }
  }
  return [...gone, ...come];
}

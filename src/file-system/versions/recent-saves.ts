import { LRUCache } from "lru-cache";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import type { ContentVersion } from "./content-version.ts";
import type { CopyKind } from "./editor-versions.ts";

/** Milliseconds within which a change by someone else can undo a save that its author hasn't seen. */
const undoTimeoutMs = 10_000;
const maxSaves = 20;
/** Maximum size of a content, in bytes. A larger one isn't searched for undone changes. */
const maxBytes = 4_000_000;

/** A save of an editor's copy: the version that it replaced, and the content that it wrote. */
export interface RecentSave {
  readonly kind: CopyKind;
  readonly before: { readonly version: ContentVersion; readonly bytes: Uint8Array };
  readonly saved: Uint8Array;
  readonly at: number;
}

/** The last saves of a window. Someone who edits an older version, such as a live room, can undo them. */
export class RecentSaves {
  readonly #saves: LRUCache<string, RecentSave>;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.#saves = new LRUCache({ max: maxSaves, ttl: undoTimeoutMs, ttlResolution: 0, perf: { now } });
  }

  /** Records a save. Saves that follow each other count as one. */
  saved(path: string, save: Omit<RecentSave, "at">): void {
    const earlier = this.of(path);
    const before = earlier?.kind === save.kind ? earlier.before : save.before;
    this.#saves.delete(path);
    if (save.saved.byteLength <= maxBytes && before.bytes.byteLength <= maxBytes) {
      this.#saves.set(path, { ...save, before, at: this.#now() });
    }
    // The contents of expired saves are no longer needed.
    this.#saves.purgeStale();
  }

  /** The save of a path that someone else may undo. */
  of(path: string): RecentSave | undefined {
    return this.#saves.get(path);
  }

  delete(path: string): void {
    this.#saves.delete(path);
  }
}

/** True if a line that the save added is missing now, or if a line that it removed is back. Lines of sources only. */
export function isUndone(
  path: string,
  { before, saved }: Pick<RecentSave, "before" | "saved">,
  now: Uint8Array,
): boolean {
  const [old, ours, theirs] = [before.bytes, saved, now].map((bytes) => linesOf(path, bytes));
  if (old === undefined || ours === undefined || theirs === undefined) {
    return false;
  }
  const lines = new Set([...old.keys(), ...ours.keys()]);
  return [...lines].some((line) => {
    const [from, to, current] = [old, ours, theirs].map((counts) => counts.get(line) ?? 0);
    return (
      to !== undefined &&
      from !== undefined &&
      current !== undefined &&
      (to > from ? current < to : to < from && current >= from)
    );
  });
}

/** How often each line occurs; undefined for content that is not text. */
function linesOf(path: string, bytes: Uint8Array): ReadonlyMap<string, number> | undefined {
  const counts = new Map<string, number>();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    for (const line of (isNotebookPath(path) ? sourcesOf(text) : text).split(/\r?\n/)) {
      if (line.trim() !== "") {
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    }
    return counts;
  } catch {
    return undefined;
  }
}

function sourcesOf(notebook: string): string {
  const { cells }: { readonly cells: readonly { readonly source: string | readonly string[] }[] } =
    JSON.parse(notebook);
  return cells.map(({ source }) => [source].flat().join("")).join("\n");
}

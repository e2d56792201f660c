/** A change of a text. Offsets count UTF-16 units. */
export interface PlannedEdit {
  /** Offset in the text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The edits, in their order, that lead from a text to what it is now; undefined if something else changed it, too. The
 * user may have deselected some of them, and the text may have been another one when they were applied.
 */
export function appliedEdits(
  before: string,
  edits: readonly PlannedEdit[],
  after: string,
): readonly PlannedEdit[] | undefined {
  const [first] = edits;
  const head = before.slice(0, first?.start ?? before.length);
  if (!after.startsWith(head)) {
    return undefined;
  }
  // For each offset in the new text that can be reached, which edits lead there: a text may begin like its replacement.
  let reached = new Map<number, Trail | undefined>([[head.length, undefined]]);
  for (const [index, edit] of edits.entries()) {
    const gap = before.slice(edit.end, edits[index + 1]?.start ?? before.length);
    const kept = before.slice(edit.start, edit.end);
    const next = new Map<number, Trail | undefined>();
    for (const [offset, trail] of reached) {
      for (const [text, isApplied] of [[edit.text, true] as const, [kept, false] as const]) {
        const end = offset + text.length + gap.length;
        if (!next.has(end) && after.startsWith(text, offset) && after.startsWith(gap, offset + text.length)) {
          next.set(end, isApplied ? { edit, before: trail } : trail);
        }
      }
    }
    reached = next;
  }
  return reached.has(after.length) ? listOf(reached.get(after.length)) : undefined;
}

/** An applied edit, after those that were applied before it. */
interface Trail {
  readonly edit: PlannedEdit;
  readonly before: Trail | undefined;
}

function listOf(last: Trail | undefined): readonly PlannedEdit[] {
  const list: PlannedEdit[] = [];
  for (let trail = last; trail !== undefined; trail = trail.before) {
    list.push(trail.edit);
  }
  return list.reverse();
}

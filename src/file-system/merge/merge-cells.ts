import { TimeSlices } from "../../api/time-slices.ts";
import { mergeTexts, type SideLabels } from "./merge-text.ts";
import { changesBetween, Numbering } from "./string-diff.ts";
import { combineChanges } from "./three-way-merge.ts";

/** The parts of a notebook cell that a merge needs. */
export interface MergeCell {
  /** The cell's id, if the notebook format has ids. */
  readonly id: string | undefined;
  /** Kind and language. A cell whose kind changed is a different cell. */
  readonly kind: string;
  /** Its lines end with `\n`. */
  readonly source: string;
  /** Strings that are equal if the metadata and the outputs are equal. */
  readonly metadata: string;
  readonly outputs: string;
}

/** The side and cell that a part comes from. */
export interface CellOrigin {
  readonly side: "ours" | "theirs";
  readonly index: number;
}

/**
 * A cell of the result. Each part comes from one side, except for a source that both changed, which is merged line by
 * line.
 */
export interface MergedCell {
  readonly source: string;
  readonly kind: CellOrigin;
  readonly metadata: CellOrigin;
  readonly outputs: CellOrigin;
}

export interface MergedCells {
  readonly cells: readonly MergedCell[];
  /** Number of cells whose source has conflict markers. */
  readonly conflicts: number;
  /** Number of cells that one side deleted and the other changed. They are kept. */
  readonly kept: number;
}

interface Side {
  readonly name: "ours" | "theirs";
  readonly cells: readonly MergeCell[];
  /** A token for each cell, which is the same for the same cell on the other side and in the base. */
  readonly tokens: readonly string[];
  /** The index of each token. */
  readonly indices: ReadonlyMap<string, number>;
}

const baseToken = (index: number): string => `base ${index}`;

/**
 * Merges two notebooks with a common base, cell by cell. Cells are matched by id, then by source, then by position
 * between two matched cells. Nothing is lost: all cells that either side added are kept, ours first, and so is a cell
 * that one side deleted and the other changed. If both changed outputs or metadata, ours are used. Pauses regularly, so
 * other work is not blocked. Rejects with the reason of the signal if it is aborted.
 */
export async function mergeCells(
  base: readonly MergeCell[],
  ours: readonly MergeCell[],
  theirs: readonly MergeCell[],
  labels: SideLabels,
  signal?: AbortSignal,
): Promise<MergedCells> {
  signal?.throwIfAborted();
  const slices = new TimeSlices(signal);
  const mine = sideOf("ours", ours, await tokensOf("ours", base, ours, slices));
  const other = sideOf("theirs", theirs, sharedTokens(mine, theirs, await tokensOf("theirs", base, theirs, slices)));
  const rescuedFor = (side: Side, from: Side): ReadonlySet<string> =>
    new Set(
      base.flatMap((cell, index) => {
        const token = baseToken(index);
        const changed = from.cells[from.indices.get(token) ?? -1];
        return !side.indices.has(token) && changed !== undefined && !isSameCell(changed, cell) ? [token] : [];
      }),
    );
  const rescued = { ours: rescuedFor(mine, other), theirs: rescuedFor(other, mine) };
  const order = await mergeOrder(
    withRescued(mine, base.length, rescued.ours),
    base.map((_, index) => baseToken(index)),
    withRescued(other, base.length, rescued.theirs),
    slices,
  );
  const baseCells = new Map(base.map((cell, index) => [baseToken(index), cell]));
  let conflicts = 0;
  const cells: MergedCell[] = [];
  for (const token of order) {
    const indices = { ours: mine.indices.get(token) ?? -1, theirs: other.indices.get(token) ?? -1 };
    const merged = await mergeCell(baseCells.get(token), ours[indices.ours], theirs[indices.theirs], labels, signal);
    conflicts += merged.conflicts;
    const origin = (side: CellOrigin["side"]): CellOrigin => ({ side, index: indices[side] });
    cells.push({
      source: merged.source,
      kind: origin(merged.kind),
      metadata: origin(merged.metadata),
      outputs: origin(merged.outputs),
    });
    if (slices.isOver(cellSteps)) {
      await slices.pause();
    }
  }
  return { cells, conflicts, kept: rescued.ours.size + rescued.theirs.size };
}

/** About how many steps of a merge a cell takes. */
const cellSteps = 64;

function isSameCell(one: MergeCell, other: MergeCell): boolean {
  return (
    one.source === other.source &&
    one.kind === other.kind &&
    one.metadata === other.metadata &&
    one.outputs === other.outputs
  );
}

function sideOf(name: Side["name"], cells: readonly MergeCell[], tokens: readonly string[]): Side {
  return { name, cells, tokens, indices: firstIndices(tokens) };
}

function firstIndices(keys: readonly string[]): ReadonlyMap<string, number> {
  const indices = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    if (!indices.has(key)) {
      indices.set(key, index);
    }
  }
  return indices;
}

async function tokensOf(
  name: Side["name"],
  base: readonly MergeCell[],
  cells: readonly MergeCell[],
  slices: TimeSlices,
): Promise<readonly string[]> {
  const partners = await partnersIn(base, cells, slices);
  return cells.map((_, index) => {
    const partner = partners.get(index);
    return partner === undefined ? `${name} ${index}` : baseToken(partner);
  });
}

/** The index of the matching base cell for each cell that has one. */
async function partnersIn(
  base: readonly MergeCell[],
  cells: readonly MergeCell[],
  slices: TimeSlices,
): Promise<ReadonlyMap<number, number>> {
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  const pair = (index: number, partner: number): void => {
    partners.set(index, partner);
    taken.add(partner);
  };
  const byId = new Map(base.map(({ id }, index) => [id, index] as const).toReversed());
  for (const [index, { id }] of cells.entries()) {
    const partner = id === undefined ? undefined : byId.get(id);
    if (partner !== undefined && !taken.has(partner)) {
      pair(index, partner);
    }
  }
  const freeBase = [...base.keys()].filter((index) => !taken.has(index));
  const free = [...cells.keys()].filter((index) => !partners.has(index));
  const changes = await changesBetween(
    freeBase.map((index) => cellKey(base[index])),
    free.map((index) => cellKey(cells[index])),
    slices,
  );
  const pairAll = (baseStart: number, start: number, length: number, isEqual: boolean): void => {
    for (let step = 0; step < length; step += 1) {
      const [partner, index] = [freeBase[baseStart + step], free[start + step]];
      if (partner !== undefined && index !== undefined) {
        const hasOtherId = cells[index]?.id !== undefined && base[partner]?.id !== undefined;
        if (base[partner]?.kind === cells[index]?.kind && (isEqual || !hasOtherId)) {
          pair(index, partner);
        }
      }
    }
  };
  let [baseAt, at] = [0, 0];
  for (const { start1, length1, start2, length2 } of changes) {
    pairAll(baseAt, at, start1 - baseAt, true);
    // If the number of cells between two matched cells is unchanged, they are the same cells with changes.
    if (length1 === length2) {
      pairAll(start1, start2, length1, false);
    }
    [baseAt, at] = [start1 + length1, start2 + length2];
  }
  pairAll(baseAt, at, freeBase.length - baseAt, true);
  return partners;
}

const cellKey = (cell: MergeCell | undefined): string => `${cell?.kind}\n${cell?.source}`;

/** The tokens of their cells, with our tokens for cells that both sides added with the same id or content. */
function sharedTokens(mine: Side, cells: readonly MergeCell[], tokens: readonly string[]): readonly string[] {
  const isNew = (token: string | undefined): boolean => token?.startsWith("base ") === false;
  const byId = new Map<string, number[]>();
  const byKey = new Map<string, number[]>();
  const add = (to: Map<string, number[]>, key: string, index: number): void => {
    const list = to.get(key) ?? [];
    list.push(index);
    to.set(key, list);
  };
  for (const [index, cell] of [...mine.cells.entries()].toReversed()) {
    if (isNew(mine.tokens[index])) {
      add(byKey, cellKey(cell), index);
      if (cell.id !== undefined) {
        add(byId, cell.id, index);
      }
    }
  }
  const taken = new Set<number>();
  const first = (indices: number[] = []): number | undefined => {
    while (taken.has(indices.at(-1) ?? -1)) {
      indices.pop();
    }
    return indices.at(-1);
  };
  return tokens.map((token, index) => {
    const cell = cells[index];
    if (!isNew(token) || cell === undefined) {
      return token;
    }
    const sameId = cell.id === undefined ? undefined : first(byId.get(cell.id));
    const sameContent = first(byKey.get(cellKey(cell)));
    const same = Math.min(sameId ?? Number.POSITIVE_INFINITY, sameContent ?? Number.POSITIVE_INFINITY);
    taken.add(same);
    return mine.tokens[same] ?? token;
  });
}

/** Restores cells that this side deleted and the other changed, each after its preceding base cell. */
function withRescued(side: Side, baseLength: number, rescued: ReadonlySet<string>): readonly string[] {
  /** The restored cell after each cell; undefined for the beginning. */
  const following = new Map<string | undefined, string>();
  let before: string | undefined;
  for (let index = 0; index < baseLength; index += 1) {
    const token = baseToken(index);
    if (rescued.has(token)) {
      following.set(before, token);
      before = token;
    } else if (side.indices.has(token)) {
      before = token;
    }
  }
  const result: string[] = [];
  for (const token of [undefined, ...side.tokens]) {
    for (let next: string | undefined = token; ; ) {
      if (next !== undefined) {
        result.push(next);
      }
      next = following.get(next);
      if (next === undefined) {
        break;
      }
    }
  }
  return result;
}

async function mergeOrder(
  ours: readonly string[],
  base: readonly string[],
  theirs: readonly string[],
  slices: TimeSlices,
): Promise<readonly string[]> {
  const numbers = new Numbering();
  const sequences = { base: numbers.all(base), ours: numbers.all(ours), theirs: numbers.all(theirs) };
  const changes = await combineChanges({ ...sequences, tokens: numbers.count }, slices);
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)];
  const order = new Set<string>();
  const add = (tokens: readonly string[], start: number, end: number): void => {
    for (let at = start; at < end; at += 1) {
      const token = tokens[at];
      // If only one side still has a base cell, the other side deleted it.
      if (token !== undefined && (!token.startsWith("base ") || (inOurs.has(token) && inTheirs.has(token)))) {
        order.add(token);
      }
    }
  };
  let at = 0;
  for (const change of changes) {
    add(ours, at, change.ours.start);
    if (change.type !== "theirs") {
      add(ours, change.ours.start, change.ours.end);
    }
    if (change.type !== "ours") {
      add(theirs, change.theirs.start, change.theirs.end);
    }
    at = change.ours.end;
  }
  add(ours, at, ours.length);
  return [...order];
}

interface MergedParts {
  readonly source: string;
  readonly conflicts: number;
  readonly kind: CellOrigin["side"];
  readonly metadata: CellOrigin["side"];
  readonly outputs: CellOrigin["side"];
}

async function mergeCell(
  base: MergeCell | undefined,
  ours: MergeCell | undefined,
  theirs: MergeCell | undefined,
  labels: SideLabels,
  signal: AbortSignal | undefined,
): Promise<MergedParts> {
  if (ours === undefined || theirs === undefined) {
    const side = ours === undefined ? "theirs" : "ours";
    const source = (ours ?? theirs)?.source ?? "";
    return { source, conflicts: 0, kind: side, metadata: side, outputs: side };
  }
  const changedSide = (part: "kind" | "metadata" | "outputs"): CellOrigin["side"] =>
    base !== undefined && ours[part] === base[part] ? "theirs" : "ours";
  const merged =
    theirs.source === ours.source || theirs.source === base?.source
      ? { text: ours.source, conflicts: 0 }
      : ours.source === base?.source
        ? { text: theirs.source, conflicts: 0 }
        : await mergeTexts(base?.source ?? "", ours.source, theirs.source, labels, signal);
  return {
    source: merged.text,
    conflicts: merged.conflicts > 0 ? 1 : 0,
    kind: changedSide("kind"),
    metadata: changedSide("metadata"),
    outputs: changedSide("outputs"),
  };
}

import { diff3Merge, diffComm } from "node-diff3";
import { mergeTexts, type SideLabels } from "./merge-text.ts";

/** The parts of a notebook cell that a merge needs. */
export interface MergeCell {
  /** The cell's id, if the notebook format has ids. */
  readonly id: string | undefined;
  /** Kind and language. A cell whose kind changed is a different cell. */
  readonly kind: string;
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
}

/**
 * Merges two notebooks with a common base, cell by cell. Cells are matched by id, then by source, then by position
 * between two matched cells. Nothing is lost: all cells that either side added are kept, ours first, and so is a cell
 * that one side deleted and the other changed. If both changed outputs or metadata, ours are used.
 * Rejects with the reason of the signal if it is aborted.
 */
export async function mergeCells(
  base: readonly MergeCell[],
  ours: readonly MergeCell[],
  theirs: readonly MergeCell[],
  labels: SideLabels,
  signal?: AbortSignal,
): Promise<MergedCells> {
  const baseTokens = base.map((_, index) => `base ${index}`);
  const mine = sideOf("ours", base, ours);
  const other = sharingTokens(mine, sideOf("theirs", base, theirs));
  const rescuedFor = (side: Side, from: Side): readonly string[] =>
    baseTokens.filter((token, index) => {
      const cell = from.cells[from.tokens.indexOf(token)];
      return !side.tokens.includes(token) && cell !== undefined && !isSameCell(cell, base[index]);
    });
  const rescued = { ours: rescuedFor(mine, other), theirs: rescuedFor(other, mine) };
  const order = mergeOrder(
    withRescued(mine.tokens, baseTokens, rescued.ours),
    baseTokens,
    withRescued(other.tokens, baseTokens, rescued.theirs),
  );
  let conflicts = 0;
  const cells: MergedCell[] = [];
  for (const token of order) {
    const indices = { ours: mine.tokens.indexOf(token), theirs: other.tokens.indexOf(token) };
    const merged = await mergeCell(
      base[baseTokens.indexOf(token)],
      ours[indices.ours],
      theirs[indices.theirs],
      labels,
      signal,
    );
    conflicts += merged.conflicts;
    const origin = (side: CellOrigin["side"]): CellOrigin => ({ side, index: indices[side] });
    cells.push({
      source: merged.source,
      kind: origin(merged.kind),
      metadata: origin(merged.metadata),
      outputs: origin(merged.outputs),
    });
  }
  return { cells, conflicts, kept: rescued.ours.length + rescued.theirs.length };
}

function isSameCell(one: MergeCell, other: MergeCell | undefined): boolean {
  return (
    other !== undefined &&
    one.source === other.source &&
    one.kind === other.kind &&
    one.metadata === other.metadata &&
    one.outputs === other.outputs
  );
}

function sideOf(name: Side["name"], base: readonly MergeCell[], cells: readonly MergeCell[]): Side {
  const partners = partnersIn(base, cells);
  const tokens = cells.map((_, index) => {
    const partner = partners.get(index);
    return partner === undefined ? `${name} ${index}` : `base ${partner}`;
  });
  return { name, cells, tokens };
}

/** The index of the matching base cell for each cell that has one. */
function partnersIn(base: readonly MergeCell[], cells: readonly MergeCell[]): Map<number, number> {
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  const pair = (index: number, partner: number): void => {
    partners.set(index, partner);
    taken.add(partner);
  };
  for (const [index, { id }] of cells.entries()) {
    const partner = id === undefined ? -1 : base.findIndex((cell) => cell.id === id);
    if (partner >= 0 && !taken.has(partner)) {
      pair(index, partner);
    }
  }
  const freeBase = [...base.keys()].filter((index) => !taken.has(index));
  const free = [...cells.keys()].filter((index) => !partners.has(index));
  const keyOf = (cell: MergeCell | undefined): string => `${cell?.kind}\n${cell?.source}`;
  let [baseAt, at] = [0, 0];
  for (const part of diffComm(
    freeBase.map((index) => keyOf(base[index])),
    free.map((index) => keyOf(cells[index])),
  )) {
    const [before, now] = "common" in part ? [part.common, part.common] : [part.buffer1, part.buffer2];
    const baseIndices = freeBase.slice(baseAt, baseAt + before.length);
    const indices = free.slice(at, at + now.length);
    baseAt += before.length;
    at += now.length;
    // If the number of cells between two matched cells is unchanged, they are the same cells with changes.
    if (baseIndices.length === indices.length) {
      for (const [step, index] of indices.entries()) {
        const partner = baseIndices[step];
        const hasOtherId = cells[index]?.id !== undefined && base[partner ?? -1]?.id !== undefined;
        if (partner !== undefined && base[partner]?.kind === cells[index]?.kind && ("common" in part || !hasOtherId)) {
          pair(index, partner);
        }
      }
    }
  }
  return partners;
}

/** Gives cells that both sides added with the same id or content the same token. */
function sharingTokens(mine: Side, other: Side): Side {
  const isNew = (side: Side, index: number): boolean => side.tokens[index]?.startsWith(side.name) === true;
  const taken = new Set<number>();
  const tokens = other.tokens.map((token, index) => {
    const cell = other.cells[index];
    if (!isNew(other, index) || cell === undefined) {
      return token;
    }
    const same = mine.cells.findIndex(
      (one, at) =>
        isNew(mine, at) &&
        !taken.has(at) &&
        ((cell.id !== undefined && one.id === cell.id) || (one.kind === cell.kind && one.source === cell.source)),
    );
    if (same < 0) {
      return token;
    }
    taken.add(same);
    return mine.tokens[same] ?? token;
  });
  return { ...other, tokens };
}

/** Restores cells that this side deleted and the other changed, each after its preceding base cell. */
function withRescued(
  tokens: readonly string[],
  base: readonly string[],
  rescued: readonly string[],
): readonly string[] {
  const result = [...tokens];
  for (const token of rescued) {
    const before = base.slice(0, base.indexOf(token)).findLast((one) => result.includes(one));
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, token);
  }
  return result;
}

function mergeOrder(ours: readonly string[], base: readonly string[], theirs: readonly string[]): readonly string[] {
  const order = new Set<string>();
  const inBoth = (token: string): boolean => ours.includes(token) && theirs.includes(token);
  for (const { ok, conflict } of diff3Merge([...ours], [...base], [...theirs], { excludeFalseConflicts: true })) {
    const all = conflict === undefined ? (ok ?? []) : [...conflict.a, ...conflict.b];
    for (const token of all) {
      // If only one side still has a base cell, the other side deleted it.
      if (!token.startsWith("base ") || inBoth(token)) {
        order.add(token);
      }
    }
  }
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
  const merged = await mergeTexts(base?.source ?? "", ours.source, theirs.source, labels, signal);
  return {
    source: merged.text,
    conflicts: merged.conflicts > 0 ? 1 : 0,
    kind: changedSide("kind"),
    metadata: changedSide("metadata"),
    outputs: changedSide("outputs"),
  };
}

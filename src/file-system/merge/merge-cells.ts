import { diff3Merge, diffComm } from "node-diff3";
import { mergeTexts, type SideLabels } from "./merge-text.ts";

/** A notebook's cell as far as a merge looks at it. */
export interface MergeCell {
  /** The cell's own id, where the notebook's format has them. */
  readonly id: string | undefined;
  /** Kind and language in one: a cell that became another kind is another one in this. */
  readonly kind: string;
  readonly source: string;
  /** Texts that are equal where the metadata, and the outputs, are. */
  readonly metadata: string;
  readonly outputs: string;
}

/** Which cell of which side something is taken from. */
export interface CellOrigin {
  readonly side: "ours" | "theirs";
  readonly index: number;
}

/** One cell of the result: each part of it is of one side; a source that both changed is merged by lines. */
export interface MergedCell {
  readonly source: string;
  readonly kind: CellOrigin;
  readonly metadata: CellOrigin;
  readonly outputs: CellOrigin;
}

export interface MergedCells {
  readonly cells: readonly MergedCell[];
  /** Cells whose source has conflict markers. */
  readonly conflicts: number;
  /** Cells that one side deleted and the other changed: they stay. */
  readonly kept: number;
}

interface Side {
  readonly name: "ours" | "theirs";
  readonly cells: readonly MergeCell[];
  /** For each of them a token: the same one for the same cell on the other side and in the base. */
  readonly tokens: readonly string[];
}

/**
 * Merges two notebooks that came from one, cell by cell. A cell is the same one by its id, else by its source, else by its
 * place between two others. Nothing is lost: cells that both added stand one after the other, ours first; a cell that one
 * deleted and the other changed stays. Outputs and metadata that both changed are ours.
 */
export function mergeCells(
  base: readonly MergeCell[],
  ours: readonly MergeCell[],
  theirs: readonly MergeCell[],
  labels: SideLabels,
): MergedCells {
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
  const cells = order.map((token): MergedCell => {
    const indices = { ours: mine.tokens.indexOf(token), theirs: other.tokens.indexOf(token) };
    const merged = mergeCell(base[baseTokens.indexOf(token)], ours[indices.ours], theirs[indices.theirs], labels);
    conflicts += merged.conflicts;
    const origin = (side: CellOrigin["side"]): CellOrigin => ({ side, index: indices[side] });
    return {
      source: merged.source,
      kind: origin(merged.kind),
      metadata: origin(merged.metadata),
      outputs: origin(merged.outputs),
    };
  });
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

/** For each cell that is one of the base's the index of that one. */
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
    // Between two cells that stayed, as many cells as before: the same ones, changed.
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

/** A cell that both added, by its id or its content, is one cell. */
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

/** Puts cells that this side deleted and the other changed back, each after the base's cell before it. */
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
      // A cell of the base that only one side still has was deleted by the other.
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

function mergeCell(
  base: MergeCell | undefined,
  ours: MergeCell | undefined,
  theirs: MergeCell | undefined,
  labels: SideLabels,
): MergedParts {
  if (ours === undefined || theirs === undefined) {
    const side = ours === undefined ? "theirs" : "ours";
    const source = (ours ?? theirs)?.source ?? "";
    return { source, conflicts: 0, kind: side, metadata: side, outputs: side };
  }
  const changedSide = (part: "kind" | "metadata" | "outputs"): CellOrigin["side"] =>
    base !== undefined && ours[part] === base[part] ? "theirs" : "ours";
  const merged = mergeTexts(base?.source ?? "", ours.source, theirs.source, labels);
  return {
    source: merged.text,
    conflicts: merged.conflicts > 0 ? 1 : 0,
    kind: changedSide("kind"),
    metadata: changedSide("metadata"),
    outputs: changedSide("outputs"),
  };
}

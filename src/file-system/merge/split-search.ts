/** Two ranges of lines that are compared: those of the first file from `from1` to `to1`, and those of the second. */
export interface ComparedRange {
  readonly from1: number;
  readonly to1: number;
  readonly from2: number;
  readonly to2: number;
  /** True if the smallest difference is wanted, at any cost. */
  readonly isMinimal: boolean;
}

/** A position that divides the compared ranges. */
export interface Split {
  readonly at1: number;
  readonly at2: number;
  /** True if the smallest difference of this part takes little time. */
  readonly isMinimalBefore: boolean;
  readonly isMinimalAfter: boolean;
}

/** Number of matching lines in a row that rule out a coincidence. */
const longSnake = 20;
/** Number of edits from which a path with a long snake is good enough. */
const heuristicCost = 256;
/** How much further than its number of edits such a path has to reach. */
const heuristicFactor = 4;
const leastMaxCost = 256;
const beyond = 0x7fff_ffff;

/** A power of two near the square root: 2 to the number of base 4 digits. */
export function roughSquareRoot(value: number): number {
  let root = 1;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 4)) {
    root *= 2;
  }
  return root;
}

/** The furthest positions that the searches from both ends have reached on each diagonal. Reused between searches. */
export class Diagonals {
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Index of diagonal 0. */
  readonly origin: number;
  /** Number of edits from which the best path so far is used. */
  readonly maxCost: number;

  constructor(length1: number, length2: number) {
    const count = length1 + length2 + 3;
    this.forward = new Int32Array(count);
    this.backward = new Int32Array(count);
    this.origin = length2 + 1;
    this.maxCost = Math.max(roughSquareRoot(count), leastMaxCost);
  }
}

/**
 * Searches for a position on a shortest path of edits, from both ends at once, in linear space (Myers, "An O(ND)
 * Difference Algorithm and Its Variations", 4b). Like Git, ends early on a path that reaches far with few edits, or
 * after too many edits.
 */
export class SplitSearch {
  readonly #lines1: Int32Array;
  readonly #lines2: Int32Array;
  readonly #range: ComparedRange;
  readonly #diagonals: Diagonals;
  #cost = 0;
  #forwardMin: number;
  #forwardMax: number;
  #backwardMin: number;
  #backwardMax: number;

  constructor(lines1: Int32Array, lines2: Int32Array, range: ComparedRange, diagonals: Diagonals) {
    this.#lines1 = lines1;
    this.#lines2 = lines2;
    this.#range = range;
    this.#diagonals = diagonals;
    const first = range.from1 - range.from2;
    const last = range.to1 - range.to2;
    [this.#forwardMin, this.#forwardMax] = [first, first];
    [this.#backwardMin, this.#backwardMax] = [last, last];
    diagonals.forward[diagonals.origin + first] = range.from1;
    diagonals.backward[diagonals.origin + last] = range.to1;
  }

  /** Continues the search by one edit from each end. Returns the split when it is found, otherwise undefined. */
  advance(): Split | undefined {
    this.#cost += 1;
    const { from1, to1, from2, to2, isMinimal } = this.#range;
    const { forward, backward, origin, maxCost } = this.#diagonals;
    const [lines1, lines2] = [this.#lines1, this.#lines2];
    const [least, max] = [from1 - to2, to1 - from2];
    const isOdd = ((from1 - from2 - (to1 - to2)) & 1) !== 0;
    let hasLongSnake = false;

    // Diagonals outside of the range are left out, two at a time, because each step uses every other diagonal.
    if (this.#forwardMin > least) {
      this.#forwardMin -= 1;
      forward[origin + this.#forwardMin - 1] = -1;
    } else {
      this.#forwardMin += 1;
    }
    if (this.#forwardMax < max) {
      this.#forwardMax += 1;
      forward[origin + this.#forwardMax + 1] = -1;
    } else {
      this.#forwardMax -= 1;
    }
    const [backwardMin, backwardMax] = [this.#backwardMin, this.#backwardMax];
    const [firstForward, lastForward] = [this.#forwardMax, this.#forwardMin];
    let above = forward[origin + firstForward + 1] as number;
    for (let diagonal = firstForward; diagonal >= lastForward; diagonal -= 2) {
      const at = origin + diagonal;
      const below = forward[at - 1] as number;
      const start = Math.max(below + 1, above);
      above = below;
      const limit = Math.min(to1, to2 + diagonal);
      let at1 = start;
      while (at1 < limit && lines1[at1] === lines2[at1 - diagonal]) {
        at1 += 1;
      }
      if (at1 - start > longSnake) {
        hasLongSnake = true;
      }
      forward[at] = at1;
      if (isOdd && backwardMin <= diagonal && diagonal <= backwardMax && (backward[at] as number) <= at1) {
        return { at1, at2: at1 - diagonal, isMinimalBefore: true, isMinimalAfter: true };
      }
    }

    if (this.#backwardMin > least) {
      this.#backwardMin -= 1;
      backward[origin + this.#backwardMin - 1] = beyond;
    } else {
      this.#backwardMin += 1;
    }
    if (this.#backwardMax < max) {
      this.#backwardMax += 1;
      backward[origin + this.#backwardMax + 1] = beyond;
    } else {
      this.#backwardMax -= 1;
    }
    const [firstBackward, lastBackward] = [this.#backwardMax, this.#backwardMin];
    above = backward[origin + firstBackward + 1] as number;
    for (let diagonal = firstBackward; diagonal >= lastBackward; diagonal -= 2) {
      const at = origin + diagonal;
      const below = backward[at - 1] as number;
      const start = Math.min(below, above - 1);
      above = below;
      const limit = Math.max(from1, from2 + diagonal);
      let at1 = start;
      while (at1 > limit && lines1[at1 - 1] === lines2[at1 - diagonal - 1]) {
        at1 -= 1;
      }
      if (start - at1 > longSnake) {
        hasLongSnake = true;
      }
      backward[at] = at1;
      if (!isOdd && lastForward <= diagonal && diagonal <= firstForward && at1 <= (forward[at] as number)) {
        return { at1, at2: at1 - diagonal, isMinimalBefore: true, isMinimalAfter: true };
      }
    }

    if (isMinimal) {
      return undefined;
    }
    const good = hasLongSnake && this.#cost > heuristicCost ? (this.#farForward() ?? this.#farBackward()) : undefined;
    return good ?? (this.#cost >= maxCost ? this.#furthest() : undefined);
  }

  /** Number of diagonals of the next step. */
  get width(): number {
    return this.#forwardMax - this.#forwardMin + this.#backwardMax - this.#backwardMin + 2;
  }

  /** The forward path that reaches far with few edits, and ends with a long snake. */
  #farForward(): Split | undefined {
    const { from1, to1, from2, to2 } = this.#range;
    const { forward, origin } = this.#diagonals;
    let best = 0;
    let split: Split | undefined;
    for (let diagonal = this.#forwardMax; diagonal >= this.#forwardMin; diagonal -= 2) {
      const at1 = forward[origin + diagonal] ?? 0;
      const at2 = at1 - diagonal;
      const reach = at1 - from1 + (at2 - from2) - Math.abs(diagonal - (from1 - from2));
      if (
        reach > heuristicFactor * this.#cost &&
        reach > best &&
        from1 + longSnake <= at1 &&
        at1 < to1 &&
        from2 + longSnake <= at2 &&
        at2 < to2 &&
        this.#isSnake(at1 - longSnake, at2 - longSnake)
      ) {
        best = reach;
        split = { at1, at2, isMinimalBefore: true, isMinimalAfter: false };
      }
    }
    return split;
  }

  /** The same from the end. */
  #farBackward(): Split | undefined {
    const { from1, to1, from2, to2 } = this.#range;
    const { backward, origin } = this.#diagonals;
    let best = 0;
    let split: Split | undefined;
    for (let diagonal = this.#backwardMax; diagonal >= this.#backwardMin; diagonal -= 2) {
      const at1 = backward[origin + diagonal] ?? 0;
      const at2 = at1 - diagonal;
      const reach = to1 - at1 + (to2 - at2) - Math.abs(diagonal - (to1 - to2));
      if (
        reach > heuristicFactor * this.#cost &&
        reach > best &&
        from1 < at1 &&
        at1 <= to1 - longSnake &&
        from2 < at2 &&
        at2 <= to2 - longSnake &&
        this.#isSnake(at1, at2)
      ) {
        best = reach;
        split = { at1, at2, isMinimalBefore: false, isMinimalAfter: true };
      }
    }
    return split;
  }

  #isSnake(at1: number, at2: number): boolean {
    for (let step = 0; step < longSnake; step += 1) {
      if (this.#lines1[at1 + step] !== this.#lines2[at2 + step]) {
        return false;
      }
    }
    return true;
  }

  /** The position that is furthest from its end, of all paths. */
  #furthest(): Split {
    const { from1, to1, from2, to2 } = this.#range;
    const { forward, backward, origin } = this.#diagonals;
    let furthest = -1;
    let furthest1 = -1;
    for (let diagonal = this.#forwardMax; diagonal >= this.#forwardMin; diagonal -= 2) {
      const at1 = Math.min(forward[origin + diagonal] ?? 0, to1, to2 + diagonal);
      if (furthest < at1 + at1 - diagonal) {
        furthest = at1 + at1 - diagonal;
        furthest1 = at1;
      }
    }
    let nearest = beyond;
    let nearest1 = beyond;
    for (let diagonal = this.#backwardMax; diagonal >= this.#backwardMin; diagonal -= 2) {
      const at1 = Math.max(backward[origin + diagonal] ?? 0, from1, from2 + diagonal);
      if (at1 + at1 - diagonal < nearest) {
        nearest = at1 + at1 - diagonal;
        nearest1 = at1;
      }
    }
    return to1 + to2 - nearest < furthest - (from1 + from2)
      ? { at1: furthest1, at2: furthest - furthest1, isMinimalBefore: true, isMinimalAfter: false }
      : { at1: nearest1, at2: nearest - nearest1, isMinimalBefore: false, isMinimalAfter: true };
  }
}

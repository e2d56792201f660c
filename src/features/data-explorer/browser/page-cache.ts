import type { FrameCell, FramePage } from "../../../api/companion/operations/frames.ts";

/** Rows from `start` to `stop`, and columns from `firstColumn` to `lastColumn`, both without the last. */
export interface Part {
  readonly start: number;
  readonly stop: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

const blockRows = 100;
const blockColumns = 20;
/** Limits of what is kept: 8 million UTF-16 units are 16 MB. */
const maxBlocks = 400;
const maxLength = 8_000_000;

interface Block {
  readonly page: FramePage;
  readonly length: number;
}

/** The cells that were read, in blocks. The blocks that were not used for the longest time are dropped. */
export class PageCache {
  readonly #blocks = new Map<string, Block>();
  #length = 0;

  clear(): void {
    this.#blocks.clear();
    this.#length = 0;
  }

  /** The text of a cell, or the index of what is missing. Undefined if it wasn't read. */
  cell(row: number, column: number): FrameCell | undefined {
    const block = this.#blocks.get(keyOf(row, column));
    return block?.page.cells[column % blockColumns]?.[row % blockRows];
  }

  /** The labels of a row; undefined if none of these columns was read. */
  labels(row: number, column: number): readonly string[] | undefined {
    return this.#blocks.get(keyOf(row, column))?.page.labels[row % blockRows];
  }

  /** The smallest part of whole blocks that has everything missing in the given one. Undefined if nothing is. */
  missing({ start, stop, firstColumn, lastColumn }: Part, rows: number, width: number): Part | undefined {
    let part: Part | undefined;
    for (let row = floor(start, blockRows); row < Math.min(stop, rows); row += blockRows) {
      for (
        let column = floor(firstColumn, blockColumns);
        column < Math.min(lastColumn, width);
        column += blockColumns
      ) {
        const key = keyOf(row, column);
        const block = this.#blocks.get(key);
        if (block !== undefined) {
          // It was used just now.
          this.#blocks.delete(key);
          this.#blocks.set(key, block);
          continue;
        }
        part = {
          start: Math.min(part?.start ?? row, row),
          stop: Math.min(rows, Math.max(part?.stop ?? 0, row + blockRows)),
          firstColumn: Math.min(part?.firstColumn ?? column, column),
          lastColumn: Math.min(width, Math.max(part?.lastColumn ?? 0, column + blockColumns)),
        };
      }
    }
    return part;
  }

  /** Adds a part of whole blocks. */
  add({ start, firstColumn }: Part, page: FramePage): void {
    const rows = page.labels.length;
    for (let row = 0; row < rows; row += blockRows) {
      const labels = page.labels.slice(row, row + blockRows);
      for (let column = 0; column < page.cells.length; column += blockColumns) {
        const cells = page.cells.slice(column, column + blockColumns).map((one) => one.slice(row, row + blockRows));
        this.#put(keyOf(start + row, firstColumn + column), { labels, cells });
      }
    }
  }

  #put(key: string, page: FramePage): void {
    const length = lengthOf(page);
    this.#drop(key);
    this.#blocks.set(key, { page, length });
    this.#length += length;
    for (const oldest of this.#blocks.keys()) {
      if (oldest === key || (this.#blocks.size <= maxBlocks && this.#length <= maxLength)) {
        return;
      }
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#length -= this.#blocks.get(key)?.length ?? 0;
    this.#blocks.delete(key);
  }
}

function keyOf(row: number, column: number): string {
  return `${Math.floor(row / blockRows)},${Math.floor(column / blockColumns)}`;
}

function floor(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

function lengthOf({ labels, cells }: FramePage): number {
  const texts = [...labels.flat(), ...cells.flat()];
  // An object of the engine has a length of its own.
  return texts.reduce<number>((sum, text) => sum + 8 + (typeof text === "string" ? text.length : 0), 0);
}

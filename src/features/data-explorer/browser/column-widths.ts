import type { FrameColumn } from "../../../api/companion/operations/frames.ts";

const minCharacters = 8;
const maxCharacters = 40;
/** Characters beside a column's name, for its marks and its button. */
const markCharacters = 7;
const padding = 18;
export const minColumnWidth = 40;

/** The widths of columns in pixels: by the name and the first texts that are shown, until the user changes one. */
export class ColumnWidths {
  readonly #characterWidth: number;
  #columns: readonly FrameColumn[] = [];
  #widths: number[] = [];
  /** Columns whose texts were seen, or that the user has changed. */
  #settled = new Set<number>();
  #offsets: number[] | undefined;

  constructor(characterWidth: number) {
    this.#characterWidth = characterWidth;
  }

  /** Sets the columns. Those with the same names keep their widths. */
  setColumns(columns: readonly FrameColumn[]): void {
    const isSame = (index: number): boolean => this.#columns[index]?.name === columns[index]?.name;
    this.#widths = columns.map((column, index) =>
      isSame(index)
        ? this.widthOf(index)
        : this.#pixels(Math.max(column.name.length + markCharacters, column.type.length)),
    );
    this.#settled = new Set([...this.#settled].filter(isSame));
    this.#columns = columns;
    this.#offsets = undefined;
  }

  widthOf(column: number): number {
    return this.#widths[column] ?? 0;
  }

  /** The pixels before a column. */
  offsetOf(column: number): number {
    return this.#allOffsets[Math.min(column, this.#widths.length)] ?? 0;
  }

  get total(): number {
    return this.offsetOf(this.#widths.length);
  }

  /** The columns of which a part is between two offsets: from the first, without the last. */
  between(left: number, right: number): { readonly first: number; readonly last: number } {
    const offsets = this.#allOffsets;
    let [low, high] = [0, this.#widths.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offsets[middle + 1] ?? 0) <= left) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    let last = low;
    while (last < this.#widths.length && (offsets[last] ?? 0) < right) {
      last += 1;
    }
    return { first: low, last };
  }

  /** Widens a column for the first texts that are seen of it. Returns whether that changes its width. */
  fit(column: number, texts: readonly string[]): boolean {
    if (this.#settled.has(column)) {
      return false;
    }
    this.#settled.add(column);
    const width = this.#pixels(Math.max(...texts.map(({ length }) => length), 0));
    return width > this.widthOf(column) && this.#change(column, width);
  }

  /** Changes a width as the user wants it. */
  set(column: number, width: number): void {
    this.#settled.add(column);
    this.#change(column, Math.max(minColumnWidth, Math.round(width)));
  }

  #change(column: number, width: number): true {
    this.#widths[column] = width;
    this.#offsets = undefined;
    return true;
  }

  get #allOffsets(): readonly number[] {
    if (this.#offsets === undefined) {
      let sum = 0;
      this.#offsets = [0, ...this.#widths.map((width) => (sum += width))];
    }
    return this.#offsets;
  }

  #pixels(characters: number): number {
    const bounded = Math.max(minCharacters, Math.min(maxCharacters, characters));
    return Math.ceil(bounded * this.#characterWidth) + padding;
  }
}

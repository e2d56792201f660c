/** Browsers draw nothing correctly in an element that is much higher. */
const maxScrollHeight = 8_000_000;

/**
 * The first visible row of a list that may be higher than the browser allows. Its position is that of the rows: in a
 * list that is too high, one pixel of the scroll bar is many rows, but the wheel and the keys still move by single rows.
 */
export class ScrollPosition {
  /** Pixels above the visible part, as if the list had its real height. */
  top = 0;
  #rows = 0;
  #rowHeight = 1;
  #visibleHeight = 0;

  /** Sets the number of rows, and the heights in pixels of a row and of the visible part. Keeps the first visible row. */
  resize(rows: number, rowHeight: number, visibleHeight: number): void {
    const row = this.top / this.#rowHeight;
    this.#rows = rows;
    this.#rowHeight = rowHeight;
    this.#visibleHeight = visibleHeight;
    this.moveTo(row * rowHeight);
  }

  /** The height of the content that the browser scrolls. */
  get scrollHeight(): number {
    return Math.min(this.#height, maxScrollHeight);
  }

  /** True if the scroll bar's pixels are more than one of the list. */
  get isScaled(): boolean {
    return this.#height > maxScrollHeight;
  }

  /** The browser's position for the current one. */
  get scrollTop(): number {
    return this.isScaled ? (this.top / this.#maxTop) * (this.scrollHeight - this.#visibleHeight) : this.top;
  }

  /** Moves to the browser's position. */
  scrollTo(scrollTop: number): void {
    const scale = this.isScaled ? this.#maxTop / (this.scrollHeight - this.#visibleHeight) : 1;
    this.moveTo(scrollTop * scale);
  }

  /** Moves so that this many pixels are above. */
  moveTo(top: number): void {
    this.top = Math.max(0, Math.min(top, this.#maxTop));
  }

  /** Moves as little as needed to show the whole row. */
  reveal(row: number): void {
    const above = row * this.#rowHeight;
    if (above < this.top) {
      this.moveTo(above);
    } else if (above + this.#rowHeight > this.top + this.#visibleHeight) {
      this.moveTo(above + this.#rowHeight - this.#visibleHeight);
    }
  }

  /** The visible rows: from the first, without the last. */
  get range(): { readonly start: number; readonly stop: number } {
    const start = Math.floor(this.top / this.#rowHeight);
    return { start, stop: Math.min(this.#rows, Math.ceil((this.top + this.#visibleHeight) / this.#rowHeight)) };
  }

  get #height(): number {
    return this.#rows * this.#rowHeight;
  }

  get #maxTop(): number {
    return Math.max(0, this.#height - this.#visibleHeight);
  }
}

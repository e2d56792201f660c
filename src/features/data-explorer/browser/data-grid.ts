import { element } from "../../../ui/webview/browser/page.ts";
import type { ExplorerTexts } from "../messages.ts";
import { ColumnWidths } from "./column-widths.ts";
import { activeId, drawCells, headHeight, rowHeight } from "./grid-drawing.ts";
import { type GridContent, type GridEvents, moved, type Place, partBetween } from "./grid-parts.ts";
import { followPointers } from "./grid-pointer.ts";
import type { Part } from "./page-cache.ts";
import { ScrollPosition } from "./scroll-position.ts";

/** Pixels by which a key changes the width of a column. */
const widthStep = 16;

/**
 * A grid of which only the visible cells exist. It has the focus itself, and names the active cell to screen readers.
 * Row -1 has the names of the columns.
 */
export class DataGrid {
  readonly element: HTMLElement;
  readonly #texts: Pick<ExplorerTexts, "title" | "help" | "index">;
  readonly #events: GridEvents;
  readonly #sizer = element("div", { class: "sizer", role: "presentation" });
  readonly #head = element("div", { class: "row head", role: "row" });
  readonly #body = element("div", { class: "body", role: "rowgroup" });
  readonly #view: HTMLElement;
  readonly #position = new ScrollPosition();
  readonly #widths: ColumnWidths;
  #content: GridContent | undefined;
  #active: Place = { row: 0, column: 0 };
  #anchor: Place = { row: 0, column: 0 };
  #labelWidth = 0;
  /** The size in pixels when the cells were drawn. */
  #drawnSize = { width: 0, height: 0 };
  /** The browser's position that the grid has set itself. */
  #ownScrollTop = 0;
  #isDrawing = false;
  /** Whether the active cell stays visible when columns become wider: until the user scrolls. */
  #keepsActive = false;

  constructor(texts: Pick<ExplorerTexts, "title" | "help" | "index">, events: GridEvents) {
    this.#texts = texts;
    this.#events = events;
    const head = element("div", { role: "rowgroup" }, this.#head);
    this.#view = element("div", { class: "view", role: "presentation" }, this.#body, head);
    this.element = element(
      "div",
      {
        class: "grid",
        role: "grid",
        tabindex: "0",
        "aria-label": texts.title,
        "aria-description": texts.help,
        "aria-multiselectable": "true",
      },
      this.#view,
      this.#sizer,
    );
    this.#widths = new ColumnWidths(characterWidth());
    this.element.addEventListener("scroll", () => this.#scrolled());
    this.element.addEventListener("wheel", (event) => this.#turned(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.#pressed(event));
    followPointers(this.element, {
      events,
      placeOf: (event) => this.#placeOf(event),
      moveTo: (place, extendsSelection) => this.#moveActive(place, extendsSelection),
      moveToName: (column) => {
        this.#active = { row: -1, column };
        this.#anchor = this.#active;
        this.draw();
      },
      widthOf: (column) => this.#widths.widthOf(column),
      setWidth: (column, width) => this.#setWidth(column, width),
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** The selected cells. */
  get selection(): Part {
    return partBetween(
      { ...this.#anchor, row: Math.max(0, this.#anchor.row) },
      { ...this.#active, row: Math.max(0, this.#active.row) },
    );
  }

  get active(): Place {
    return this.#active;
  }

  /** The first visible row and column. */
  get first(): Place {
    return {
      row: this.#position.range.start,
      column: this.#widths.between(this.element.scrollLeft, Number.POSITIVE_INFINITY).first,
    };
  }

  /** Shows another content. The position stays as far as possible. */
  show(content: GridContent): void {
    this.#content = content;
    this.#widths.setColumns(content.columns);
    this.#labelWidth = Math.max(68, String(content.rows).length * characterWidth() + 20);
    const inside = ({ row, column }: Place): Place => ({
      row: Math.min(row, content.rows - 1),
      column: Math.max(0, Math.min(column, content.columns.length - 1)),
    });
    this.#active = inside(this.#active);
    this.#anchor = inside(this.#anchor);
    this.element.setAttribute("aria-rowcount", String(content.rows + 1));
    this.element.setAttribute("aria-colcount", String(content.columns.length + 1));
    this.draw();
  }

  /** Moves to a row and a column, as the first visible ones. */
  moveTo({ row, column }: Place): void {
    this.#measure();
    this.#position.moveTo(row * rowHeight);
    this.#active = { row, column };
    this.#anchor = this.#active;
    this.#applyPosition();
    this.element.scrollLeft = this.#widths.offsetOf(column);
    this.draw();
  }

  /** Draws the visible cells soon, once for all changes until then. */
  draw(): void {
    if (!this.#isDrawing) {
      this.#isDrawing = true;
      requestAnimationFrame(() => {
        this.#isDrawing = false;
        this.#draw();
      });
    }
  }

  #measure(): void {
    const rows = this.#content?.rows ?? 0;
    const { clientWidth, clientHeight } = this.element;
    this.#position.resize(rows, rowHeight, Math.max(rowHeight, clientHeight - headHeight));
    this.#sizer.style.height = `${this.#position.scrollHeight + headHeight}px`;
    this.#sizer.style.width = `${this.#labelWidth + this.#widths.total}px`;
    this.#view.style.width = `${clientWidth}px`;
    this.#view.style.height = `${clientHeight}px`;
  }

  #draw(): void {
    const content = this.#content;
    if (content === undefined || this.element.clientHeight === 0) {
      return;
    }
    this.#measure();
    this.#followSize();
    this.#applyPosition();
    const { start, stop } = this.#position.range;
    const left = this.element.scrollLeft;
    const { first, last } = this.#widths.between(left, left + this.element.clientWidth - this.#labelWidth);
    this.#events.onShow({ start, stop, firstColumn: first, lastColumn: last });
    for (let column = first; column < last; column += 1) {
      const texts = [];
      for (let row = start; row < stop; row += 1) {
        const cell = content.cell({ row, column });
        if (cell !== undefined) {
          texts.push(cell.text);
        }
      }
      if (texts.length > 0 && this.#widths.fit(column, texts)) {
        if (this.#keepsActive) {
          this.#revealColumn();
        }
        this.draw();
      }
    }
    this.#fitLabels(content, start, stop, first);
    drawCells(this.#head, this.#body, {
      content,
      active: this.#active,
      selection: this.selection,
      start,
      stop,
      first,
      last,
      top: this.#position.top,
      labelWidth: this.#labelWidth,
      indexText: this.#texts.index,
      place: (column) => ({ left: this.#widths.offsetOf(column) - left, width: this.#widths.widthOf(column) }),
    });
    const isShown = this.#view.querySelector(`#${activeId}`) !== null;
    this.element.toggleAttribute("data-active", isShown);
    if (isShown) {
      this.element.setAttribute("aria-activedescendant", activeId);
    } else {
      this.element.removeAttribute("aria-activedescendant");
    }
  }

  /** Keeps the active cell visible if something else has taken its place, such as a notice above the grid. */
  #followSize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    const isResized = width !== this.#drawnSize.width || height !== this.#drawnSize.height;
    this.#drawnSize = { width, height };
    if (isResized && this.element.hasAttribute("data-active") && this.#active.row >= 0) {
      this.#position.reveal(this.#active.row);
      this.#revealColumn();
    }
  }

  #fitLabels(content: GridContent, start: number, stop: number, column: number): void {
    for (let row = start; row < stop; row += 1) {
      const text = (content.labels(row, column) ?? []).join(" · ");
      const width = Math.ceil(Math.min(30, text.length) * characterWidth()) + 20;
      if (width > this.#labelWidth) {
        this.#labelWidth = width;
        this.draw();
      }
    }
  }

  #applyPosition(): void {
    const { scrollTop } = this.#position;
    if (Math.abs(this.element.scrollTop - scrollTop) >= 1) {
      this.element.scrollTop = scrollTop;
    }
    this.#ownScrollTop = this.element.scrollTop;
  }

  #scrolled(): void {
    // The browser also reports what was set here.
    if (Math.abs(this.element.scrollTop - this.#ownScrollTop) >= 1) {
      this.#keepsActive = false;
      this.#position.scrollTo(this.element.scrollTop);
      this.#ownScrollTop = this.element.scrollTop;
    }
    this.draw();
  }

  #turned(event: WheelEvent): void {
    this.#keepsActive = false;
    if (
      !this.#position.isScaled ||
      event.ctrlKey ||
      event.shiftKey ||
      Math.abs(event.deltaX) > Math.abs(event.deltaY)
    ) {
      return;
    }
    event.preventDefault();
    const unit =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE
        ? rowHeight
        : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
          ? this.element.clientHeight
          : 1;
    this.#position.moveTo(this.#position.top + event.deltaY * unit);
    this.#applyPosition();
    this.draw();
  }

  #pressed(event: KeyboardEvent): void {
    const content = this.#content;
    if (content === undefined) {
      return;
    }
    const { column } = this.#active;
    const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "c";
    const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a";
    if (isCopy) {
      this.#events.onCopy();
    } else if (isAll) {
      this.#anchor = { row: 0, column: 0 };
      this.#active = { row: content.rows - 1, column: content.columns.length - 1 };
      this.draw();
    } else if (event.key === "Enter") {
      this.#enter(event.shiftKey);
    } else if (
      event.key === "ContextMenu" ||
      (event.altKey && event.key === "ArrowDown") ||
      (event.shiftKey && event.key === "F10")
    ) {
      this.#events.onColumn(column);
    } else if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      this.#setWidth(column, this.#widths.widthOf(column) + (event.key === "ArrowLeft" ? -widthStep : widthStep));
    } else {
      const page = Math.max(1, Math.floor((this.element.clientHeight - headHeight) / rowHeight) - 1);
      const next = moved(event, this.#active, { rows: content.rows, width: content.columns.length, page });
      if (next === undefined) {
        return;
      }
      this.#moveActive(next, event.shiftKey);
    }
    event.preventDefault();
  }

  #setWidth(column: number, width: number): void {
    this.#widths.set(column, width);
    this.draw();
  }

  #enter(adds: boolean): void {
    if (this.#active.row === -1) {
      this.#events.onSort(this.#active.column, adds);
    } else {
      this.#events.onCell(this.#active);
    }
  }

  #moveActive(next: Place, extends_: boolean): void {
    this.#active = next;
    if (!extends_) {
      this.#anchor = next;
    }
    if (next.row >= 0) {
      this.#position.reveal(next.row);
      this.#applyPosition();
    }
    this.#keepsActive = true;
    this.#revealColumn();
    this.draw();
  }

  #revealColumn(): void {
    const { column } = this.#active;
    const left = this.#widths.offsetOf(column);
    const right = left + this.#widths.widthOf(column);
    const width = this.element.clientWidth - this.#labelWidth;
    this.#sizer.style.width = `${this.#labelWidth + this.#widths.total}px`;
    if (left < this.element.scrollLeft) {
      this.element.scrollLeft = left;
    } else if (right > this.element.scrollLeft + width) {
      this.element.scrollLeft = Math.min(left, right - width);
    }
  }

  /** The place of a pointer; undefined outside of the cells. */
  #placeOf({ clientX, clientY }: PointerEvent): Place | undefined {
    const bounds = this.element.getBoundingClientRect();
    const x = clientX - bounds.left - this.#labelWidth + this.element.scrollLeft;
    const y = clientY - bounds.top;
    if (
      y > this.element.clientHeight ||
      clientX - bounds.left > this.element.clientWidth ||
      this.#content === undefined
    ) {
      return undefined;
    }
    const { first } = this.#widths.between(x, x + 1);
    const row = y < headHeight ? -1 : Math.floor((y - headHeight + this.#position.top) / rowHeight);
    return x < this.element.scrollLeft || first >= this.#content.columns.length || row >= this.#content.rows
      ? undefined
      : { row, column: first };
  }
}

let knownWidth: number | undefined;

/** The width of a digit in the page's font, in pixels. */
function characterWidth(): number {
  if (knownWidth === undefined) {
    const probe = element("span", { class: "probe" }, "0".repeat(20));
    document.body.append(probe);
    knownWidth = probe.getBoundingClientRect().width / 20 || 7;
    probe.remove();
  }
  return knownWidth;
}

import { element } from "../../../ui/webview/browser/page.ts";
import type { GridContent, Place } from "./grid-parts.ts";
import type { Part } from "./page-cache.ts";

/** Pixels. */
export const rowHeight = 24;
export const headHeight = 44;
/** The id of the active cell. */
export const activeId = "active";

/** What is visible of a grid. */
interface Visible {
  readonly content: GridContent;
  readonly active: Place;
  readonly selection: Part;
  /** The rows, without `stop`, and the columns, without `last`. */
  readonly start: number;
  readonly stop: number;
  readonly first: number;
  readonly last: number;
  /** Pixels that are scrolled away above. */
  readonly top: number;
  /** The width of the rows' labels in pixels. */
  readonly labelWidth: number;
  /** The name of the index, if the frame has none for it. */
  readonly indexText: string;
  /** Where a column is, in pixels after the labels. */
  place(column: number): { readonly left: number; readonly width: number };
}

/** Draws the visible cells. Existing elements are used again. */
export function drawCells(head: HTMLElement, body: HTMLElement, visible: Visible): void {
  drawHead(head, visible);
  const rows = children(body, visible.stop - visible.start, "row", "row");
  for (const [index, row] of rows.entries()) {
    drawRow(row, visible.start + index, visible);
  }
}

function drawHead(head: HTMLElement, visible: Visible): void {
  const { content, first, last, labelWidth, indexText, active } = visible;
  const cells = children(head, last - first + 1, "", "columnheader");
  head.setAttribute("aria-rowindex", "1");
  cells.forEach((cell, index) => {
    if (index === cells.length - 1) {
      // The last one, so that it covers those that are scrolled away.
      put(cell, 0, labelWidth, 1);
      cell.className = "cell label";
      const names = content.indexNames.filter((name) => name !== "").join(" · ");
      setText(cell, names === "" ? indexText : names);
      cell.removeAttribute("id");
      cell.removeAttribute("aria-sort");
      return;
    }
    const column = first + index;
    const described = content.columns[column];
    const { direction, order, isFiltered } = content.marks(column);
    const { left, width } = visible.place(column);
    put(cell, labelWidth + left, width, column + 2);
    cell.className = `cell name ${described?.category ?? ""}`;
    cell.removeAttribute("aria-label");
    cell.setAttribute("aria-sort", direction ?? "none");
    markActive(cell, active.row === -1 && active.column === column);
    const arrow = direction === undefined ? "" : `${direction === "ascending" ? "▲" : "▼"}${order}`;
    const parts = [described?.name ?? "", `${arrow}${isFiltered ? " ⧩" : ""}`, described?.type ?? ""];
    if (cell.dataset.parts !== JSON.stringify(parts)) {
      cell.dataset.parts = JSON.stringify(parts);
      cell.replaceChildren(
        element("span", { class: "title" }, parts[0] ?? ""),
        element("span", { class: "mark" }, parts[1] ?? ""),
        element("span", { class: "type" }, parts[2] ?? ""),
        element("span", { class: "menu", "aria-hidden": "true" }, "⋯"),
        element("span", { class: "resize", "aria-hidden": "true" }),
      );
    }
  });
}

function drawRow(drawn: HTMLElement, row: number, visible: Visible): void {
  const { content, first, last, labelWidth, selection, active } = visible;
  drawn.style.transform = `translateY(${headHeight + row * rowHeight - visible.top}px)`;
  drawn.setAttribute("aria-rowindex", String(row + 2));
  const cells = children(drawn, last - first + 1, "", "gridcell");
  cells.forEach((cell, index) => {
    if (index === cells.length - 1) {
      cell.setAttribute("role", "rowheader");
      cell.className = "cell label";
      put(cell, 0, labelWidth, 1);
      setText(cell, (content.labels(row, first) ?? ["…"]).join(" · "));
      cell.removeAttribute("id");
      cell.removeAttribute("aria-selected");
      return;
    }
    const column = first + index;
    const value = content.cell({ row, column });
    const isSelected =
      row >= selection.start &&
      row < selection.stop &&
      column >= selection.firstColumn &&
      column < selection.lastColumn;
    const { left, width } = visible.place(column);
    cell.setAttribute("role", "gridcell");
    cell.className = `cell ${content.columns[column]?.category ?? ""}${value?.isMissing ? " missing" : ""}${isSelected ? " selected" : ""}`;
    cell.setAttribute("aria-selected", String(isSelected));
    put(cell, labelWidth + left, width, column + 2);
    setText(cell, value?.text ?? "");
    markActive(cell, active.row === row && active.column === column);
  });
}

function markActive(cell: HTMLElement, isActive: boolean): void {
  cell.classList.toggle("active", isActive);
  if (isActive) {
    cell.id = activeId;
  } else {
    cell.removeAttribute("id");
  }
}

/** Makes the parent have this many children, and returns them. */
function children(parent: HTMLElement, count: number, className: string, role: string): readonly HTMLElement[] {
  while (parent.childElementCount > count) {
    parent.lastElementChild?.remove();
  }
  while (parent.childElementCount < count) {
    parent.append(element("div", { class: className, role }));
  }
  return [...parent.children].filter((child) => child instanceof HTMLElement);
}

function put(cell: HTMLElement, left: number, width: number, index: number): void {
  cell.style.transform = `translateX(${left}px)`;
  cell.style.width = `${width}px`;
  cell.setAttribute("aria-colindex", String(index));
}

function setText(cell: HTMLElement, text: string): void {
  delete cell.dataset.parts;
  if (cell.textContent !== text || cell.childElementCount > 0) {
    cell.textContent = text;
  }
}

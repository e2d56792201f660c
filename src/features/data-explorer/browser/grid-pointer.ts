import type { GridEvents, Place } from "./grid-parts.ts";

/** What a pointer does in a grid. */
interface PointerTarget {
  readonly events: GridEvents;
  /** The place of a pointer; undefined outside of the cells. */
  placeOf(event: PointerEvent): Place | undefined;
  /** Makes a place the active one. Extends the selection to it, or begins another one. */
  moveTo(place: Place, extendsSelection: boolean): void;
  /** Makes the name of a column the active place, without scrolling to it. */
  moveToName(column: number): void;
  widthOf(column: number): number;
  setWidth(column: number, width: number): void;
}

/** Lets pointers select cells, sort by columns, and change their widths. */
export function followPointers(element: HTMLElement, target: PointerTarget): void {
  element.addEventListener("pointerdown", (event) => {
    const found = target.placeOf(event);
    if (found === undefined || event.button !== 0) {
      return;
    }
    if (found.row === -1) {
      pressedName(element, target, event, found.column);
      return;
    }
    target.moveTo(found, event.shiftKey);
    follow(element, event, (moving) => {
      const over = target.placeOf(moving);
      if (over !== undefined && over.row >= 0) {
        target.moveTo(over, true);
      }
    });
  });
}

function pressedName(element: HTMLElement, target: PointerTarget, event: PointerEvent, column: number): void {
  const pressed = event.target instanceof Element ? event.target : undefined;
  target.moveToName(column);
  if (pressed?.classList.contains("resize")) {
    event.preventDefault();
    const resized = Number(pressed.closest("[aria-colindex]")?.getAttribute("aria-colindex")) - 2;
    const width = target.widthOf(resized);
    follow(element, event, ({ clientX }) => target.setWidth(resized, width + clientX - event.clientX));
  } else if (pressed?.classList.contains("menu")) {
    target.events.onColumn(column);
  } else {
    target.events.onSort(column, event.shiftKey);
  }
}

/** Calls the function for the pointer's moves until its button is released. */
function follow(element: HTMLElement, { pointerId }: PointerEvent, move: (event: PointerEvent) => void): void {
  const end = new AbortController();
  const { signal } = end;
  element.setPointerCapture(pointerId);
  element.addEventListener("pointermove", move, { signal });
  for (const type of ["pointerup", "pointercancel"] as const) {
    element.addEventListener(type, () => end.abort(), { signal });
  }
}

import type { FrameColumn, FrameFilter, FrameView } from "../../../api/companion/operations/frames.ts";
import { filled } from "../../../ui/webview/browser/page.ts";
import type { ExplorerTexts } from "../messages.ts";
import { button } from "./side-panel.ts";

/** What the chips of a view remove. */
interface ChipActions {
  removeFilter(index: number): void;
  removeSort(column: number): void;
  clear(): void;
}

/** A button for each filter and sorting of a view that removes it, and one for all. */
export function chipsOf(
  { filters, sorting, search }: FrameView,
  columns: readonly FrameColumn[],
  texts: ExplorerTexts,
  { removeFilter, removeSort, clear }: ChipActions,
): readonly HTMLElement[] {
  const nameOf = (column: number): string => columns[column]?.name ?? "";
  const chip = (text: string, remove: () => void, spoken = text): HTMLElement => {
    const made = button(`${text} ✕`, remove);
    made.className = "chip";
    made.setAttribute("aria-label", filled(texts.removeFilter, spoken));
    return made;
  };
  const made = [
    ...filters.map((filter, index) =>
      chip(`${nameOf(filter.column)} ${filterText(filter, texts)}`, () => removeFilter(index)),
    ),
    ...sorting.map(({ column, descending }) =>
      chip(
        `${nameOf(column)} ${descending ? "▼" : "▲"}`,
        () => removeSort(column),
        `${nameOf(column)}: ${descending ? texts.sortDescending : texts.sortAscending}`,
      ),
    ),
  ];
  return [...made, ...(made.length > 0 || search !== "" ? [button(texts.clearView, clear)] : [])];
}

function filterText(filter: FrameFilter, texts: ExplorerTexts): string {
  switch (filter.kind) {
    case "missing":
      return texts.missing;
    case "present":
      return texts.present;
    case "range":
      return `${texts.between} ${filter.low || "…"} – ${filter.high || "…"}`;
    default:
      return `${filter.kind === "equals" ? texts.equals : texts.contains} “${filter.text}”`;
  }
}

import type { PageState, PagesState } from "../seed/pages.ts";
import { ErrorResponse, type PlatformCall } from "./handler.ts";

/** An id as this tenant keeps it: the number that a text writes, else the text itself. */
export type Id = number | string;

/** The page with that id, or of the address; a 404 for none. */
export function pageOf(call: PlatformCall, id: unknown = call.parameters.get("pageId")): PageState {
  const found = call.file.state.pages.pages.find((page) => String(page.id) === String(id));
  if (found === undefined) {
    throw new ErrorResponse(404, `Page ${String(id)} not found`);
  }
  return found;
}

export function idFrom(value: unknown): Id {
  return typeof value === "string" && /^-?\d{1,15}$/.test(value)
    ? Number(value)
    : typeof value === "number"
      ? value
      : String(value);
}

/** The ids of a list; none where a body leaves it out. */
export function idsIn(value: unknown): readonly Id[] {
  return Array.isArray(value) ? value.map(idFrom) : [];
}

export async function changePages(call: PlatformCall, of: (state: PagesState) => Partial<PagesState>): Promise<void> {
  await call.file.change((state) => ({ ...state, pages: { ...state.pages, ...of(state.pages) } }));
}

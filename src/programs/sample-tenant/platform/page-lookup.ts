import type { PageState, PagesState } from "../seed/pages.ts";
import { ErrorResponse, type PlatformCall } from "./handler.ts";

/** An id as this tenant stores it: a number if the string is numeric, otherwise the string. */
export type Id = number | string;

/** The page with this id, by default the id in the path. Throws a 404 if there is none. */
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

/** The ids of a list; none if the body has no list. */
export function idsIn(value: unknown): readonly Id[] {
  return Array.isArray(value) ? value.map(idFrom) : [];
}

export async function changePages(call: PlatformCall, of: (state: PagesState) => Partial<PagesState>): Promise<void> {
  await call.file.change((state) => ({ ...state, pages: { ...state.pages, ...of(state.pages) } }));
}

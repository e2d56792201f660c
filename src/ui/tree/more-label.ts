import type { Translate } from "../format/dates.ts";

/** `Load 50 More (50 of 214)`; without the total where the platform does not tell it. */
export function moreLabel(shown: number, total: number | undefined, page: number, translate: Translate): string {
  if (total === undefined) {
    return translate("Load {0} More ({1} shown)", page, shown);
  }
  return translate("Load {0} More ({1} of {2})", Math.min(page, total - shown), shown, total);
}

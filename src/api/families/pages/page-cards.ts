import * as z from "zod/mini";
import { getCard } from "../../catalogue/operations/instance.ts";
import { getPage, listPageCollections } from "../../catalogue/operations/pages.ts";
import type { PlatformClient } from "../../client/client.ts";
import { inParallel } from "../../content-server/concurrency.ts";

/** A card, with the fields that the platform returned. */
export interface KnownCard {
  readonly id: string;
  readonly title: string | undefined;
  /** The platform's constant, such as `kpi`. */
  readonly type: string | undefined;
}

/** Maximum number of cards that are looked up, with one request each. The rest are shown with their ids. */
const maxLookedUp = 25;

const cardId = z.union([z.number(), z.string()]);
const idsIn = z.looseObject({ cardIds: z.nullish(z.array(cardId)) });
const cardsIn = z.looseObject({ cards: z.nullish(z.array(z.looseObject({ id: cardId }))) });

/**
 * The cards of a page, from the page itself and its collections, because no operation lists them. Empty if the platform
 * returns none.
 */
export async function cardsOfPage(client: PlatformClient, pageId: string): Promise<readonly KnownCard[]> {
  const [page, collections] = await Promise.all([
    client.call(getPage, { id: pageId }).catch(() => undefined),
    client.call(listPageCollections, { pageId }).catch(() => []),
  ]);
  const own = [
    ...(z.safeParse(cardsIn, page).data?.cards ?? []).map(({ id }) => id),
    ...(z.safeParse(idsIn, page).data?.cardIds ?? []),
  ];
  return describedCards(client, [...own, ...collections.flatMap(({ cardIds }) => cardIds ?? [])]);
}

/** The cards with these ids, without duplicates. The first 25 have a title and a type if they can be read. */
export async function describedCards(
  client: PlatformClient,
  ids: readonly (number | string)[],
): Promise<readonly KnownCard[]> {
  const unique = [...new Set(ids.map(String))];
  const described = new Map<string, KnownCard>();
  await inParallel(unique.slice(0, maxLookedUp), async (id) => {
    const card = await client.call(getCard, { id }).catch(() => undefined);
    described.set(id, { id, title: card?.title?.trim() || undefined, type: card?.type || undefined });
  });
  return unique.map((id) => described.get(id) ?? { id, title: undefined, type: undefined });
}

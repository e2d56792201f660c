import * as vscode from "vscode";
import { cardsOfPage, type KnownCard } from "../../api/families/pages/page-cards.ts";
import { cardItem, otherIdItem } from "../../ui/quick-input/card-items.ts";
import { askChoice, askSeveral, askText, type ParsedText, required } from "../../ui/quick-input/questions.ts";
import type { Question } from "../../ui/quick-input/wizard.ts";
import type { ChosenPage } from "./choice.ts";

type PageCards = Pick<ChosenPage, "client" | "id">;

/** Asks for one of a page's cards, or for the id of another card, because no operation lists all cards. */
export function cardQuestion(page: PageCards): Question<object, KnownCard> {
  const known = cardsOfPage(page.client, page.id);
  return async (_, place) => {
    const cards = await known;
    if (cards.length > 0) {
      const response = await askChoice(place, {
        placeholder: vscode.l10n.t("Choose a card"),
        items: [...cards.map(cardItem), otherIdItem()],
      });
      if (response.type === "back") {
        return response;
      }
      if (response.value !== undefined) {
        return { type: "next", value: response.value };
      }
    }
    const typed = await askText(place, {
      prompt: vscode.l10n.t("ID of the card"),
      placeholder: "90210",
      read: required(vscode.l10n.t("A card's ID is required.")),
    });
    return typed.type === "back"
      ? typed
      : { type: "next", value: { id: typed.value, title: undefined, type: undefined } };
  };
}

/** Asks for some of a page's cards; those of `before` are selected. Returns their ids. */
export function cardsQuestion(
  page: PageCards,
  before: readonly (string | number)[],
): Question<object, readonly string[]> {
  const known = cardsOfPage(page.client, page.id);
  let selected = before.map(String);
  return async (_, place) => {
    const cards = await known;
    const missing = selected.filter((id) => !cards.some((card) => card.id === id));
    const all = [...cards, ...missing.map((id) => ({ id, title: undefined, type: undefined }))];
    let others = selected.join(", ");
    let chosen: readonly string[] = [];
    if (all.length > 0) {
      const response = await askSeveral<KnownCard | undefined>(place, {
        placeholder: vscode.l10n.t("Choose its cards, or none"),
        items: [...all.map(cardItem), otherIdItem()],
        initial: all.filter(({ id }) => selected.includes(id)),
        canBeNone: true,
      });
      if (response.type === "back") {
        return response;
      }
      chosen = response.value.flatMap((card) => card?.id ?? []);
      if (!response.value.includes(undefined)) {
        selected = [...chosen];
        return { type: "next", value: selected };
      }
      others = "";
    }
    const typed = await askText(place, {
      prompt:
        chosen.length === 0
          ? vscode.l10n.t("IDs of its cards, separated by commas (optional)")
          : vscode.l10n.t("IDs of more cards, separated by commas (optional)"),
      placeholder: "90210, 90211",
      initial: others,
      read: readCardIds,
    });
    if (typed.type === "back") {
      return typed;
    }
    selected = [...new Set([...chosen, ...typed.value])];
    return { type: "next", value: selected };
  };
}

/** The title of a card, or its id. */
export function cardName({ id, title }: KnownCard): string {
  return title ?? id;
}

function readCardIds(typed: string): ParsedText<readonly string[]> {
  return { valid: true, value: typed.split(/[\s,]+/).filter((id) => id !== "") };
}

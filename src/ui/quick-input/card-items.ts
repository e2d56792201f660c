import * as vscode from "vscode";
import type { KnownCard } from "../../api/families/pages/page-cards.ts";
import { nonBlank, sentenceWords } from "../format/labels.ts";

/** A card as a choice, with its title, type, and id. */
export function cardItem(card: KnownCard): vscode.QuickPickItem & { readonly value: KnownCard } {
  const type = nonBlank(card.type);
  const facts = [...(type === undefined ? [] : [sentenceWords(type, vscode.l10n.t)]), card.id];
  return {
    label: card.title ?? vscode.l10n.t("Card {0}", card.id),
    description: (card.title === undefined ? facts.slice(0, -1) : facts).join(" · "),
    iconPath: new vscode.ThemeIcon("graph"),
    value: card,
  };
}

/** The choice to enter an id that is not in the list. */
export function otherIdItem(): vscode.QuickPickItem & { readonly value: undefined } {
  return { label: vscode.l10n.t("Enter Another ID…"), iconPath: new vscode.ThemeIcon("edit"), value: undefined };
}

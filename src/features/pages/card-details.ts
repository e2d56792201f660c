import * as vscode from "vscode";
import { getCard } from "../../api/catalogue/operations/instance.ts";
import type { DetailSection, DetailsReader, DetailValue } from "../../ui/details/details.ts";
import { codeOf } from "../../ui/details/values.ts";
import { nonBlank, sentenceWords } from "../../ui/format/labels.ts";
import { optionalText, ownerTable } from "./owners.ts";

/** Reads a card for its document. */
export const cardReader: DetailsReader = async ({ client, resource }) => {
  const card = await client.call(getCard, { id: resource.id });
  const type = nonBlank(card.type);
  return {
    kind: vscode.l10n.t("Card"),
    description: card.description ?? undefined,
    lines: [
      [vscode.l10n.t("ID"), codeOf(resource.id)],
      [vscode.l10n.t("Type"), type === undefined ? undefined : sentenceWords(type, vscode.l10n.t)],
    ],
    sections: [ownerTable(card.owners ?? []), datasetTable(resource.tenantId, card.datasources ?? [])],
    raw: card,
  };
};

function datasetTable(
  tenantId: string,
  datasets: readonly { readonly dataSourceId?: unknown; readonly displayType?: unknown }[],
): DetailSection {
  return {
    type: "table",
    title: vscode.l10n.t("Datasets"),
    columns: [vscode.l10n.t("ID"), vscode.l10n.t("Type")],
    rows: datasets.map(({ dataSourceId, displayType }): readonly (DetailValue | undefined)[] => {
      const id = optionalText(dataSourceId);
      const dataset = { type: "dataset", tenantId, id: id ?? "", name: id ?? "" } as const;
      return [id === undefined ? undefined : { type: "resource", resource: dataset }, optionalText(displayType)];
    }),
    empty: vscode.l10n.t("No datasets."),
  };
}

import * as vscode from "vscode";
import type { PageNode } from "../../api/families/pages/page-tree.ts";
import { isRecord } from "../../api/records.ts";
import type { DetailSection } from "../../ui/details/details.ts";
import { codeOf } from "../../ui/details/values.ts";

/** An owner of a page in the hierarchy. */
export interface NodeOwner {
  readonly type: "USER" | "GROUP";
  readonly id: string;
  readonly name: string;
}

/** The owners of a page in the hierarchy; undefined if it doesn't contain any. */
export function ownersOf({ fields }: PageNode): readonly NodeOwner[] | undefined {
  const { owners } = fields;
  if (!Array.isArray(owners)) {
    return undefined;
  }
  return owners.filter(isRecord).flatMap(({ id, type, displayName }): readonly NodeOwner[] => {
    if (typeof id !== "number" && typeof id !== "string") {
      return [];
    }
    const name = typeof displayName === "string" && displayName !== "" ? displayName : String(id);
    return [{ type: type === "GROUP" ? "GROUP" : "USER", id: String(id), name }];
  });
}

/** The owners of a page or a card in its details. */
export function ownerTable(
  owners: readonly { readonly id?: unknown; readonly type?: unknown; readonly displayName?: unknown }[],
): DetailSection {
  return {
    type: "table",
    title: vscode.l10n.t("Owners"),
    columns: [vscode.l10n.t("Name"), vscode.l10n.t("Type"), vscode.l10n.t("ID")],
    rows: owners.map(({ id, type, displayName }) => [
      optionalText(displayName) ?? optionalText(id),
      type === "GROUP" ? vscode.l10n.t("group") : vscode.l10n.t("user"),
      codeOf(optionalText(id) ?? ""),
    ]),
    empty: vscode.l10n.t("No owners."),
  };
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;
}

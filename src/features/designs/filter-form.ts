import * as vscode from "vscode";
import { pickRow, showInput, unlessCanceled } from "../../ui/quick-input/show-input.ts";
import {
  type DesignFilter,
  type DesignPermission,
  designPermissions,
  filterFromText,
  filterText,
} from "./design-filter.ts";

/** The result of the name box. */
interface NameResult {
  readonly search: string;
  /** True if the user also wants to set the other filters. */
  readonly wantsMore: boolean;
}

/** Asks for the filter of the designs: a part of the name and, behind a button, the less common filters. */
export async function askForDesignFilter(before: string): Promise<string> {
  let filter = filterFromText(before);
  for (;;) {
    const { search, wantsMore } = await askForName(filter);
    filter = { ...filter, search };
    const others = wantsMore ? await askForOthers(filter) : filter;
    if (others !== undefined) {
      return filterText(others);
    }
  }
}

function askForName({ search }: DesignFilter): Promise<NameResult> {
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t("Filter App Designs");
  input.prompt = vscode.l10n.t("Leave empty to show all");
  input.placeholder = vscode.l10n.t("Search app designs by name");
  input.value = search;
  input.ignoreFocusOut = true;
  input.buttons = [{ iconPath: new vscode.ThemeIcon("settings"), tooltip: vscode.l10n.t("More Options…") }];
  return showInput<NameResult>(input, ({ finish }) => {
    input.onDidAccept(() => finish({ search: input.value.trim(), wantsMore: false }));
    input.onDidTriggerButton(() => finish({ search: input.value.trim(), wantsMore: true }));
  });
}

/** The filter with other options; undefined if the user goes back to the name. */
async function askForOthers(before: DesignFilter): Promise<DesignFilter | undefined> {
  let filter = before;
  for (;;) {
    const chosen = await pickRow(
      [
        { label: vscode.l10n.t("Apply Filter"), iconPath: new vscode.ThemeIcon("search"), option: "show" },
        { label: vscode.l10n.t("Name"), description: filter.search || vscode.l10n.t("any"), option: "name" },
        { label: vscode.l10n.t("Deleted"), description: deletedText(filter), option: "deleted" },
        { label: vscode.l10n.t("Your Permission"), description: permissionText(filter), option: "permission" },
        { label: vscode.l10n.t("Order"), description: orderText(filter), option: "direction" },
      ] as const,
      { title: vscode.l10n.t("Filter App Designs"), placeHolder: vscode.l10n.t("Choose a filter to change it") },
    );
    switch (chosen.option) {
      case "show":
        return filter;
      case "name":
        return undefined;
      case "deleted":
        filter = { ...filter, deleted: !filter.deleted };
        break;
      case "direction":
        filter = { ...filter, direction: filter.direction === "desc" ? "asc" : "desc" };
        break;
      case "permission":
        filter = { ...filter, withPermission: await askForPermission(filter.withPermission) };
    }
  }
}

async function askForPermission(before: DesignPermission): Promise<DesignPermission> {
  const items = designPermissions.map((withPermission) => ({
    label: permissionText({ withPermission }),
    withPermission,
  }));
  const result = pickRow(items, {
    title: vscode.l10n.t("Filter App Designs"),
    placeHolder: vscode.l10n.t("Show designs for which you have this permission"),
  });
  const chosen = await unlessCanceled(result);
  return chosen?.withPermission ?? before;
}

function deletedText({ deleted }: Pick<DesignFilter, "deleted">): string {
  return deleted ? vscode.l10n.t("deleted designs only") : vscode.l10n.t("deleted designs hidden");
}

function permissionText({ withPermission }: Pick<DesignFilter, "withPermission">): string {
  switch (withPermission) {
    case "ADMIN":
      return vscode.l10n.t("Administer");
    case "WRITE":
      return vscode.l10n.t("Write");
    case "READ":
      return vscode.l10n.t("Read");
  }
}

function orderText({ direction }: Pick<DesignFilter, "direction">): string {
  return direction === "desc" ? vscode.l10n.t("newest update first") : vscode.l10n.t("oldest update first");
}

/** The filter as the view's message. */
export function filterMessage(text: string): string {
  const { search, deleted, withPermission, direction } = filterFromText(text);
  const name =
    search === "" ? vscode.l10n.t("App designs") : vscode.l10n.t('App designs with "{0}" in their name', search);
  return [
    name,
    ...(deleted ? [vscode.l10n.t("deleted")] : []),
    ...(withPermission === "ADMIN" ? [] : [vscode.l10n.t("permission: {0}", permissionText({ withPermission }))]),
    ...(direction === "desc" ? [] : [orderText({ direction })]),
  ].join(" · ");
}

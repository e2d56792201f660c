import * as vscode from "vscode";
import { deleteFilterView, listFilterViews } from "../../api/catalogue/operations/filter-views.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { namedResource } from "../../ui/quick-input/choose-resource.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { type ChosenPage, choosePage, type PageCommandParts } from "./choice.ts";
import type { PagesCommandId } from "./declarations.ts";
import { filterViewUri } from "./documents.ts";
import { filterViewRow, filterViewsKey } from "./rows/filter-view.ts";

/** Commands that show, edit, and delete saved filter views of a page. */
export function filterViewCommands(parts: PageCommandParts) {
  return {
    "platformWorkbench.showFilterView": async (run, argument) => {
      const { view } = await chooseFilterView(parts, run, argument, vscode.l10n.t("Show Filter View"));
      await vscode.commands.executeCommand("platformWorkbench.showDetails", view);
    },
    "platformWorkbench.editFilterView": async (run, argument) => {
      const { view } = await chooseFilterView(parts, run, argument, vscode.l10n.t("Edit Filter View"));
      await vscode.window.showTextDocument(filterViewUri(view), { preview: false });
    },
    "platformWorkbench.deleteFilterView": async (run, argument) => {
      const { page, view } = await chooseFilterView(parts, run, argument, vscode.l10n.t("Delete Filter View"));
      await confirm({
        question: vscode.l10n.t("Delete the filter view {0} of {1}?", view.name, page.name),
        consequence: vscode.l10n.t("It is deleted for everyone who uses it."),
        action: vscode.l10n.t("Delete"),
      });
      await page.client.call(deleteFilterView, { filterViewId: view.id });
      await parts.trees.pages.refreshLists(page.tenantId, filterViewsKey(page.id));
    },
  } satisfies Partial<CommandHandlers<PagesCommandId>>;
}

/** The filter view of the row, or the one that the user picks from the page's. */
async function chooseFilterView(
  parts: PageCommandParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<{ readonly page: ChosenPage; readonly view: PlatformResource }> {
  const page = await choosePage(parts, run, argument, title);
  const named = namedResource(argument);
  if (named?.type === "filterView") {
    return { page, view: named };
  }
  const resource: PlatformResource = { type: "page", tenantId: page.tenantId, id: page.id, name: page.name };
  const items = page.client.call(listFilterViews, { pageId: page.id }).then((views) => {
    const rows = views.flatMap((view, index) =>
      view.analyzerId === null || view.analyzerId === undefined ? [] : [filterViewRow(resource, view, index)],
    );
    if (rows.length === 0) {
      throw new Error(vscode.l10n.t("{0} has no saved filter views.", page.name));
    }
    return rows.map(({ resource: view }) => ({
      label: view.name,
      iconPath: new vscode.ThemeIcon("filter"),
      view,
    }));
  });
  const chosen = await pickItem(items, { title: `${title} · ${page.name}` });
  run.setErrorContext({ tenantId: page.tenantId, entities: [chosen.view] });
  return { page, view: chosen.view };
}

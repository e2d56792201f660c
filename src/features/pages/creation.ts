import * as vscode from "vscode";
import { createPage } from "../../api/catalogue/operations/page-changes.ts";
import { PageHierarchy } from "../../api/families/pages/page-hierarchy.ts";
import { pageIdOnWire, readPageTree } from "../../api/families/pages/pages.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { orOnWebPage } from "../../ui/commands/web-page-offer.ts";
import { currentTenant, namedResource } from "../../ui/quick-input/choose-resource.ts";
import { required, text } from "../../ui/quick-input/questions.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import { type PageCommandParts, pickPlace } from "./choice.ts";
import { hierarchyKey } from "./rows/page.ts";

/** Creates a page below the page of the row, or in a place that the user picks, and selects it in the view. */
export async function createPageByForm(parts: PageCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const named = namedResource(argument);
  const parent = named?.type === "page" ? named : undefined;
  const tenantId = parent?.tenantId ?? currentTenant(parts.registry).id;
  run.setErrorContext({ tenantId, ...(parent === undefined ? {} : { entities: [parent] }) });
  const client = await parts.connections.platform(tenantId);
  const heading = vscode.l10n.t("Create Page");
  const place =
    parent ??
    (await pickPlace(new PageHierarchy(await readPageTree(client)), heading, {
      withTop: true,
      isPossible: () => true,
    }));
  const { title } = await Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Title of the page"),
        placeholder: vscode.l10n.t("Title"),
        read: required(vscode.l10n.t("A title is required.")),
      })),
      (typed) => ({ title: typed }),
    )
    .ask(
      place === "top" ? heading : vscode.l10n.t("Create Page Below {0}", "name" in place ? place.name : place.title),
    );
  const created = await orOnWebPage(
    parts.connections,
    client,
    { type: "page", tenantId, id: place === "top" ? "" : place.id, name: title },
    {
      operations: [createPage],
      work: () =>
        client.call(createPage, {
          body: { title, ...(place === "top" ? {} : { parentPageId: pageIdOnWire(place.id) }) },
        }),
    },
  );
  if (!created.isOnWebPage) {
    await parts.trees.pages.refreshLists(tenantId, hierarchyKey);
    const id = created.value.pageId ?? created.value.id;
    if (id !== null && id !== undefined) {
      await parts.trees.pages.reveal(
        tenantId,
        ...ancestorKeys(new PageHierarchy(await readPageTree(client)), String(id)),
      );
    }
  }
}

/** The keys of the rows on the path to a page, ending with its own. */
function ancestorKeys(hierarchy: PageHierarchy, id: string): readonly string[] {
  const parent = hierarchy.parentOf(id);
  return [...(parent === undefined ? [] : ancestorKeys(hierarchy, parent.id)), `page/${id}`];
}

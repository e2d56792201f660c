import * as vscode from "vscode";
import * as z from "zod/mini";
import type { PageCollection } from "../../api/catalogue/models/pages.ts";
import {
  addPageCollection,
  listPageCollections,
  removePageCollection,
  updatePageCollection,
} from "../../api/catalogue/operations/pages.ts";
import { pageIdOnWire } from "../../api/families/pages/pages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { anyText, required, text } from "../../ui/quick-input/questions.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import { cardsQuestion } from "./card-choice.ts";
import { type ChosenPage, choosePage, type PageCommandParts } from "./choice.ts";
import type { PagesCommandId } from "./declarations.ts";
import { askForMembership, askForMembershipChange, hasMemberships } from "./memberships.ts";
import { collectionName, collectionsKey } from "./rows/collection.ts";
import { hierarchyKey } from "./rows/page.ts";

/** The fields of a collection. */
interface CollectionFields {
  readonly title: string;
  readonly description: string;
  readonly cardIds: readonly (string | number)[];
}

const ofCollection = z.looseObject({ type: z.literal("collection"), resource: z.looseObject({ id: z.string() }) });

/** Commands that add, change, and remove collections of a page. */
export function pageCollectionCommands(parts: PageCommandParts) {
  const refresh = ({ tenantId, id }: ChosenPage): Promise<void> =>
    parts.trees.pages.refreshLists(tenantId, hierarchyKey, collectionsKey(id));
  return {
    "platformWorkbench.addPageCollection": async (run, argument) => {
      const page = await choosePage(parts, run, argument, vscode.l10n.t("Add Page Collection"));
      if (hasMemberships(page)) {
        const body = await askForMembership(page);
        await page.client.call(addPageCollection, { pageId: page.id, body });
        await refresh(page);
        return;
      }
      const heading = vscode.l10n.t("Add Collection to {0}", page.name);
      const fields = await askForFields(page, heading, { title: "", description: "", cardIds: [] });
      await page.client.call(addPageCollection, { pageId: page.id, body: { ...fields } });
      await refresh(page);
    },
    "platformWorkbench.changePageCollection": async (run, argument) => {
      const title = vscode.l10n.t("Change Page Collection");
      const { page, collection, id } = await chooseCollection(parts, run, argument, title);
      if (hasMemberships(page)) {
        const changed = await askForMembershipChange(page, nameOf(collection), collection);
        await page.client.call(updatePageCollection, { pageId: page.id, pageCollectionId: id, body: changed });
        await refresh(page);
        return;
      }
      const fields = await askForFields(page, vscode.l10n.t("Change {0}", nameOf(collection)), {
        title: collection.title ?? "",
        description: collection.description ?? "",
        cardIds: collection.cardIds ?? [],
      });
      // Other fields from the platform stay unchanged.
      const body = { ...collection, ...fields };
      await page.client.call(updatePageCollection, { pageId: page.id, pageCollectionId: id, body });
      await refresh(page);
    },
    "platformWorkbench.removePageCollection": async (run, argument) => {
      const title = vscode.l10n.t("Remove Page Collection");
      const { page, collection, id } = await chooseCollection(parts, run, argument, title);
      await confirm({
        ...(hasMemberships(page)
          ? {
              question: vscode.l10n.t("Remove {0} from the collection {1}?", page.name, nameOf(collection)),
              consequence: vscode.l10n.t("The page and the collection are kept. Only the membership is removed."),
            }
          : {
              question: vscode.l10n.t("Remove the collection {0} from {1}?", nameOf(collection), page.name),
              consequence: vscode.l10n.t("The cards stay on the page but are no longer grouped."),
            }),
        action: vscode.l10n.t("Remove"),
      });
      await page.client.call(removePageCollection, { pageId: page.id, pageCollectionId: id });
      await refresh(page);
    },
  } satisfies Partial<CommandHandlers<PagesCommandId>>;
}

/** The current collection of the row, or the one that the user picks from the page's. */
async function chooseCollection(
  parts: PageCommandParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<{ readonly page: ChosenPage; readonly collection: PageCollection; readonly id: string }> {
  const page = await choosePage(parts, run, argument, title);
  const named = z.safeParse(ofCollection, argument);
  const listed = page.client.call(listPageCollections, { pageId: page.id });
  if (named.success) {
    const { id } = named.data.resource;
    const collection = (await listed).find((one) => String(one.id) === id);
    if (collection === undefined) {
      throw new Error(vscode.l10n.t("The collection no longer exists in {0}. Refresh the Pages view.", page.name));
    }
    return { page, collection, id };
  }
  const items = listed.then((collections) => {
    const known = collections.filter(({ id }) => id !== null && id !== undefined);
    if (known.length === 0) {
      throw new Error(vscode.l10n.t("{0} has no collections yet.", page.name));
    }
    return known.map((collection) => ({
      label: nameOf(collection),
      description: collection.description ?? "",
      iconPath: new vscode.ThemeIcon("library"),
      collection,
    }));
  });
  const chosen = await pickItem(items, { title: `${title} · ${page.name}` });
  const id = String(chosen.collection.id);
  run.setErrorContext({ tenantId: page.tenantId, entities: [{ id, name: nameOf(chosen.collection) }] });
  return { page, collection: chosen.collection, id };
}

function askForFields(page: ChosenPage, heading: string, before: CollectionFields): Promise<CollectionFields> {
  return Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Title of the collection"),
        placeholder: vscode.l10n.t("Title"),
        initial: before.title,
        read: required(vscode.l10n.t("A title is required.")),
      })),
      (title) => ({ title }),
    )
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Description (optional)"),
        placeholder: vscode.l10n.t("Description"),
        initial: before.description,
        read: anyText,
      })),
      (description) => ({ description }),
    )
    .step(cardsQuestion(page, before.cardIds), (ids) => ({ cardIds: ids.map(pageIdOnWire) }))
    .ask(heading);
}

function nameOf(collection: PageCollection): string {
  return collectionName(collection) ?? vscode.l10n.t("Unnamed collection");
}

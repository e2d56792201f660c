import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import { duplicatePage, startPageDuplication } from "../../api/catalogue/operations/pages.ts";
import { PageHierarchy } from "../../api/families/pages/page-hierarchy.ts";
import { pageIdOnWire, readPageTree } from "../../api/families/pages/pages.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { choice, required, text } from "../../ui/quick-input/questions.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { type ChosenPages, choosePages, type PageCommandParts } from "./choice.ts";
import { hierarchyKey } from "./rows/page.ts";

const searchPauseMs = 1000;
const maxSearchMs = 10 * 60_000;

/** The requested copy. */
interface Copy {
  readonly title: string;
  readonly withCards: boolean;
}

/**
 * Duplicates a page as its sibling. The platform creates the copy in the background; progress is shown until it exists.
 */
export async function duplicate(parts: PageCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const chosen = await choosePages(parts, run, argument, [], vscode.l10n.t("Duplicate Page"));
  const [{ node }] = chosen.pages;
  const copy = await askForCopy(chosen, vscode.l10n.t("Duplicate {0}", node.title), node.title);
  const made = await makeCopy(chosen, copy);
  await parts.trees.pages.refreshLists(chosen.tenantId, hierarchyKey);
  if (made === undefined) {
    return;
  }
  await parts.trees.pages.reveal(chosen.tenantId, `page/${made.id}`);
  const show = vscode.l10n.t("Show Details");
  const message = vscode.l10n.t("Copied {0} as {1}.", node.title, made.name);
  if ((await showInformation(message, show)) === show) {
    await vscode.commands.executeCommand("platformWorkbench.showDetails", made);
  }
}

/** Asks for the title, and for whether to copy the cards if the platform supports it. */
function askForCopy({ client }: ChosenPages, heading: string, title: string): Promise<Copy> {
  const isAskedForCards = client.accepts(duplicatePage, "doNotDuplicateCards");
  return Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Title of the copy"),
        placeholder: vscode.l10n.t("Title"),
        initial: vscode.l10n.t("Copy of {0}", title),
        read: required(vscode.l10n.t("A title is required.")),
      })),
      (own) => ({ title: own }),
    )
    .branch(() => (isAskedForCards ? cardSteps() : Steps.from({ withCards: true })), isAskedForCards ? 1 : 0)
    .ask(heading);
}

function cardSteps(): Steps<{ readonly withCards: boolean }> {
  return Steps.from({}).step(
    choice(() => ({
      placeholder: vscode.l10n.t("Choose whether to copy its cards"),
      items: [
        { label: vscode.l10n.t("With Copies of Its Cards"), iconPath: new vscode.ThemeIcon("graph"), value: true },
        { label: vscode.l10n.t("Without Cards"), iconPath: new vscode.ThemeIcon("browser"), value: false },
      ],
    })),
    (withCards) => ({ withCards }),
  );
}

/** The input of the operation. The copy becomes a sibling of the page. */
function inputOf({ pages: [{ node, parent }] }: ChosenPages, { title, withCards }: Copy) {
  const parentPageId = parent?.node.id;
  return {
    pageId: node.id,
    ...(withCards ? {} : { doNotDuplicateCards: true }),
    body: { pageTitle: title, ...(parentPageId === undefined ? {} : { parentPageId: pageIdOnWire(parentPageId) }) },
  };
}

/** The platform responds before the copy exists and without its id. Polls the hierarchy until the copy appears. */
async function makeCopy(chosen: ChosenPages, copy: Copy): Promise<PlatformResource | undefined> {
  const { client, pages } = chosen;
  const [{ node }] = pages;
  await client.call(startPageDuplication, inputOf(chosen, copy));
  const title = vscode.l10n.t("Duplicating {0}", node.title);
  const made = await withCancellableProgress(title, async (signal) => {
    const end = Date.now() + maxSearchMs;
    while (!signal.aborted && Date.now() < end) {
      const found = await findCopy(chosen, copy);
      if (found !== undefined) {
        return found;
      }
      await pause(searchPauseMs, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  });
  if (made === undefined) {
    void showInformation(
      vscode.l10n.t("The platform is still creating {0}. Refresh the Pages view later to see it.", copy.title),
    );
  }
  return made;
}

/** A new sibling of the page with the copy's title. */
async function findCopy(chosen: ChosenPages, copy: Copy): Promise<PlatformResource | undefined> {
  const { client, hierarchy, pages } = chosen;
  const parentId = pages[0].parent?.node.id;
  const now = new PageHierarchy(await readPageTree(client));
  const found = now.places.find(
    ({ node, parent }) =>
      node.title === copy.title && parent?.node.id === parentId && hierarchy.place(node.id) === undefined,
  );
  return found === undefined ? undefined : resourceOf(chosen, found.node.id, copy);
}

function resourceOf({ tenantId }: ChosenPages, id: string, { title }: Copy): PlatformResource {
  return { type: "page", tenantId, id, name: title };
}

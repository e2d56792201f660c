import * as vscode from "vscode";
import { actOnPageCard } from "../../api/catalogue/operations/pages.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { withProgressIn } from "../../ui/commands/progress.ts";
import { documentInEditor } from "../../ui/documents/document-in-editor.ts";
import { parseJsonBody } from "../../ui/documents/json-object.ts";
import { currentTenant, namedResource } from "../../ui/quick-input/choose-resource.ts";
import { text } from "../../ui/quick-input/questions.ts";
import { enterText } from "../../ui/quick-input/show-input.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import { treeCommands } from "../../ui/tree/tree-commands.ts";
import { pageAccessCommands } from "./access.ts";
import { pageChangeCommands } from "./access-changes.ts";
import { analyzerUri, sendable } from "./analyzer-document.ts";
import { cardName, cardQuestion } from "./card-choice.ts";
import { choosePage, type PageCommandParts } from "./choice.ts";
import { pageCollectionCommands } from "./collections.ts";
import type { PagesCommandId } from "./declarations.ts";
import type { PageDocuments } from "./documents.ts";
import { duplicate } from "./duplication.ts";
import { filterViewCommands } from "./filter-views.ts";
import { pageMovingCommands } from "./moving.ts";
import { summaryUri } from "./summary.ts";

/** The page commands of rows and the palette. */
export function pageCommands(
  services: PageCommandParts & { readonly documents: () => Promise<Pick<PageDocuments, "send">> },
): CommandHandlers<PagesCommandId> {
  const { pages } = services.trees;
  const parts = { ...services, connections: withProgressIn(pages, services.connections) };
  return {
    ...treeCommands("Pages", pages),
    ...pageMovingCommands(parts),
    ...pageAccessCommands(parts),
    ...pageCollectionCommands(parts),
    ...filterViewCommands(parts),
    ...pageChangeCommands(parts),
    "platformWorkbench.duplicatePage": (run, argument) => duplicate(parts, run, argument),
    "platformWorkbench.sendCardAction": (run, argument) => sendCardAction(parts, run, argument),
    "platformWorkbench.editAnalyzerSettings": async (run, argument) => {
      const page = await choosePage(parts, run, argument, vscode.l10n.t("Edit Analyzer Settings"));
      await vscode.window.showTextDocument(analyzerUri(page), { preview: false });
    },
    "platformWorkbench.sendPageSettings": async (run, argument) => {
      const document = documentInEditor(argument, "filter-view");
      run.setErrorContext({ tenantId: document.address.tenantId });
      await (await services.documents()).send(document);
    },
    "platformWorkbench.showPageSummary": (run, argument, selection) => showSummary(parts, run, argument, selection),
  };
}

async function sendCardAction(parts: PageCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const page = await choosePage(parts, run, argument, vscode.l10n.t("Send Card Action"));
  const title = vscode.l10n.t("Send Card Action on {0}", page.name);
  const { card, body } = await Steps.from({})
    .step(cardQuestion(page), (chosen) => ({ card: chosen }))
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Body of the action, a JSON object or array. Enter {} for an empty body."),
        placeholder: "{}",
        initial: "{}",
        read: (typed) => {
          const read = parseJsonBody(typed, vscode.l10n.t);
          return read.valid ? read : { valid: false, reason: vscode.l10n.t("Can't send the body: {0}.", read.reason) };
        },
      })),
      (value) => ({ body: value }),
    )
    .ask(title);
  await page.client.call(actOnPageCard, { pageId: page.id, cardId: card.id, body: sendable(body) });
  void showInformation(vscode.l10n.t("Sent the action to card {0} of {1}.", cardName(card), page.name));
}

/**
 * Shows the summary of the pages below the selected ones. From the palette or the view's title, shows all pages that
 * match a text.
 */
async function showSummary(
  { registry, connections }: PageCommandParts,
  run: CommandRun,
  argument: unknown,
  selection: readonly unknown[],
): Promise<void> {
  const rows = selection.length > 0 ? selection : [argument];
  const pages = rows.flatMap((row) => namedResource(row) ?? []).filter(({ type }) => type === "page");
  const tenantId = pages[0]?.tenantId ?? currentTenant(registry).id;
  run.setErrorContext({ tenantId });
  const part = pages.length > 0 ? "" : await askForTitle(connections.tenant(tenantId).label);
  const below = pages.map(({ id }) => id);
  const uri = summaryUri({ tenantId, text: part, below, column: "page", descending: false });
  await vscode.commands.executeCommand("markdown.showPreview", uri);
}

async function askForTitle(tenant: string): Promise<string> {
  const part = await enterText({
    title: `${vscode.l10n.t("Show Page Summary")} · ${tenant}`,
    prompt: vscode.l10n.t("Part of the page title. Leave empty for all pages that you administer."),
  });
  return part.trim();
}

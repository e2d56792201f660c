import * as vscode from "vscode";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { offerWebPage } from "../../ui/commands/web-page-offer.ts";
import type { ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { choosePage } from "./choice.ts";
import type { PagesCommandId } from "./declarations.ts";

/** Page commands that only the web application can do, with a link to the web page. */
export function webOnlyPageCommands(parts: ResourceChoiceParts) {
  const onWebPage =
    (title: () => string, textOf: (name: string) => string) =>
    async (run: CommandRun, argument: unknown): Promise<void> => {
      const { tenantId, id, name } = await choosePage(parts, run, argument, title());
      await offerWebPage(parts.connections, { type: "page", tenantId, id, name }, textOf(name));
    };
  return {
    "platformWorkbench.sharePage": onWebPage(
      () => vscode.l10n.t("Share Page"),
      (name) => vscode.l10n.t("The platform's API can't share pages. Share {0} on its web page.", name),
    ),
    "platformWorkbench.addPageOwners": onWebPage(
      () => vscode.l10n.t("Add Page Owners"),
      (name) => vscode.l10n.t("The platform's API can't add owners to pages. Add them on the web page of {0}.", name),
    ),
    "platformWorkbench.deletePage": onWebPage(
      () => vscode.l10n.t("Delete Page"),
      (name) => vscode.l10n.t("The platform's API can't delete pages. Delete {0} on its web page.", name),
    ),
  } satisfies Partial<CommandHandlers<PagesCommandId>>;
}

import * as vscode from "vscode";
import { isContentPath } from "../../api/catalogue/content-path.ts";
import type { Connections } from "../../tenants/connections.ts";
import { addressOf, uriOf } from "../../tenants/workspace-uri.ts";
import { activeFile } from "../../ui/commands/active-file.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { extensionId, linkedResource } from "../../ui/resources/resource-link.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import type { NavigationCommandId } from "./declarations.ts";
import { goTo } from "./go-to-anything.ts";

/** Links that open a thing of a tenant in any editor that knows the tenant. They never change anything. */
export function linkCommands(parts: { readonly connections: Connections; readonly trees: Trees }) {
  return {
    "platformWorkbench.openLink": async (run, argument) => {
      const link = argument instanceof vscode.Uri ? argument : await askForLink();
      await openLink(parts, run, link);
    },
    "platformWorkbench.copyFileLink": (_, argument) => {
      const { uri } = activeFile(argument);
      const { tenantId, workspaceId, path } = addressOf(uri);
      const query = new URLSearchParams({ tenant: tenantId, workspace: workspaceId, path });
      return vscode.env.clipboard.writeText(`${vscode.env.uriScheme}://${extensionId}/file?${query}`);
    },
  } satisfies Partial<CommandHandlers<NavigationCommandId>>;
}

async function openLink(
  { connections, trees }: { readonly connections: Connections; readonly trees: Pick<Trees, "loaded"> },
  run: CommandRun,
  link: vscode.Uri,
): Promise<void> {
  const resource = linkedResource(link.path, link.query);
  if (resource !== undefined) {
    connections.tenant(resource.tenantId);
    run.setErrorContext({ tenantId: resource.tenantId });
    await goTo(resource, trees);
    return;
  }
  const values = new URLSearchParams(link.query);
  const [tenantId, workspaceId, path] = [values.get("tenant"), values.get("workspace"), values.get("path")];
  if (link.path !== "/file" || tenantId === null || workspaceId === null || path === null || !isContentPath(path)) {
    throw new Error(vscode.l10n.t("This link doesn't point to a platform item: {0}", link.toString(true)));
  }
  connections.tenant(tenantId);
  run.setErrorContext({ tenantId, workspaceId });
  await vscode.commands.executeCommand("vscode.open", uriOf(tenantId, workspaceId, path));
}

async function askForLink(): Promise<vscode.Uri> {
  const isLink = (text: string): boolean => URL.canParse(text) && new URL(text).host === extensionId;
  const clipboard = (await vscode.env.clipboard.readText()).trim();
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t("Open Link"),
    prompt: vscode.l10n.t("Paste a link that was copied with Copy Link"),
    placeHolder: `${vscode.env.uriScheme}://${extensionId}/open?…`,
    value: isLink(clipboard) ? clipboard : "",
    validateInput: (typed) =>
      typed.trim() === "" || isLink(typed.trim()) ? undefined : vscode.l10n.t("This isn't a Platform Workbench link."),
  });
  if (text === undefined || text.trim() === "") {
    throw new vscode.CancellationError();
  }
  return vscode.Uri.parse(text.trim(), true);
}

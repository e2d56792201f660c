import * as vscode from "vscode";
import { isContentPath } from "../../api/catalogue/content-path.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { uriOf } from "../../tenants/workspace-uri.ts";
import { activeFile } from "../../ui/commands/active-file.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { enterText } from "../../ui/quick-input/show-input.ts";
import { extensionId, linkedResource } from "../../ui/resources/resource-link.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import type { NavigationCommandId } from "./declarations.ts";
import { goTo } from "./go-to-anything.ts";
import { type LinkedPage, linkedPage, namedPage } from "./linked-pages.ts";
import { type LinkedFolder, readWindowLink, windowLink, windowPage } from "./window-links.ts";

/** The target of a link: an editor link, a window address, or a web page of a tenant. */
type Link =
  | { readonly type: "editor"; readonly uri: vscode.Uri }
  | { readonly type: "window"; readonly folder: LinkedFolder }
  | { readonly type: "page"; readonly page: LinkedPage };

interface LinkParts {
  readonly registry: Pick<TenantRegistry, "all">;
  readonly connections: Connections;
  readonly trees: Trees;
}

/** Commands for links to resources, which open in any editor that has the tenant. Links never change anything. */
export function linkCommands(parts: LinkParts) {
  return {
    "platformWorkbench.openLink": async (run, argument) => {
      const link =
        argument instanceof vscode.Uri ? ({ type: "editor", uri: argument } as const) : await askForLink(parts);
      switch (link.type) {
        case "editor":
          return openLink(parts, run, link.uri);
        case "window":
          return openFolderLink(parts, run, link.folder);
        case "page":
          return openPageLink(parts, run, link.page);
      }
    },
    "platformWorkbench.copyFileLink": async (_, argument) => {
      const { tenantId, workspaceId, path } = activeFile(argument);
      const page = await windowPage();
      const query = new URLSearchParams({ tenant: tenantId, workspace: workspaceId, path });
      await vscode.env.clipboard.writeText(
        page === undefined
          ? `${vscode.env.uriScheme}://${extensionId}/file?${query}`
          : windowLink(page, { tenantId, workspaceId, name: parts.connections.nameOf(tenantId, workspaceId), path }),
      );
    },
  } satisfies Partial<CommandHandlers<NavigationCommandId>>;
}

async function openLink({ connections, trees }: LinkParts, run: CommandRun, link: vscode.Uri): Promise<void> {
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

/** Opens the workspace or file in the address of another window. */
async function openFolderLink(
  { connections, trees }: LinkParts,
  run: CommandRun,
  { tenantId, workspaceId, file }: LinkedFolder,
): Promise<void> {
  connections.tenant(tenantId);
  run.setErrorContext({ tenantId, workspaceId });
  if (file === undefined) {
    await goTo(
      { type: "workspace", tenantId, id: workspaceId, name: connections.nameOf(tenantId, workspaceId) },
      trees,
    );
  } else {
    await vscode.commands.executeCommand("vscode.open", file);
  }
}

/** Opens the resource of a tenant's web page. */
async function openPageLink({ connections, trees }: LinkParts, run: CommandRun, page: LinkedPage): Promise<void> {
  run.setErrorContext({ tenantId: page.tenantId });
  await goTo(await namedPage(await connections.platform(page.tenantId), page), trees);
}

function readLink({ registry }: LinkParts, text: string): Link | undefined {
  const folder = readWindowLink(text);
  const page = linkedPage(registry.all, text);
  if (folder !== undefined) {
    return { type: "window", folder };
  }
  if (page !== undefined) {
    return { type: "page", page };
  }
  return URL.canParse(text) && new URL(text).host === extensionId
    ? { type: "editor", uri: vscode.Uri.parse(text, true) }
    : undefined;
}

async function askForLink(parts: LinkParts): Promise<Link> {
  const clipboard = (await vscode.env.clipboard.readText()).trim();
  const text = await enterText({
    title: vscode.l10n.t("Open Link"),
    prompt: vscode.l10n.t("Paste a link that was copied with Copy Link"),
    placeHolder: `${vscode.env.uriScheme}://${extensionId}/open?…`,
    value: readLink(parts, clipboard) === undefined ? "" : clipboard,
    validateInput: (typed) =>
      typed.trim() === "" || readLink(parts, typed.trim()) !== undefined
        ? undefined
        : vscode.l10n.t("This isn't a Platform Workbench link."),
  });
  const link = readLink(parts, text.trim());
  if (link === undefined) {
    throw new vscode.CancellationError();
  }
  return link;
}

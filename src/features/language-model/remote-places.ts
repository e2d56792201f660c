import * as vscode from "vscode";
import * as z from "zod/mini";
import { allWorkspaces } from "../../api/families/workspaces.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import { type PlatformResource, resource } from "../../ui/resources/resource.ts";

/** What the tools work with. */
export interface EditorToolParts {
  readonly connections: Connections;
  readonly registry: TenantRegistry;
  /** The selected rows of the views that show. */
  readonly selection: () => readonly unknown[];
}

/** A workspace of a tenant. */
export interface RemotePlace {
  readonly tenantId: string;
  readonly workspaceId: string;
}

const row = z.looseObject({ tenantId: z.string(), workspaceId: z.string() });

/** The workspaces whose rows are selected. */
export function selectedPlaces({ selection }: EditorToolParts): readonly RemotePlace[] {
  return selection().flatMap((node) => {
    const parsed = z.safeParse(row, node);
    return parsed.success ? [{ tenantId: parsed.data.tenantId, workspaceId: parsed.data.workspaceId }] : [];
  });
}

const rowOfResource = z.looseObject({ resource });

/** What the selected rows are about. */
export function selectedResources({ selection }: EditorToolParts): readonly PlatformResource[] {
  return selection().flatMap((node) => {
    const parsed = z.safeParse(rowOfResource, node);
    return parsed.success ? [parsed.data.resource] : [];
  });
}

/** The workspaces that the person works with: open as folders, with open files, selected. Each once. */
export function placesAtHand(parts: EditorToolParts): readonly RemotePlace[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const open = [...folders, ...openRemoteFiles()].filter((uri) => uri.scheme === scheme).map((uri) => addressOf(uri));
  const all = [...open, ...selectedPlaces(parts)].map(({ tenantId, workspaceId }) => ({ tenantId, workspaceId }));
  return all.filter((one, index) => all.findIndex((other) => keyOf(other) === keyOf(one)) === index);
}

/** The workspaces that a name or an id means: of those at hand, else of the current tenant. */
export async function placesNamed(
  parts: EditorToolParts,
  name: string,
  signal: AbortSignal,
): Promise<readonly RemotePlace[]> {
  const wanted = name.toLowerCase();
  const isMeant = ({ tenantId, workspaceId }: RemotePlace): boolean =>
    workspaceId === name || parts.connections.nameOf(tenantId, workspaceId).toLowerCase() === wanted;
  const near = placesAtHand(parts).filter(isMeant);
  const tenant = parts.registry.current;
  if (near.length > 0 || tenant === undefined) {
    return near;
  }
  const found: RemotePlace[] = [];
  const client = await parts.connections.platform(tenant.id);
  for await (const page of allWorkspaces(client, "", { signal })) {
    for (const workspace of page) {
      if (workspace.id === name || workspace.name?.toLowerCase() === wanted) {
        await parts.connections.learn(tenant.id, workspace);
        found.push({ tenantId: tenant.id, workspaceId: workspace.id });
      }
    }
  }
  return found;
}

/** The remote files that have a tab, each once. */
export function openRemoteFiles(): readonly vscode.Uri[] {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    )
    .filter((uri) => uri.scheme === scheme);
  return uris.filter((uri, index) => uris.findIndex((other) => other.toString() === uri.toString()) === index);
}

/** The uri of a remote file that a model names. Throws an Error in words for any other text. */
export function remoteUri(text: string): vscode.Uri {
  const uri = parsedUri(text);
  if (uri === undefined || uri.scheme !== scheme) {
    throw new Error(
      vscode.l10n.t(
        '"{0}" is not the URI of a workspace file. Find the file with platform_find_files.',
        text.slice(0, 200),
      ),
    );
  }
  addressOf(uri);
  return uri;
}

/** `path of workspace`, as a person knows it. */
export function placeText({ connections }: EditorToolParts, uri: vscode.Uri): string {
  const { tenantId, workspaceId, path } = addressOf(uri);
  return vscode.l10n.t("{0} of {1}", path, connections.nameOf(tenantId, workspaceId));
}

function parsedUri(text: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
}

function keyOf({ tenantId, workspaceId }: RemotePlace): string {
  return `${tenantId}/${workspaceId}`;
}

import * as vscode from "vscode";
import * as z from "zod/mini";
import { allWorkspaces } from "../../api/families/workspaces.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import { type PlatformResource, resource } from "../../ui/resources/resource.ts";

/** The parts that the tools need. */
export interface EditorToolParts {
  readonly connections: Connections;
  readonly registry: TenantRegistry;
  /** The selected rows of the visible views. */
  readonly selection: () => readonly unknown[];
}

/** A workspace of a tenant. */
export interface RemotePlace {
  readonly tenantId: string;
  readonly workspaceId: string;
}

const row = z.looseObject({ tenantId: z.string(), workspaceId: z.string() });

/** The workspaces of the selected rows. */
export function selectedPlaces({ selection }: EditorToolParts): readonly RemotePlace[] {
  return selection().flatMap((node) => {
    const parsed = z.safeParse(row, node);
    return parsed.success ? [{ tenantId: parsed.data.tenantId, workspaceId: parsed.data.workspaceId }] : [];
  });
}

const rowOfResource = z.looseObject({ resource });

/** The resources of the selected rows. */
export function selectedResources({ selection }: EditorToolParts): readonly PlatformResource[] {
  return selection().flatMap((node) => {
    const parsed = z.safeParse(rowOfResource, node);
    return parsed.success ? [parsed.data.resource] : [];
  });
}

/** The workspaces that the user is working with, without duplicates: open as folders, with open files, or selected. */
export function placesAtHand(parts: EditorToolParts): readonly RemotePlace[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const open = [...folders, ...openRemoteFiles()].filter((uri) => uri.scheme === scheme).map((uri) => addressOf(uri));
  const all = [...open, ...selectedPlaces(parts)].map(({ tenantId, workspaceId }) => ({ tenantId, workspaceId }));
  return all.filter((one, index) => all.findIndex((other) => placeKey(other) === placeKey(one)) === index);
}

/** The workspaces with a name or id: those that the user is working with, or, if none match, of the current tenant. */
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
        await parts.connections.cacheWorkspace(tenant.id, workspace);
        found.push({ tenantId: tenant.id, workspaceId: workspace.id });
      }
    }
  }
  return found;
}

/** The remote files that are open in tabs, without duplicates. */
export function openRemoteFiles(): readonly vscode.Uri[] {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? [input.uri] : [],
    )
    .filter((uri) => uri.scheme === scheme);
  return uris.filter((uri, index) => uris.findIndex((other) => other.toString() === uri.toString()) === index);
}

/** Parses the URI of a remote file. Throws an Error with a message for the model if it is not one. */
export function remoteUri(text: string): vscode.Uri {
  const uri = parsedUri(text);
  if (uri === undefined || uri.scheme !== scheme) {
    throw new Error(
      vscode.l10n.t(
        '"{0}" isn\'t the URI of a workspace file. Find the file with platform_find_files.',
        text.slice(0, 200),
      ),
    );
  }
  addressOf(uri);
  return uri;
}

/** Describes a file to the user: its path and its workspace. */
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

function placeKey({ tenantId, workspaceId }: RemotePlace): string {
  return `${tenantId}/${workspaceId}`;
}

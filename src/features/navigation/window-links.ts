import * as vscode from "vscode";
import { addressOf, scheme, uriOf } from "../../tenants/workspace-uri.ts";
import { documentScheme } from "../../ui/documents/document-address.ts";
import { workspaceFileDocument, workspaceOfDocument } from "../../ui/documents/workspace-file-address.ts";
import { extensionId } from "../../ui/resources/resource-link.ts";

/** Maximum length of an address, in characters. */
const maxAddressLength = 20_000;

/** A workspace, and optionally one of its files, in the address of a browser window. */
export interface LinkedFolder {
  readonly tenantId: string;
  readonly workspaceId: string;
  /** Undefined if the address has only the workspace. */
  readonly file: vscode.Uri | undefined;
}

/**
 * The base address of the editor server's windows. Undefined in a desktop editor, and for servers with other addresses.
 */
export async function windowPage(): Promise<URL | undefined> {
  if (vscode.env.uiKind !== vscode.UIKind.Web) {
    return undefined;
  }
  // The callback address itself can't be a link, because it works only once, in this window.
  const callback = await vscode.env.asExternalUri(vscode.Uri.parse(`${vscode.env.uriScheme}://${extensionId}`));
  return pageOfCallback(callback.toString(true));
}

/** The server's own part of a callback address, `…/stable-<commit>/callback?…`. */
export function pageOfCallback(callback: string): URL | undefined {
  if (!/^https?:/.test(callback) || !URL.canParse(callback)) {
    return undefined;
  }
  const { origin, pathname } = new URL(callback);
  const segments = pathname.split("/");
  const [build = "", route] = segments.slice(-2);
  return route === "callback" && /^[a-z]+-[\da-f]{40}$/.test(build)
    ? new URL(`${segments.slice(0, -2).join("/")}/`, origin)
    : undefined;
}

/** A workspace, and optionally the path of one of its files. */
interface LinkTarget {
  readonly tenantId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly path?: string;
}

/**
 * The address of a window that opens a workspace's folder, and optionally a file. Contains no secret. The address has
 * the workspace file, like that of a window that the extension opens, because a window with only the folder has no name.
 */
export function windowLink(page: URL, { tenantId, workspaceId, name, path }: LinkTarget): string {
  const address = new URL(page);
  address.searchParams.set("workspace", workspaceFileDocument({ tenantId, workspaceId, name }).toString());
  if (path !== undefined) {
    const file = uriOf(tenantId, workspaceId, path).toString();
    address.searchParams.set("payload", JSON.stringify([["openFile", file]]));
  }
  return address.href;
}

/** Parses the address of a window on a workspace, by its workspace file or its folder; undefined for any other text. */
export function readWindowLink(text: string): LinkedFolder | undefined {
  if (text.length > maxAddressLength || !/^https?:/.test(text) || !URL.canParse(text)) {
    return undefined;
  }
  const { searchParams } = new URL(text);
  const folder = ofWorkspaceFile(searchParams.get("workspace")) ?? ofWorkspace(searchParams.get("folder"));
  if (folder === undefined) {
    return undefined;
  }
  const { tenantId, workspaceId } = addressOf(folder);
  const file = ofWorkspace(fileIn(searchParams.get("payload")));
  return { tenantId, workspaceId, file: file?.authority === folder.authority ? file : undefined };
}

function ofWorkspace(text: string | undefined | null): vscode.Uri | undefined {
  if (text === undefined || text === null || !text.startsWith(`${scheme}:`)) {
    return undefined;
  }
  try {
    const uri = vscode.Uri.parse(text, true);
    const { tenantId, workspaceId, path } = addressOf(uri);
    return uriOf(tenantId, workspaceId, path);
  } catch {
    return undefined;
  }
}

function ofWorkspaceFile(text: string | null): vscode.Uri | undefined {
  if (text === null || !text.startsWith(`${documentScheme}:`)) {
    return undefined;
  }
  try {
    const workspace = workspaceOfDocument(vscode.Uri.parse(text, true));
    return workspace === undefined ? undefined : uriOf(workspace.tenantId, workspace.workspaceId);
  } catch {
    return undefined;
  }
}

/** The file in the payload of a window, which is a list of pairs. */
function fileIn(payload: string | null): string | undefined {
  let pairs: unknown;
  try {
    pairs = JSON.parse(payload ?? "");
  } catch {
    return undefined;
  }
  const pair: unknown = Array.isArray(pairs)
    ? pairs.find((one: unknown) => Array.isArray(one) && one[0] === "openFile")
    : undefined;
  return Array.isArray(pair) && typeof pair[1] === "string" ? pair[1] : undefined;
}

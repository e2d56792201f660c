import type { Workspace } from "../catalogue/models/workspaces.ts";
import { getNamespace, getWorkspace } from "../catalogue/operations/workspace-reading.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { isConfidential } from "../http/credentials.ts";
import { phrase, type Text } from "../phrase.ts";
import { withoutEnding } from "../text.ts";
import { reportsInstances, shortIdOf, stateOf } from "./workspaces.ts";

/**
 * Overrides the location that a running instance reports. `{namespace}`, `{workspace_short_id}`, and `{workspace_id}`
 * are replaced.
 */
export interface ContentServerOverrides {
  /** Origin of the content servers, such as `https://notebooks.example.com`. */
  readonly origin?: string;
  /** Path prefix, such as `/user/{namespace}/{workspace_short_id}/`. */
  readonly prefix?: string;
}

/** The location of a workspace's content server. */
export type ContentServerLocation =
  | { readonly type: "found"; readonly base: URL }
  | { readonly type: "notRunning" }
  | { readonly type: "unknown"; readonly reason: Text };

const defaultPrefix = "/user/{namespace}/{workspace_short_id}/";

/**
 * Finds a workspace's content server from its running instance: the `next=` address within the instance's address. The
 * tenant's overrides take precedence. The namespace is requested only if a prefix needs it. If the platform doesn't
 * report instances, the location comes from the overrides alone, and whether the workspace runs is unknown.
 */
export async function findContentServer(
  client: PlatformClient,
  workspace: Workspace,
  overrides: ContentServerOverrides = {},
  options: CallOptions = {},
): Promise<ContentServerLocation> {
  const state = stateOf(workspace);
  if (state.state !== "running" && reportsInstances(workspace)) {
    return { type: "notRunning" };
  }
  const reported = state.state === "running" ? addressWithin(state.instance.url ?? undefined) : undefined;
  const origin = overrides.origin ?? reported?.origin;
  if (origin === undefined || !URL.canParse(origin)) {
    return {
      type: "unknown",
      reason: reportsInstances(workspace)
        ? phrase`its running instance reports no address, and contentServer.origin isn't set for the tenant`
        : phrase`the platform reports no address, and contentServer.origin isn't set for the tenant`,
    };
  }
  const template = overrides.prefix ?? reported?.prefix ?? defaultPrefix;
  const namespace = template.includes("{namespace}") ? (await client.call(getNamespace, {}, options)).name : "";
  const prefix = template
    .replaceAll("{namespace}", hubName(namespace))
    .replaceAll("{workspace_short_id}", encodeURIComponent(shortIdOf(workspace.id)))
    .replaceAll("{workspace_id}", encodeURIComponent(workspace.id));
  const base = new URL("/", origin);
  base.pathname = `${withoutEnding(prefix, "/")}/`;
  if (!isConfidential(base)) {
    return {
      type: "unknown",
      reason: phrase`its address ${base.origin} doesn't use https, so the token can't be sent securely`,
    };
  }
  const isChosen = overrides.origin !== undefined;
  if (!isChosen && base.protocol === "http:" && client.base.protocol === "https:") {
    return {
      type: "unknown",
      reason: phrase`the platform names ${base.origin}, a server on this computer. If that's right, set contentServer.origin to this address for the tenant`,
    };
  }
  return { type: "found", base };
}

/** Encodes a name as JupyterHub does: like Python's `quote`, and `@` stays. */
function hubName(name: string): string {
  return encodeURIComponent(name)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%40", "@");
}

/** Reads the workspace and finds its content server: the description's auth-token helper without the token. */
export async function readContentServer(
  client: PlatformClient,
  workspaceId: string,
  overrides: ContentServerOverrides = {},
  options: CallOptions = {},
): Promise<{ readonly workspace: Workspace; readonly location: ContentServerLocation }> {
  const workspace = await client.call(getWorkspace, { workspaceId }, options);
  return { workspace, location: await findContentServer(client, workspace, overrides, options) };
}

function addressWithin(url: string | undefined): { readonly origin: string; readonly prefix?: string } | undefined {
  if (url === undefined || !URL.canParse(url)) {
    return undefined;
  }
  const outer = new URL(url);
  const next = nextOf(outer);
  const inner = next === null ? undefined : URL.canParse(next, outer.href) ? new URL(next, outer) : undefined;
  const user = /^(\/.*?)??\/user\/[^/]+\/[^/]+/.exec(inner?.pathname ?? outer.pathname);
  return { origin: (inner ?? outer).origin, ...(user === null ? {} : { prefix: `${user[0]}/` }) };
}

/**
 * The `next` parameter with the spelling of its names, which a hub compares exactly. Servers encode it once, twice, or
 * not at all; Python's `quote` leaves slashes.
 */
function nextOf({ search }: URL): string | null {
  const raw = /[?&]next=([^&]*)/.exec(search)?.[1];
  if (raw === undefined) {
    return null;
  }
  const once = isEncoded(raw) || /%25[\da-f]{2}/i.test(raw) ? decodedOnce(raw.replaceAll("+", "%20")) : raw;
  return isEncoded(once) ? decodedOnce(once) : once;
}

function isEncoded(address: string): boolean {
  return /^(?:https?%(?:25)?3a|%(?:25)?2f)/i.test(address);
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import type { InstanceType, Workspace, WorkspaceInstance } from "../catalogue/models/workspaces.ts";
import { getNamespace, getWorkspace, searchWorkspaces, startInstance } from "../catalogue/operations/workspaces.ts";
import type { CallOptions, Client } from "../client/client.ts";
import { isOfUnknownOutcome } from "../http/errors.ts";

export type PlatformClient = Client<"platform">;

/** A workspace's life as its instances tell it. */
export type WorkspaceState =
  | { readonly state: "stopped" }
  | { readonly state: "starting"; readonly instance: WorkspaceInstance }
  | { readonly state: "running"; readonly instance: WorkspaceInstance };

/** Stopped without an instance, running with one in RUNNING, starting with any other. */
export function stateOf(workspace: Workspace): WorkspaceState {
  const instances = workspace.instances ?? [];
  const running = instances.find((instance) => (instance.status ?? "RUNNING") === "RUNNING");
  const first = running ?? instances[0];
  if (first === undefined) {
    return { state: "stopped" };
  }
  return { state: running === undefined ? "starting" : "running", instance: first };
}

/** The kernel code under either spelling, as `PYTHON_3_12`. */
export function kernelOf(workspace: Workspace): string | undefined {
  return workspace.notebookKernel ?? workspace.jupyterKernel ?? undefined;
}

/**
 * `<cpu> CPU / <memory> GB` (API description, 2.5). Absent when either is missing and, given a list of instance types,
 * unless one of them has equal cpu and memory.
 */
export function computeTierLabel(workspace: Workspace, instanceTypes?: readonly InstanceType[]): string | undefined {
  const { cpu, memory } = workspace;
  if (cpu === undefined || cpu === null || memory === undefined || memory === null) {
    return undefined;
  }
  const isOffered = instanceTypes?.some((type) => type.cpu === cpu && type.memory === memory) ?? true;
  return isOffered ? `${cpu} CPU / ${memory} GB` : undefined;
}

/** `3.12` for `PYTHON_3_12` (API description, 2.5); absent for another kernel or none. */
export function pythonVersion(kernel: string | undefined): string | undefined {
  const [language, ...version] = kernel?.split("_") ?? [];
  const joined = version.join(".");
  return language === "PYTHON" && joined !== "" ? joined : undefined;
}

/** The kernel in words: `Python 3.12`, `R 4.1`, or the bare code. */
export function kernelLabel(kernel: string | undefined): string | undefined {
  const python = pythonVersion(kernel);
  if (python !== undefined) {
    return `Python ${python}`;
  }
  const [language, ...version] = kernel?.split("_") ?? [];
  return language === "R" ? ["R", version.join(".")].filter(Boolean).join(" ") : kernel;
}

/**
 * All workspaces whose name contains the text, a page at a time; one that two pages name comes once. Ends on a page that
 * is short or brings nothing new.
 */
export async function* allWorkspaces(
  client: PlatformClient,
  name = "",
  options: CallOptions = {},
): AsyncGenerator<readonly Workspace[]> {
  const limit = 50;
  const seen = new Set<string>();
  for (let offset = 0; ; offset += limit) {
    const searchFieldMap: Record<string, string> = name === "" ? {} : { NAME: name };
    const page = await client.call(searchWorkspaces, { body: { limit, offset, searchFieldMap } }, options);
    const fresh = page.workspaces.filter((workspace) => !seen.has(workspace.id));
    for (const workspace of fresh) {
      seen.add(workspace.id);
    }
    yield fresh;
    if (page.workspaces.length < limit || fresh.length === 0) {
      return;
    }
  }
}

/** How a start ended (API description, 7): `starting` is the description's unsuccessful result, not an error. */
export type StartOutcome =
  | { readonly outcome: "started"; readonly text: "workspace started" }
  | { readonly outcome: "starting"; readonly status: 500; readonly text: string };

/**
 * Starts an instance (API description, 4.1). Throws a workspace error when the platform refuses; a fault on the way,
 * after which nobody knows whether it starts, is the outcome `starting`.
 */
export async function startWorkspace(
  client: PlatformClient,
  workspaceId: string,
  options: CallOptions = {},
): Promise<StartOutcome> {
  try {
    await client.call(startInstance, { workspaceId }, options);
    return { outcome: "started", text: "workspace started" };
  } catch (error) {
    if (!isOfUnknownOutcome(error)) {
      throw error;
    }
    return { outcome: "starting", status: 500, text: "The workspace is starting." };
  }
}

/** The first eight characters of a workspace's id: its short id. */
export function shortIdOf(workspaceId: string): string {
  return workspaceId.slice(0, 8);
}

/** Replacements for what a running instance tells; `{namespace}`, `{workspace_short_id}`, `{workspace_id}` are filled in. */
export interface ContentServerOverrides {
  /** Origin of the content servers, as `https://notebooks.example.com`. */
  readonly origin?: string;
  /** Path prefix, as `/user/{namespace}/{workspace_short_id}/`. */
  readonly prefix?: string;
}

/** Where a workspace's content server is. */
export type ContentServerLocation =
  | { readonly type: "found"; readonly base: URL }
  | { readonly type: "notRunning" }
  | { readonly type: "unknown"; readonly reason: string };

const defaultPrefix = "/user/{namespace}/{workspace_short_id}/";

/**
 * Finds a workspace's content server from its running instance: the `next=` address within the instance's own. The
 * tenant's overrides win; the namespace is asked for only where a prefix needs it.
 */
export async function findContentServer(
  client: PlatformClient,
  workspace: Workspace,
  overrides: ContentServerOverrides = {},
  options: CallOptions = {},
): Promise<ContentServerLocation> {
  const state = stateOf(workspace);
  if (state.state !== "running") {
    return { type: "notRunning" };
  }
  const told = addressWithin(state.instance.url ?? undefined);
  const origin = overrides.origin ?? told?.origin;
  if (origin === undefined || !URL.canParse(origin)) {
    return { type: "unknown", reason: "its running instance names no address" };
  }
  const template = overrides.prefix ?? told?.prefix ?? defaultPrefix;
  const namespace = template.includes("{namespace}") ? (await client.call(getNamespace, {}, options)).name : "";
  const prefix = template
    .replaceAll("{namespace}", encodeURIComponent(namespace))
    .replaceAll("{workspace_short_id}", encodeURIComponent(shortIdOf(workspace.id)))
    .replaceAll("{workspace_id}", encodeURIComponent(workspace.id));
  const base = new URL("/", origin);
  base.pathname = `${prefix.replace(/\/*$/, "")}/`;
  return isConfidential(base)
    ? { type: "found", base }
    : { type: "unknown", reason: `its address ${base.origin} is not https, and a token is sent there only in secret` };
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

/** True for https, and for http to this machine alone. */
export function isConfidential(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function addressWithin(url: string | undefined): { readonly origin: string; readonly prefix?: string } | undefined {
  if (url === undefined || !URL.canParse(url)) {
    return undefined;
  }
  const outer = new URL(url);
  const given = outer.searchParams.get("next");
  const next = given !== null && /^(?:https?%3a|%2f)/i.test(given) ? decodedOnce(given) : given;
  const inner = next === null ? undefined : URL.canParse(next, outer.href) ? new URL(next, outer) : undefined;
  const user = /^(\/.*?)??\/user\/[^/]+\/[^/]+/.exec(inner?.pathname ?? outer.pathname);
  return { origin: (inner ?? outer).origin, ...(user === null ? {} : { prefix: `${user[0]}/` }) };
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

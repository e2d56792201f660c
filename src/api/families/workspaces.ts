import type { InstanceType, Workspace, WorkspaceInstance } from "../catalogue/models/workspaces.ts";
import { searchWorkspaces } from "../catalogue/operations/workspace-reading.ts";
import type { Page } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { pageWithin } from "./wrapped-list.ts";

/** The state of a workspace, derived from its instances. */
export type WorkspaceState =
  | { readonly state: "stopped" }
  | { readonly state: "starting"; readonly instance: WorkspaceInstance }
  | { readonly state: "running"; readonly instance: WorkspaceInstance };

/** `stopped` without an instance, `running` with an instance in RUNNING, otherwise `starting`. */
export function stateOf(workspace: Workspace): WorkspaceState {
  const instances = workspace.instances ?? [];
  const running = instances.find((instance) => (instance.status ?? "RUNNING") === "RUNNING");
  const first = running ?? instances[0];
  if (first === undefined) {
    return { state: "stopped" };
  }
  return { state: running === undefined ? "starting" : "running", instance: first };
}

/**
 * False if the platform doesn't report whether the workspace runs. The API description (2.5) alone doesn't include it.
 */
export function reportsInstances(workspace: Workspace): boolean {
  return workspace.instances !== undefined && workspace.instances !== null;
}

/** The kernel code under either of its names, such as `PYTHON_3_12`. */
export function kernelOf(workspace: Workspace): string | undefined {
  return workspace.notebookKernel ?? workspace.jupyterKernel ?? undefined;
}

/**
 * `<cpu> CPU / <memory> GB` (API description, 2.5). Undefined if either is missing, or if a list of instance types is
 * given and none has the same CPU and memory.
 */
export function computeTierLabel(workspace: Workspace, instanceTypes?: readonly InstanceType[]): string | undefined {
  const { cpu, memory } = workspace;
  if (cpu === undefined || cpu === null || memory === undefined || memory === null) {
    return undefined;
  }
  const isOffered = instanceTypes?.some((type) => type.cpu === cpu && type.memory === memory) ?? true;
  return isOffered ? `${cpu} CPU / ${memory} GB` : undefined;
}

/** `3.12` for `PYTHON_3_12` (API description, 2.5); undefined for other kernels and for none. */
export function pythonVersion(kernel: string | undefined): string | undefined {
  const [language, ...version] = kernel?.split("_") ?? [];
  const joined = version.join(".");
  return language === "PYTHON" && joined !== "" ? joined : undefined;
}

/** The kernel's label: `Python 3.12`, `R 4.1`, or the bare code. */
export function kernelLabel(kernel: string | undefined): string | undefined {
  const python = pythonVersion(kernel);
  if (python !== undefined) {
    return `Python ${python}`;
  }
  const [language, ...version] = kernel?.split("_") ?? [];
  return language === "R" ? ["R", version.join(".")].filter(Boolean).join(" ") : kernel;
}

/** A page of the workspaces whose name contains the text. */
export async function readWorkspacePage(
  client: PlatformClient,
  { name = "", limit, offset }: { readonly name?: string; readonly limit: number; readonly offset: number },
  options: CallOptions = {},
): Promise<Page<Workspace>> {
  const searchFieldMap: Record<string, string> = name === "" ? {} : { NAME: name };
  const response = await client.call(searchWorkspaces, { body: { limit, offset, searchFieldMap } }, options);
  return pageWithin<Workspace>(searchWorkspaces, {}, response, ["workspaces"]);
}

/**
 * All workspaces whose name contains the text, page by page, without duplicates. Ends at a page that is short or has no
 * new items.
 */
export async function* allWorkspaces(
  client: PlatformClient,
  name = "",
  options: CallOptions = {},
): AsyncGenerator<readonly Workspace[]> {
  const limit = 50;
  const seen = new Set<string>();
  for (let offset = 0; ; offset += limit) {
    const { items } = await readWorkspacePage(client, { name, limit, offset }, options);
    const fresh = items.filter((workspace) => !seen.has(workspace.id));
    for (const workspace of fresh) {
      seen.add(workspace.id);
    }
    yield fresh;
    if (items.length < limit || fresh.length === 0) {
      return;
    }
  }
}

/** The short id of a workspace: the first eight characters of its id. */
export function shortIdOf(workspaceId: string): string {
  return workspaceId.slice(0, 8);
}

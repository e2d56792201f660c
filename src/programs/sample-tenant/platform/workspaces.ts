import type { StateFile, WorkspaceState } from "../state.ts";
import { namespace, userId } from "../user.ts";
import type { Workspaces } from "../workspaces.ts";
import { CodedPlatformError, PlatformError } from "./errors.ts";
import { listNotebooks } from "./notebooks.ts";
import {
  configurationFrom,
  configurationShape,
  handshakeUrl,
  settingsShape,
  type Wire,
  wholeWorkspaceShape,
  workspaceShape,
} from "./workspace-shapes.ts";

/** A request to the platform that has passed the token check and whose body has the operation's shape. */
export interface PlatformCall {
  readonly workspaces: Workspaces;
  readonly file: StateFile;
  readonly wire: Wire;
  readonly parameters: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** A success: JSON with 200, or 204 without a body; or any answer that is no JSON. */
export type PlatformAnswer =
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: 204 }
  | { readonly status: number; readonly contentType: string; readonly bytes: Uint8Array };
export type PlatformHandler = (call: PlatformCall) => Promise<PlatformAnswer>;

/** The platform's side of the operations of API description, 4.1, and of those beside them. */
export const platformHandlers = {
  "workspaces.settings.get": async ({ wire }) => ok(settingsShape(wire)),
  "workspaces.namespace.get": async () => ok({ name: namespace }),
  "workspaces.get": async (call) => {
    const workspace = workspaceOf(call);
    return ok(wholeWorkspaceShape(workspace, call.workspaces.statusOf(workspace), call.wire));
  },
  "workspaces.instances.start": async (call) => {
    const workspace = workspaceOf(call);
    if (workspace.configuration.owner !== userId) {
      throw new PlatformError(403, "You have no access to this workspace. Ask its owner to share it with you.");
    }
    if (!workspace.handshakeDone) {
      throw new CodedPlatformError(403, "DS-0018", "Notebook authentication required", {
        jupyterAuthURL: handshakeUrl(workspace.id, call.wire),
      });
    }
    if (workspace.instance !== null && !workspace.instance.crashed) {
      throw new PlatformError(500, "This workspace has an instance already.");
    }
    const instance = await call.workspaces.start(workspace.id);
    return ok({ status: "BOOTSTRAPPING", userId, started: instance.started });
  },
  "workspaces.instances.stop": async (call) => {
    const workspace = workspaceOf(call);
    const instanceId = call.parameters.get("instanceId");
    if (workspace.instance?.id !== instanceId) {
      throw new PlatformError(404, `Instance ${instanceId} not found`);
    }
    await call.workspaces.stop(workspace.id);
    return { status: 204 };
  },
  "workspaces.update": async (call) => {
    const workspace = workspaceOf(call);
    const body = recordOf(call.body);
    if (typeof body.name !== "string" || body.name.trim() === "") {
      throw new PlatformError(400, "A workspace needs a name.");
    }
    const configuration = configurationFrom(body, workspace, call.wire);
    await call.file.changeWorkspace(workspace.id, { configuration });
    return ok(configurationShape({ ...workspace, configuration }, call.wire));
  },
  "workspaces.search": async (call) => {
    const body = recordOf(call.body);
    const found = searched(call.workspaces.all, body);
    const { limit, offset, page } = pageOf(found, body);
    const workspaces = page.map((workspace) =>
      workspaceShape(workspace, call.workspaces.statusOf(workspace), call.wire),
    );
    return ok({ workspaces, pageContext: { count: Math.min(limit, page.length), offset, totalCount: found.length } });
  },
  "workspaces.notebooks.search": async (call) => {
    const notebooks = await listNotebooks(call.workspaces, call.file.state.dataflows);
    return ok({ notebooks: pageOf(notebooks, recordOf(call.body)).page });
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

function ok(body: unknown): PlatformAnswer {
  return { status: 200, body };
}

function workspaceOf(call: PlatformCall): WorkspaceState {
  const id = call.parameters.get("workspaceId") ?? "";
  const workspace = call.workspaces.find(id);
  if (workspace === undefined) {
    throw new PlatformError(404, `Workspace ${id} not found`);
  }
  return workspace;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function searched(all: readonly WorkspaceState[], body: Readonly<Record<string, unknown>>): readonly WorkspaceState[] {
  const name = String(recordOf(body.searchFieldMap).NAME ?? "").toLowerCase();
  const owners = (Array.isArray(body.filters) ? body.filters : [])
    .map(recordOf)
    .filter((filter) => filter.type === "OWNER")
    .flatMap((filter) => (Array.isArray(filter.values) ? filter.values.map(String) : []));
  const [field, direction] = Object.entries(recordOf(body.sortFieldMap))[0] ?? ["LAST_RUN", "DESC"];
  const key = field === "CREATED" ? "created" : field === "NAME" ? "name" : "lastRun";
  const order = direction === "ASC" ? 1 : -1;
  return all
    .filter(({ configuration }) => String(configuration.name).toLowerCase().includes(name))
    .filter(({ configuration }) => owners.length === 0 || owners.includes(String(configuration.owner)))
    .toSorted((left, right) => {
      const [a, b] = [left, right].map(({ configuration }) => String(configuration[key] ?? ""));
      return order * (a ?? "").localeCompare(b ?? "");
    });
}

function pageOf<Item>(
  items: readonly Item[],
  body: Readonly<Record<string, unknown>>,
): { readonly limit: number; readonly offset: number; readonly page: readonly Item[] } {
  const limit = typeof body.limit === "number" ? body.limit : 50;
  const offset = typeof body.offset === "number" ? body.offset : 0;
  return { limit, offset, page: items.slice(offset, offset + limit) };
}

import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Dialect } from "../../../api/http/dialects.ts";
import { namespace, userId } from "../seed/organization.ts";
import type { WorkspaceState } from "../state.ts";
import { shortIdOf, type WorkspaceStatus, type Workspaces } from "../workspaces.ts";
import {
  CodedErrorResponse,
  ErrorResponse,
  fieldsOf,
  ok,
  type PlatformCall,
  type PlatformHandler,
  type Wire,
} from "./handler.ts";

/** The platform's handlers for the operations of API description, 4.1, and for related ones. */
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
      throw new ErrorResponse(403, "You have no access to this workspace. Ask its owner to share it with you.");
    }
    if (!workspace.handshakeDone) {
      throw new CodedErrorResponse(403, "DS-0018", "Notebook authentication required", {
        jupyterAuthURL: handshakeUrl(workspace.id, call.wire),
      });
    }
    if (workspace.instance !== null && !workspace.instance.crashed) {
      throw new ErrorResponse(500, "This workspace has an instance already.");
    }
    const instance = await call.workspaces.start(workspace.id);
    return ok({ status: "BOOTSTRAPPING", userId, started: instance.started });
  },
  "workspaces.instances.stop": async (call) => {
    const workspace = workspaceOf(call);
    const instanceId = call.parameters.get("instanceId");
    if (workspace.instance?.id !== instanceId) {
      throw new ErrorResponse(404, `Instance ${instanceId} not found`);
    }
    await call.workspaces.stop(workspace.id);
    return { status: 204 };
  },
  "workspaces.update": async (call) => {
    const workspace = workspaceOf(call);
    const body = fieldsOf(call.body);
    const configuration = configurationFrom(body, workspace, call.wire);
    await call.file.changeWorkspace(workspace.id, { configuration });
    return ok(configurationShape({ ...workspace, configuration }, call.wire));
  },
  "workspaces.owner.update": async (call) => {
    const workspace = workspaceOf(call);
    const configuration = { ...workspace.configuration, owner: Number(fieldsOf(call.body).newOwnerId) };
    await call.file.changeWorkspace(workspace.id, { configuration });
    return ok(configurationShape({ ...workspace, configuration }, call.wire));
  },
  "workspaces.search": async (call) => {
    const body = fieldsOf(call.body);
    const found = searched(call.workspaces.all, body);
    const { limit, offset, page } = pageOf(found, body);
    const workspaces = page.map((workspace) =>
      workspaceShape(workspace, call.workspaces.statusOf(workspace), call.wire),
    );
    return ok({ workspaces, pageContext: { count: Math.min(limit, page.length), offset, totalCount: found.length } });
  },
  "workspaces.notebooks.search": async (call) => {
    const notebooks = await listNotebooks(call.workspaces, call.file.state.dataflows);
    return ok({ notebooks: pageOf(notebooks, fieldsOf(call.body)).page });
  },
} satisfies Readonly<Record<string, PlatformHandler>>;

function workspaceOf(call: PlatformCall): WorkspaceState {
  const id = call.parameters.get("workspaceId") ?? "";
  const workspace = call.workspaces.find(id);
  if (workspace === undefined) {
    throw new ErrorResponse(404, `Workspace ${id} not found`);
  }
  return workspace;
}

function searched(all: readonly WorkspaceState[], body: Readonly<Record<string, unknown>>): readonly WorkspaceState[] {
  const name = String(fieldsOf(body.searchFieldMap).NAME ?? "").toLowerCase();
  const owners = (Array.isArray(body.filters) ? body.filters : [])
    .map(fieldsOf)
    .filter((filter) => filter.type === "OWNER")
    .flatMap((filter) => (Array.isArray(filter.values) ? filter.values.map(String) : []));
  const [field, direction] = Object.entries(fieldsOf(body.sortFieldMap))[0] ?? ["LAST_RUN", "DESC"];
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

const instanceTypes = [
  { cpu: 0.5, memory: 4 },
  { cpu: 1, memory: 8 },
  { cpu: 2, memory: 16 },
  { cpu: 4, memory: 32 },
  { cpu: 8, memory: 64 },
];

const kernels = ["PYTHON_3_9", "PYTHON_3_10", "PYTHON_3_11", "PYTHON_3_12", "R_4_1"].map((kernel) => {
  const [language = "", ...version] = kernel.split("_");
  return { kernel, displayName: `${language === "R" ? "R" : "Python"} ${version.join(".")}` };
});

const documentedKernel = "notebookKernel";

/** The name of the kernel field in the dialect. */
function kernelFieldOf(dialect: Dialect): string {
  return dialect.id === "documented" ? documentedKernel : "jupyterKernel";
}

/** Instance settings (API description, 2.4). */
export function settingsShape(wire: Wire): Record<string, unknown> {
  return {
    instanceTypes,
    currentUserInstanceTypes: instanceTypes.slice(0, 3),
    limits: [
      { resourceType: "CPU", limit: 8, aggregationType: "INSTANCE" },
      { resourceType: "MEMORY", limit: 64, aggregationType: "JUPYTER_WORKSPACE" },
    ],
    isEnabled: true,
    userAccess: "EVERYONE",
    [`${kernelFieldOf(wire.dialect)}s`]: kernels,
    featureFlags: ["notebooks-accounts", "notebooks-sharing"],
    locale: "en-US",
    timeZone: "Europe/Berlin",
    maintenance: { isEnabled: false, message: "", startTime: null, endTime: null },
  };
}

/** A workspace in a list (API description, 2.5). */
function workspaceShape(workspace: WorkspaceState, status: WorkspaceStatus, wire: Wire): Record<string, unknown> {
  const { instance } = workspace;
  const instances =
    instance === null
      ? []
      : [
          {
            id: instance.id,
            status: status === "bootstrapping" ? "BOOTSTRAPPING" : "RUNNING",
            started: instance.started,
            lastActivity: instance.started,
            userId,
            url: instanceUrl(workspace.id, wire),
          },
        ];
  return { ...configurationShape(workspace, wire), instances };
}

/** A single workspace, with its available sizes. */
function wholeWorkspaceShape(workspace: WorkspaceState, status: WorkspaceStatus, wire: Wire): Record<string, unknown> {
  return { ...workspaceShape(workspace, status, wire), instanceTypes };
}

/** A workspace's configuration in the response to an update. */
function configurationShape(workspace: WorkspaceState, wire: Wire): Record<string, unknown> {
  const { [documentedKernel]: kernel, ...rest } = workspace.configuration;
  return { id: workspace.id, ...rest, ...(kernel === undefined ? {} : { [kernelFieldOf(wire.dialect)]: kernel }) };
}

/** The configuration from an update's body. Omitted members are lost, and members that the server owns are ignored. */
function configurationFrom(
  body: Readonly<Record<string, unknown>>,
  workspace: WorkspaceState,
  wire: Wire,
): Record<string, unknown> {
  const {
    id: _id,
    instances: _instances,
    instanceTypes: _types,
    [kernelFieldOf(wire.dialect)]: kernel,
    ...rest
  } = body;
  return {
    inputConfiguration: [],
    outputConfiguration: [],
    accountConfiguration: [],
    collectionConfiguration: [],
    fileshareConfiguration: [],
    ...rest,
    ...(kernel === undefined ? {} : { [documentedKernel]: kernel }),
    owner: workspace.configuration.owner,
    created: workspace.configuration.created,
    updated: new Date().toISOString(),
  };
}

/** The address that opens an instance in a browser; its `next` contains the content server's prefix. */
function instanceUrl(workspaceId: string, wire: Wire): string {
  const next = encodeURIComponent(`${wire.origin}/user/${namespace}/${shortIdOf(workspaceId)}/`);
  return `${wire.origin}/hub/auth_refresh?user=${namespace}&next=${next}`;
}

/** The address of a user's first sign-in to notebooks. */
function handshakeUrl(workspaceId: string, wire: Wire): string {
  const next = encodeURIComponent(`/user/${namespace}/${shortIdOf(workspaceId)}/`);
  return `${wire.origin}/hub/auth_refresh?next=${next}`;
}

/** The platform's id of a notebook, derived from its location. */
function notebookIdOf(workspaceId: string, path: string): string {
  const digits = createHash("sha256").update(`${workspaceId}/${path}`).digest("hex");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}

/** The notebooks of all workspaces that have files; scheduled ones have their dataflow. */
async function listNotebooks(
  workspaces: Workspaces,
  dataflows: Readonly<Record<string, unknown>>,
): Promise<readonly Record<string, unknown>[]> {
  const lists = await Promise.all(workspaces.all.map(({ id }) => notebooksOf(workspaces, id, dataflows)));
  return lists.flat();
}

/** The notebooks of one workspace. */
export async function notebooksOf(
  workspaces: Workspaces,
  workspaceId: string,
  dataflows: Readonly<Record<string, unknown>>,
): Promise<readonly Record<string, unknown>[]> {
  const root = workspaces.contentRoot(workspaceId);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter(
    (entry) => entry.isFile() && entry.name.endsWith(".ipynb") && !entry.parentPath.includes(`${sep}.`),
  );
  return await Promise.all(
    files.map(async (entry) => {
      const place = join(entry.parentPath, entry.name);
      const path = relative(root, place).replaceAll(sep, "/");
      const found = await stat(place);
      const id = notebookIdOf(workspaceId, path);
      const times = { created: found.ctime.toISOString(), updated: found.mtime.toISOString(), deleted: null };
      const dataflow = dataflows[id];
      const execution =
        dataflow === undefined ? null : { dataflowId: Number.parseInt(id.slice(0, 4), 16), notebookId: id, ...times };
      return { id, path, workspaceId, ...times, execution };
    }),
  );
}

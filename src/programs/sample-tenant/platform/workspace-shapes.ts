import type { Dialect } from "../../../api/http/dialects.ts";
import type { WorkspaceState } from "../state.ts";
import { namespace, userId } from "../user.ts";
import { shortIdOf, type WorkspaceStatus } from "../workspaces.ts";

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

/** The name of the kernel field on the wire. */
function kernelFieldOf(dialect: Dialect): string {
  return dialect.id === "documented" ? documentedKernel : "jupyterKernel";
}

/** Which address and spelling an answer is written for. */
export interface Wire {
  readonly dialect: Dialect;
  /** The tenant's own address, without a slash at the end. */
  readonly origin: string;
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
export function workspaceShape(
  workspace: WorkspaceState,
  status: WorkspaceStatus,
  wire: Wire,
): Record<string, unknown> {
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

/** A workspace by itself: with the sizes that it can have. */
export function wholeWorkspaceShape(
  workspace: WorkspaceState,
  status: WorkspaceStatus,
  wire: Wire,
): Record<string, unknown> {
  return { ...workspaceShape(workspace, status, wire), instanceTypes };
}

/** A workspace's configuration, as an update answers it. */
export function configurationShape(workspace: WorkspaceState, wire: Wire): Record<string, unknown> {
  const { [documentedKernel]: kernel, ...rest } = workspace.configuration;
  return { id: workspace.id, ...rest, ...(kernel === undefined ? {} : { [kernelFieldOf(wire.dialect)]: kernel }) };
}

/** What is kept of an update's body: all of it, so that what it leaves out is lost, but nothing that the server owns. */
export function configurationFrom(
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

/** The address that opens an instance in a browser; its `next` names the content server's prefix. */
function instanceUrl(workspaceId: string, wire: Wire): string {
  const next = encodeURIComponent(`${wire.origin}/user/${namespace}/${shortIdOf(workspaceId)}/`);
  return `${wire.origin}/hub/auth_refresh?user=${namespace}&next=${next}`;
}

/** The address where a person signs in to notebooks for the first time. */
export function handshakeUrl(workspaceId: string, wire: Wire): string {
  const next = encodeURIComponent(`/user/${namespace}/${shortIdOf(workspaceId)}/`);
  return `${wire.origin}/hub/auth_refresh?next=${next}`;
}

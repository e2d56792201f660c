// Information for tests inside the extension host about the servers outside it, and how to control them.
import { readFile } from "node:fs/promises";
import type { FaultRule, RecordedRequest } from "../harness/proxy.ts";

/** A tenant with a running workspace behind a counting proxy. */
export interface OutsideTenant {
  readonly tenantId: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** The workspace's files on the disk of this machine. */
  readonly root: string;
  /** Path of its content server, with a trailing slash. */
  readonly contentPath: string;
  /** The platform's token and the notebook token. */
  readonly secrets: readonly [string, string];
  /** Address of the content server. */
  readonly contentUrl: string;
}

export interface OutsideServers {
  readonly control: string;
  /** The Python of the Jupyter Server, which also has nbclient and nbformat. */
  readonly python: string;
  readonly tenants: readonly OutsideTenant[];
}

export type ControlCommand =
  | { readonly type: "requests" }
  /** Waits until no request is in flight and none has arrived for this long. */
  | { readonly type: "quiet"; readonly milliseconds: number }
  | { readonly type: "reset" }
  | { readonly type: "fault"; readonly rule: FaultRule }
  | { readonly type: "clearFaults" }
  | { readonly type: "webSocketBytes" | "cutWebSockets" }
  | { readonly type: "startWorkspace" | "stopWorkspace" | "crashWorkspace" };

export const outside: OutsideServers = JSON.parse(
  process.env.PLATFORM_WORKBENCH_OUTSIDE ?? '{"control":"","python":"","tenants":[]}',
);

/** Asks the process that started the servers to do something with one of them. */
export async function ask(tenant: OutsideTenant, command: ControlCommand): Promise<unknown> {
  const response = await fetch(`${outside.control}/${tenant.tenantId}`, {
    method: "POST",
    body: JSON.stringify(command),
    signal: AbortSignal.timeout(120_000),
  });
  if (!response.ok) {
    throw new Error(await response.text());
  }
  return response.json();
}

/**
 * The requests that reached the tenant since the last reset, as `GET contents/a.txt 200`, without those of the watcher,
 * whose times can't be predicted.
 */
export async function requestsOf(tenant: OutsideTenant): Promise<readonly string[]> {
  return (await requestsMadeTo(tenant)).map(({ line }) => line);
}

/** The same, each with its query and the time of its arrival in milliseconds since 1970. */
export async function requestsMadeTo(
  tenant: OutsideTenant,
): Promise<readonly { readonly line: string; readonly query: string; readonly at: number }[]> {
  const recorded = (await ask(tenant, { type: "requests" })) as readonly RecordedRequest[];
  return recorded
    .filter(({ headers }) => headers["if-none-match"] === undefined)
    .map(({ method, path, query, status, at }) => ({
      line: `${method} ${path.replace(`${tenant.contentPath}api/`, "")} ${status}`,
      query,
      at,
    }));
}

/** The bytes of a file on the server's own disk. */
export function onDisk(tenant: OutsideTenant, path: string): Promise<Buffer> {
  return readFile(`${tenant.root}/${path}`);
}

/**
 * The tenants whose files every conformance test checks. The hub's tenant is for tests of stopped workspaces, and the
 * tenant with only the API description has separate tests for its differences.
 */
export const fileTenants: readonly OutsideTenant[] = outside.tenants.filter(
  ({ tenantId }) => tenantId !== "hub" && tenantId !== "described",
);

export function tenantNamed(tenantId: string): OutsideTenant {
  const tenant = outside.tenants.find((candidate) => candidate.tenantId === tenantId);
  if (tenant === undefined) {
    throw new Error(`The environment has no tenant ${tenantId}.`);
  }
  return tenant;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HubVersion } from "../../src/programs/sample-tenant/hub.ts";
import { startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { startJupyterHub } from "../harness/jupyter-hub.ts";
import type { ContentServer } from "./client.ts";

/** A workspace behind a hub, whose server can be started and stopped. */
export interface HubWorkspace {
  readonly server: ContentServer;
  /** Address of the hub with a trailing slash. */
  readonly hub: ContentServer;
  run(): Promise<void>;
  halt(): Promise<void>;
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The hubs that the suite runs against. */
export const hubs: readonly { readonly name: string; start(): Promise<HubWorkspace> }[] = [
  { name: "sample tenant, hub 3.0.0", start: async () => await startSample("3.0.0") },
  { name: "sample tenant, hub 6.1.1", start: async () => await startSample("6.1.1") },
  { name: "JupyterHub", start: startHub },
];

async function startSample(hubVersion: HubVersion): Promise<HubWorkspace> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-hub-"));
  const tenant = await startSampleTenant({ dataDirectory, hubVersion });
  const workspace = tenant.workspaces.find(({ status }) => status === "stopped");
  if (workspace === undefined) {
    throw new Error("The sample tenant has no stopped workspace.");
  }
  const token = tenant.notebookToken(workspace.id);
  const root = tenant.contentRoot(workspace.id);
  return {
    server: { url: workspace.contentUrl, token, root },
    hub: { url: `${tenant.url}/`, token, root },
    run: async () => await tenant.startWorkspace(workspace.id),
    halt: async () => await tenant.stopWorkspace(workspace.id),
    crash: async () => await tenant.crashWorkspace(workspace.id),
    stop: async () => {
      await tenant.stop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

async function startHub(): Promise<HubWorkspace> {
  // A hub of version 6 accepts no new server whose name begins with a digit.
  const server = "f47c21aa";
  const hub = await startJupyterHub({ user: "alice", servers: [server] });
  const token = await hub.userToken();
  const root = hub.serverRoot(server);
  return {
    server: { url: hub.url + hub.prefix(server), token, root },
    hub: { url: `${hub.url}/`, token, root },
    run: async () => await hub.startServer(server),
    halt: async () => await hub.stopServer(server),
    crash: async () => await hub.crashServer(server),
    stop: async () => await hub.kill(),
  };
}

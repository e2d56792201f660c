import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { type SampleTenant, startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import type { EditorEnvironment } from "../harness/editor-host/environment.ts";
import { type JupyterHub, startJupyterHub } from "../harness/jupyter-hub.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import { type FaultProxy, startFaultProxy } from "../harness/proxy.ts";
import { startControl } from "./control.ts";
import type { OutsideServers, OutsideTenant } from "./outside.ts";

/** The hub accepts no server name that begins with a digit, so the workspace's short id can't be used. */
const hubServer = "sales";

export interface Started {
  readonly tenant: SampleTenant;
  readonly proxy: FaultProxy;
  readonly outside: OutsideTenant;
  readonly file: object;
}

/**
 * Starts what the editor tests need outside the extension host: a tenant with its own content server, one with a real
 * Jupyter Server behind its running workspace, one with only the API description, and one with a JupyterHub. Each is
 * behind a proxy that counts requests and breaks them on demand.
 */
export async function prepare(): Promise<EditorEnvironment> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-editor-"));
  const root = join(directory, "jupyter");
  await mkdir(root);
  const jupyter = await startJupyterServer({
    root,
    token: "token-of-the-jupyter-server",
    basePath: "/",
    terminals: true,
  });
  const address = { url: `${jupyter.url}/`, token: jupyter.token };
  const embedded = await startTenant(
    "embedded",
    await startSampleTenant({ dataDirectory: join(directory, "embedded") }),
  );
  const proxied = await startTenant(
    "jupyter",
    await startSampleTenant({
      dataDirectory: join(directory, "proxied"),
      contentServer: { kind: "proxied", addressOf: async () => address },
    }),
    root,
  );
  const described = await startTenant(
    "described",
    await startSampleTenant({ dataDirectory: join(directory, "described"), described: "lenient" }),
  );
  const hub = await startJupyterHub({ user: "ada", servers: [hubServer], debugger: true });
  await hub.startServer(hubServer);
  const onHub = await startTenant(
    "hub",
    // The platform reports the workspace as running long before the hub's server listens, as the real platform may.
    await startSampleTenant({ dataDirectory: join(directory, "hub"), bootSeconds: 1 }),
    hub.serverRoot(hubServer),
    { origin: hub.url, prefix: hub.prefix(hubServer), token: await hub.userToken() },
  );
  const following = followWorkspace(onHub, hub);
  const all = [embedded, proxied, onHub, described];
  const control = await startControl(new Map(all.map((one) => [one.outside.tenantId, one])));
  const { python } = await ready(pythonEnvironment);
  const servers: OutsideServers = { control: control.url, python, tenants: all.map((one) => one.outside) };
  const tenantFile = join(directory, "tenants.json");
  await writeFile(tenantFile, JSON.stringify(all.map((one) => one.file)), { mode: 0o600 });
  return {
    environment: {
      PLATFORM_WORKBENCH_TENANT_FILE: tenantFile,
      PLATFORM_WORKBENCH_OUTSIDE: JSON.stringify(servers),
    },
    folder: `platform-contents://${proxied.outside.workspaceId}.${proxied.outside.tenantId}/`,
    stop: async () => {
      await control.stop();
      await following.stop();
      await hub.kill();
      for (const { proxy, tenant } of all) {
        await proxy.stop();
        await tenant.stop();
      }
      await jupyter.kill();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface OtherContentServer {
  readonly origin: string;
  readonly prefix: string;
  readonly token: string;
}

/** A tenant behind a counting proxy, with its own content server or, with a root, in front of another one. */
export async function startTenant(
  id: string,
  tenant: SampleTenant,
  root?: string,
  elsewhere?: OtherContentServer,
): Promise<Started> {
  const proxy = await startFaultProxy(tenant.url);
  const workspace = tenant.workspaces.find((candidate) => candidate.status === "running");
  if (workspace === undefined) {
    throw new Error("The sample tenant has no running workspace.");
  }
  const file = { ...tenant.tenantFile(), id, label: `Tenant ${id}`, baseUrl: proxy.url };
  const { origin = proxy.url, prefix = new URL(workspace.contentUrl).pathname } = elsewhere ?? {};
  const token = elsewhere?.token ?? tenant.notebookToken(workspace.id);
  return {
    tenant,
    proxy,
    outside: {
      tenantId: id,
      workspaceId: workspace.id,
      workspaceName: workspace.name,
      root: root ?? tenant.contentRoot(workspace.id),
      contentPath: prefix,
      contentUrl: new URL(prefix, origin).href,
      secrets: [tenant.platformToken, token],
    },
    file: {
      ...file,
      contentServer: elsewhere === undefined ? { origin } : { origin, prefix },
      notebookTokens: { ...file.notebookTokens, [workspace.id]: { origin, token } },
    },
  };
}

/**
 * The hub's server is started and stopped together with the platform's workspace, as the real platform does behind its
 * API.
 */
function followWorkspace({ tenant, outside }: Started, hub: JupyterHub): { stop(): Promise<void> } {
  let isRunning = true;
  let last = Promise.resolve();
  const look = async (): Promise<void> => {
    const status = tenant.workspaces.find((workspace) => workspace.id === outside.workspaceId)?.status;
    const shouldRun = status === "running" || status === "bootstrapping";
    if (shouldRun !== isRunning) {
      await (shouldRun ? hub.startServer(hubServer) : hub.stopServer(hubServer));
      isRunning = shouldRun;
    }
  };
  const timer = setInterval(() => {
    last = last.then(look).catch((error: unknown) => console.error(error));
  }, 300);
  return {
    stop: async () => {
      clearInterval(timer);
      await last;
    },
  };
}

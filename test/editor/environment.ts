import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleTenant, startSampleTenant } from "../../src/sample-tenant/server.ts";
import type { EditorEnvironment } from "../harness/editor-host/environment.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import { type FaultProxy, startFaultProxy } from "../harness/proxy.ts";
import { startControl } from "./control.ts";
import type { OutsideServers, OutsideTenant } from "./outside.ts";

interface Started {
  readonly tenant: SampleTenant;
  readonly proxy: FaultProxy;
  readonly outside: OutsideTenant;
  readonly file: object;
}

/**
 * Starts what the editor tests need outside of the extension host: a tenant with its own content server and one with a
 * real Jupyter Server behind its running workspace, each behind a proxy that counts requests and breaks them on demand.
 */
export async function prepare(): Promise<EditorEnvironment> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-editor-"));
  const root = join(directory, "jupyter");
  await mkdir(root);
  const jupyter = await startJupyterServer({ root, token: "token-of-the-jupyter-server", basePath: "/" });
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
  const all = [embedded, proxied];
  const control = await startControl(new Map(all.map((one) => [one.outside.tenantId, one])));
  const servers: OutsideServers = { control: control.url, tenants: all.map((one) => one.outside) };
  const tenantFile = join(directory, "tenants.json");
  await writeFile(tenantFile, JSON.stringify(all.map((one) => one.file)), { mode: 0o600 });
  // The editor trusts every virtual folder: only a local one puts the window in Restricted Mode.
  const local = join(directory, "local");
  await mkdir(local);
  const folderOf = ({ outside }: Started): string => `platform-files://${outside.workspaceId}.${outside.tenantId}/`;
  return {
    environment: {
      PLATFORM_WORKBENCH_TENANT_FILE: tenantFile,
      PLATFORM_WORKBENCH_OUTSIDE: JSON.stringify(servers),
    },
    runs: [
      { name: "opening", directory: "opening", folder: folderOf(proxied) },
      { name: "editor", folder: folderOf(proxied) },
      { name: "restricted", directory: "restricted", folder: local, restrictedMode: true },
    ],
    stop: async () => {
      await control.stop();
      for (const { proxy, tenant } of all) {
        await proxy.stop();
        await tenant.stop();
      }
      await jupyter.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startTenant(id: string, tenant: SampleTenant, root?: string): Promise<Started> {
  const proxy = await startFaultProxy(tenant.url);
  const workspace = tenant.workspaces.find((candidate) => candidate.status === "running");
  if (workspace === undefined) {
    throw new Error("The sample tenant has no running workspace.");
  }
  return {
    tenant,
    proxy,
    outside: {
      tenantId: id,
      workspaceId: workspace.id,
      workspaceName: workspace.name,
      root: root ?? tenant.contentRoot(workspace.id),
      contentPath: new URL(workspace.contentUrl).pathname,
      secrets: [tenant.platformToken, tenant.notebookToken(workspace.id)],
    },
    file: {
      ...tenant.tenantFile(),
      id,
      label: `Tenant ${id}`,
      baseUrl: proxy.url,
      contentServer: { origin: proxy.url },
    },
  };
}

import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type SampleTenant,
  type SampleTenantOptions,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";
import { type JupyterServer, startJupyterServer } from "../../test/harness/jupyter-server.ts";

export interface SamplePlatformOptions {
  readonly dataDirectory: string;
  readonly port?: number;
  /** `jupyter`: a real Jupyter Server behind every workspace, which is started when its files are first requested. */
  readonly contentServer: "embedded" | "jupyter";
  readonly faults?: SampleTenantOptions["faults"];
  readonly described?: SampleTenantOptions["described"];
}

export interface SamplePlatform {
  readonly tenant: SampleTenant;
  /** A JSON file with the tenant's address and tokens. Readable only by the owner. stop() removes it. */
  readonly tenantFile: string;
  /** One line per request. */
  readonly logFile: string;
  stop(): Promise<void>;
}

/** Starts the sample tenant for everyday use: stores its state in a directory, and its tokens in a file. */
export async function startSamplePlatform(options: SamplePlatformOptions): Promise<SamplePlatform> {
  const { dataDirectory } = options;
  await mkdir(dataDirectory, { recursive: true });
  const logFile = join(dataDirectory, "sample-tenant.log");
  const log = createWriteStream(logFile, { flags: "w", mode: 0o600 });
  const jupyterServers = new Map<string, Promise<JupyterServer>>();
  const started: { tenant?: SampleTenant } = {};
  const addressOf = async (workspaceId: string): Promise<{ url: string; token: string }> => {
    if (started.tenant === undefined) throw new Error("The sample tenant has not started yet.");
    const starting = startJupyterServer({
      root: started.tenant.contentRoot(workspaceId),
      token: randomBytes(24).toString("hex"),
    });
    jupyterServers.set(workspaceId, starting);
    const server = await starting;
    log.write(`Jupyter Server ${server.version} for ${workspaceId} at ${server.url}\n`);
    return { url: `${server.url}/`, token: server.token };
  };

  const end = async (workspaceId: string): Promise<void> => {
    const server = jupyterServers.get(workspaceId);
    jupyterServers.delete(workspaceId);
    await (await server?.catch(() => undefined))?.stop();
  };

  const tenant = await startSampleTenant({
    dataDirectory: join(dataDirectory, options.described === undefined ? "sample-tenant" : "described-tenant"),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.faults === undefined ? {} : { faults: options.faults }),
    described: options.described,
    seed: await storedSeed(join(dataDirectory, "token-seed")),
    contentServer: options.contentServer === "jupyter" ? { kind: "proxied", addressOf, end } : { kind: "embedded" },
    log: (line) => log.write(`${line}\n`),
  });
  started.tenant = tenant;
  const tenantFile = join(dataDirectory, "tenant.json");
  await rm(tenantFile, { force: true });
  await writeFile(tenantFile, `${JSON.stringify(tenant.tenantFile(), undefined, 2)}\n`, { mode: 0o600 });

  return {
    tenant,
    tenantFile,
    logFile,
    async stop() {
      await rm(tenantFile, { force: true });
      await tenant.stop();
      for (const server of await Promise.allSettled(jupyterServers.values())) {
        if (server.status === "fulfilled") await server.value.stop();
      }
      await new Promise<void>((resolve) => log.end(resolve));
    },
  };
}

/** The secret in a file, from which the tokens are derived, so that they stay valid for the data of an earlier start. */
async function storedSeed(file: string): Promise<string> {
  const known = await readFile(file, "utf8").catch(() => "");
  if (known !== "") return known;
  const seed = randomBytes(32).toString("hex");
  await writeFile(file, seed, { mode: 0o600 });
  return seed;
}

/** What `npm start` prints about the platform: its address and log, and how to sign in to it again. */
export function startLines(
  { tenant, tenantFile, logFile }: SamplePlatform,
  contentServer: SamplePlatformOptions["contentServer"],
): readonly string[] {
  const behind = contentServer === "jupyter" ? ", with a Jupyter Server for every workspace" : "";
  return [
    `Sample tenant at ${tenant.url}${behind}. Log: ${logFile}`,
    `To sign in again after signing out, use the token ${tenant.platformToken}. The notebook tokens are in ${tenantFile}`,
  ];
}

/** What `npm run sample-tenant` prints about the platform: how to sign in to it, whether it runs cells, its workspaces. */
export function tenantLines(
  { tenant, tenantFile, logFile }: SamplePlatform,
  contentServer: SamplePlatformOptions["contentServer"],
): readonly string[] {
  return [
    `Sample tenant:   ${tenant.url}`,
    `Token:           ${tenant.platformToken}`,
    `Notebook tokens: ${tenantFile}`,
    `Kernels:         ${
      contentServer === "jupyter"
        ? "those of a Jupyter Server for every workspace"
        : "none, so notebooks open but can't run. To run them, add --content-server jupyter."
    }`,
    `Log:             ${logFile}`,
    ...tenant.workspaces.map(({ name, status, id }) => `  ${status.padEnd(9)} ${id}  ${name}`),
  ];
}

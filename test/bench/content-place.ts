import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ContentClient } from "../../src/api/client/client.ts";
import { Client } from "../../src/api/client/client.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport } from "../../src/api/http/transport.ts";
import { endProcess } from "../harness/end-process.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import type { SlowServer } from "./slow-server.ts";

/** A real Jupyter Server with its own folder. */
export interface BenchServer {
  readonly version: string;
  readonly origin: string;
  readonly token: string;
  readonly root: string;
  stop(): Promise<void>;
}

export async function startBenchServer(): Promise<BenchServer> {
  const root = await mkdtemp(join(tmpdir(), "platform-workbench-bench-"));
  const server = await startJupyterServer({ root, token: "token-of-the-bench" });
  return {
    version: server.version,
    origin: new URL(server.url).origin,
    token: server.token,
    root,
    stop: async () => {
      await server.stop();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Runs the work with a content server of the sample tenant, in a separate process, at a distance of this many
 * milliseconds.
 */
export async function withSlowServer<T>(roundTrip: number, work: (server: SlowServer) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-bench-"));
  const script = join(import.meta.dirname, "slow-server.ts");
  const child = spawn(process.execPath, [script, directory, String(roundTrip)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once("line", resolve);
      child.once("exit", (code) => reject(new Error(`the server ended with exit code ${code}`)));
    });
    const server: SlowServer = JSON.parse(line);
    return await work(server);
  } finally {
    await endProcess(child);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs the work with a client of the API layer. */
export async function withClient<T>(server: SlowServer, work: (client: ContentClient) => Promise<T>): Promise<T> {
  const transport = createTransport();
  try {
    const base = new URL(server.contentUrl);
    const credential = new NotebookToken(base.origin, server.token);
    return await work(
      new Client(
        { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
        transport,
      ),
    );
  } finally {
    await transport.close();
  }
}

import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type SampleTenant, startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import type { ContentServer } from "./client.ts";

interface RunningServer extends ContentServer {
  stop(): Promise<void>;
}

/** What Jupyter Server 1.x, which platforms still run, lacks in comparison with a current one. */
export const lackedByOlderServers = {
  hashes: "It ignores `hash=1`, and its items have no such fields.",
  copiedDirectories: "It responds with 400 to `copy_from` for a directory.",
  events: "It has no WebSocket for the actions of clients.",
  statusOfMissingSources: "It responds with 500 instead of 404 to the renaming of an item that doesn't exist.",
  unknownTypes: "It responds with 400 to a new item of an unknown type, instead of creating a file.",
  bearerTokens: "It accepts tokens only with the word `token`.",
  headOfRawFiles: "It responds with 500 to HEAD for a raw file.",
  plainTextOfMissingItems: "Its 404 is JSON, not plain text.",
} as const;
export type Capability = keyof typeof lackedByOlderServers;

/** One of the servers that the suite runs against. Each is started once, on first use. */
export interface ServerUnderTest {
  readonly name: string;
  has(capability: Capability): boolean;
  /** The server, which deletes directories including their content. */
  start(): Promise<ContentServer>;
  /** The same kind of server, configured to refuse to delete a directory that is not empty. */
  startRefusing(): Promise<ContentServer>;
}

const running: Promise<RunningServer>[] = [];

function once(start: () => Promise<RunningServer>): () => Promise<ContentServer> {
  let started: Promise<RunningServer> | undefined;
  return () => {
    if (started === undefined) {
      started = start();
      running.push(started);
    }
    return started;
  };
}

async function temporaryFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), "platform-workbench-content-"));
}

async function sampleServer(deleteNonEmptyDirectories: boolean): Promise<RunningServer> {
  const dataDirectory = await temporaryFolder();
  const tenant: SampleTenant = await startSampleTenant({
    dataDirectory,
    deleteNonEmptyDirectories,
    faults: { plainText404: true },
  });
  const [workspace] = tenant.workspaces;
  if (workspace === undefined) {
    throw new Error("The sample tenant has no workspace.");
  }
  return {
    url: workspace.contentUrl,
    token: tenant.notebookToken(workspace.id),
    root: tenant.contentRoot(workspace.id),
    stop: async () => {
      await tenant.stop();
      await rm(dataDirectory, { recursive: true });
    },
  };
}

async function jupyterServer(deleteToTrash: boolean, release: "current" | "older" = "current"): Promise<RunningServer> {
  const root = await temporaryFolder();
  const server = await startJupyterServer({
    root,
    token: randomBytes(16).toString("hex"),
    basePath: "/user/acme-dev-481516234/4f7c21aa/",
    deleteToTrash,
    release,
  });
  return {
    url: `${server.url.replace(/\/$/, "")}/`,
    token: server.token,
    root,
    stop: async () => {
      await server.kill();
      await rm(root, { recursive: true });
    },
  };
}

const current: Pick<ServerUnderTest, "has"> = { has: () => true };

/** The sample tenant's content server and the real Jupyter Server that it must respond like, word for word. */
export const currentServers: readonly ServerUnderTest[] = [
  {
    ...current,
    name: "sample tenant",
    start: once(async () => await sampleServer(true)),
    startRefusing: once(async () => await sampleServer(false)),
  },
  {
    ...current,
    name: "Jupyter Server",
    start: once(async () => await jupyterServer(true)),
    startRefusing: once(async () => await jupyterServer(false)),
  },
];

export const olderServer: ServerUnderTest = {
  name: "Jupyter Server 1.24",
  has: (capability) => !(capability in lackedByOlderServers),
  start: once(async () => await jupyterServer(true, "older")),
  startRefusing: once(async () => await jupyterServer(false, "older")),
};

/**
 * The servers that the product must work with. Tests of the responses alone use the current ones, and so do those of
 * big files, whose chunks an older server handles in the same way.
 */
export const servers: readonly ServerUnderTest[] = [...currentServers, olderServer];

/** A new folder for one test, and its files on the server's disk. */
export class Folder {
  readonly server: ContentServer;
  /** Content path of the folder. */
  readonly path: string;

  constructor(server: ContentServer, path: string) {
    this.server = server;
    this.path = path;
  }

  /** Content path of an item in the folder. */
  at(path: string): string {
    return `${this.path}/${path}`;
  }

  /** Path of an item in the folder on the server's disk. */
  place(path: string): string {
    return join(this.server.root, this.path, path);
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(this.place(path)), { recursive: true });
    await writeFile(this.place(path), content);
  }

  async read(path: string): Promise<string> {
    return await readFile(this.place(path), "utf8");
  }

  bytes(path: string): Promise<Buffer> {
    return readFile(this.place(path));
  }

  async names(path = ""): Promise<readonly string[]> {
    return (await readdir(this.place(path))).sort();
  }
}

/** Creates a new folder on a server's disk. */
export async function newFolder(server: ContentServer): Promise<Folder> {
  const folder = new Folder(server, `test-${randomUUID().slice(0, 8)}`);
  await mkdir(folder.place(""));
  return folder;
}

after(async function stopServers() {
  const started = await Promise.allSettled(running);
  await Promise.all(started.map((one) => (one.status === "fulfilled" ? one.value.stop() : undefined)));
});

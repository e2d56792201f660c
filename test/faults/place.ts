import { randomUUID } from "node:crypto";
import { lutimesSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type SampleTenant,
  type SampleTenantWorkspace,
  startSampleTenant,
} from "../../src/programs/sample-tenant/server.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import { type FaultProxy, startFaultProxy } from "../harness/proxy.ts";
import type { ContentPlace } from "./client.ts";

/** A server signs each notebook that it writes in a database on disk. Its waits are not part of the test. */
export const signaturesInMemory = "--NotebookNotary.db_file=:memory:";

const serverPrefix = "/user/ada/4f7c21aa/";

/**
 * The content of a folder: bytes of files, `directory` for a directory, `link to …` for a symbolic link with its target,
 * by content paths relative to the folder.
 */
export type Tree = Readonly<Record<string, string>>;

/** A content server behind a proxy, with the platform next to it. Each lane has its own path to it. */
export interface FaultyPlace {
  readonly proxy: FaultProxy;
  readonly root: string;
  /** A path to the server for which a fault can be injected without affecting the others. */
  lane(): ContentPlace;
  stop(): Promise<void>;
}

/** A server behind the proxy: its address, the path of its workspace, and the platform next to it. */
interface PlaceServer {
  readonly origin: string;
  readonly prefix: string;
  readonly root: string;
  readonly token: string;
  readonly platform: NonNullable<ContentPlace["platform"]>;
  stop(): Promise<void>;
}

/**
 * A place with a real Jupyter Server, `paired` with jupytext, or with a content server that has only the API
 * description.
 */
export async function startFaultyPlace(kind: "jupyter" | "paired" | "described" = "jupyter"): Promise<FaultyPlace> {
  const directory = await mkdtemp(join(tmpdir(), "platform-workbench-faults-"));
  const server = await (kind === "described"
    ? startDescribed(directory)
    : startJupyter(directory, kind === "jupyter" ? "current" : kind));
  const { platform, prefix, root, token } = server;
  const proxy = await startFaultProxy(server.origin, {
    rewrite: (url) => url.replace(/^\/user\/ada\/lane-[^/]*\//, prefix),
    finishes: true,
  });
  return {
    proxy,
    root,
    lane: () => ({ origin: proxy.url, prefix: `/user/ada/lane-${randomUUID()}/`, token, platform }),
    stop: async () => {
      await proxy.stop();
      await server.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startJupyter(directory: string, release: "current" | "paired"): Promise<PlaceServer> {
  const root = join(directory, "root");
  await mkdir(root);
  const token = randomUUID();
  // Refuses to delete a folder that is not empty, as servers without a trash do.
  const server = await startJupyterServer({
    root,
    token,
    basePath: serverPrefix,
    deleteToTrash: false,
    release,
    extraArguments: [signaturesInMemory],
  });
  const tenant = await startSampleTenant({ dataDirectory: join(directory, "tenant") });
  return {
    origin: new URL(server.url).origin,
    prefix: serverPrefix,
    root,
    token,
    platform: { url: tenant.url, token: tenant.platformToken, workspaceId: runningIn(tenant).id },
    stop: async () => {
      await tenant.stop();
      await server.kill();
    },
  };
}

async function startDescribed(directory: string): Promise<PlaceServer> {
  const tenant = await startSampleTenant({
    dataDirectory: join(directory, "tenant"),
    described: "lenient",
    deleteNonEmptyDirectories: false,
  });
  const { id, contentUrl } = runningIn(tenant);
  return {
    origin: tenant.url,
    prefix: new URL(contentUrl).pathname,
    root: tenant.contentRoot(id),
    token: tenant.notebookToken(id),
    platform: { url: tenant.url, token: tenant.platformToken, workspaceId: id },
    stop: () => tenant.stop(),
  };
}

function runningIn({ workspaces }: SampleTenant): SampleTenantWorkspace {
  const running = workspaces.find(({ status }) => status === "running");
  if (running === undefined) throw new Error("the sample tenant has no running workspace");
  return running;
}

/** The number of items that were written by `putTree`. */
let written = 0;

/**
 * Writes files and directories into a folder on the disk of this machine. Each gets another date. Folders with the same
 * dates are compared before a deletion, and whether items that are written in a row have the same date depends on the
 * clock of the disk.
 */
export function putTree(folder: string, tree: Tree): void {
  mkdirSync(folder, { recursive: true });
  const places = new Set<string>();
  for (const [path, content] of Object.entries(tree)) {
    const place = join(folder, checkpointPlace(path));
    mkdirSync(content === "directory" ? place : dirname(place), { recursive: true });
    const target = linkTarget(content);
    if (target !== undefined) symlinkSync(target, place);
    else if (content !== "directory") writeFileSync(place, content);
    for (let item = place; item !== folder; item = dirname(item)) places.add(item);
  }
  for (const place of [...places, folder]) {
    written += 1;
    const date = new Date(Date.UTC(2026, 0, 1) + written * 1_000 + 1);
    lutimesSync(place, date, date);
  }
}

function linkTarget(content: string): string | undefined {
  return /^link to (.+)$/.exec(content)?.[1];
}

/** Content paths contain no space here: a file's checkpoint in a tree, and its path on a Jupyter Server. */
const checkpointOf = "checkpoint of ";

export function isCheckpoint(path: string): boolean {
  return path.startsWith(checkpointOf);
}

function checkpointPlace(path: string): string {
  return isCheckpoint(path)
    ? `.ipynb_checkpoints/${path.slice(checkpointOf.length).replace(/(\.[^.]*)$/, "-checkpoint$1")}`
    : path;
}

/**
 * The content below a folder. Checkpoints are included only for files at its top, without those that come with each
 * notebook. Notebooks are compared as JSON, because the server formats them differently.
 */
export function treeOf(folder: string): Tree {
  const tree: Record<string, string> = {};
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.name === ".ipynb_checkpoints") {
        if (below === "") Object.assign(tree, checkpointsIn(join(folder, entry.name)));
        continue;
      }
      if (entry.isSymbolicLink()) {
        tree[path] = `link to ${readlinkSync(join(folder, path))}`;
      } else if (entry.isDirectory()) {
        tree[path] = "directory";
        visit(path);
      } else {
        tree[path] = comparable(path, readFileSync(join(folder, path), "utf8"));
      }
    }
  };
  visit("");
  return tree;
}

function checkpointsIn(directory: string): Tree {
  const names = readdirSync(directory).filter((name) => !name.endsWith(".ipynb"));
  const contents = names.map((name) => {
    const of = name.replace(/-checkpoint(\.[^.]*)$/, "$1");
    return [`${checkpointOf}${of}`, readFileSync(join(directory, name), "utf8")] as const;
  });
  return Object.fromEntries(contents);
}

/** A tree with explicit directories, and with notebooks in their comparable form. */
export function completed(tree: Tree): Tree {
  const all: Record<string, string> = {};
  for (const [path, content] of Object.entries(tree)) {
    for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) all[parent] = "directory";
    all[path] = content === "directory" ? content : comparable(path, content);
  }
  return all;
}

export function comparable(path: string, text: string): string {
  if (!path.endsWith(".ipynb")) return text;
  try {
    // Some servers join the lines of a source.
    return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
      key === "source" && Array.isArray(value) ? value.join("") : value,
    );
  } catch {
    return text;
  }
}

export function isSameTree(one: Tree, other: Tree): boolean {
  const [left, right] = [completed(one), completed(other)];
  const paths = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...paths].every((path) => left[path] === right[path]);
}

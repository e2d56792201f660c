import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StandInMemento } from "../harness/editor-stand-in/memory.ts";
import { endProcess } from "../harness/end-process.ts";
import { type ContentPlace, FilesClient } from "./client.ts";
import { killedAction } from "./killed-actions.ts";
import { killedProgram } from "./killed-program.ts";
import { ModifiedSinceError, Person } from "./person.ts";
import { type FaultyPlace, putTree, type Tree, treeOf } from "./place.ts";
import { patientTransport } from "./transport.ts";

/** The task of the process that is killed. */
export interface ChildTask {
  readonly place: ContentPlace;
  readonly action: string;
  /** Content path. */
  readonly folder: string;
  readonly tenantId: string;
  /** An absolute path of what the extension stores across sessions. */
  readonly memoryFile: string;
  /** The folder of the extension's storage. */
  readonly storage: string;
}

/**
 * The moment: when the `step`th request (from 1) arrives, when half of its body is sent, or when the server has handled
 * it.
 */
export interface Kill {
  readonly step: number;
  readonly when: "before" | "sending" | "after";
}

export interface KillResult {
  /** Methods of the requests up to the kill. */
  readonly requests: readonly string[];
  /** Bytes of each request's body. */
  readonly bodies: readonly number[];
  /** The number of requests before the action itself. */
  readonly arranging: number;
  /** The server's content after the kill. */
  readonly tree: Tree;
  /** The server's content after the next start listed the folder, and after the action was repeated. */
  readonly treeAfterStart: Tree;
  readonly names: readonly string[];
  readonly treeAfterAgain: Tree;
  /** The result of the repetition: `worked`, or the code of the error. */
  readonly again: string;
}

/** Kills the process during an action, reads the server's content, and starts again with the stored state. */
export async function runKilled(place: FaultyPlace, name: string, kill?: Kill): Promise<KillResult> {
  const action = killedAction(name);
  const folder = `kill-${randomUUID()}`;
  const disk = join(place.root, folder);
  putTree(disk, action.before);
  const edited = action.edited === undefined ? undefined : join(disk, action.edited.path);
  const opened = edited === undefined ? undefined : await stat(edited);
  const lane = place.lane();
  const memoryFile = join(place.root, "..", `${folder}.json`);
  const storage = join(place.root, "..", `${folder}-storage`);
  await writeFile(memoryFile, "{}");
  const task: ChildTask = { place: lane, action: name, folder, tenantId: folder, memoryFile, storage };
  const below = `${lane.prefix}api/contents/${folder}`;
  const arranging = await doInChild(place, task, kill, below);
  const recorded = place.proxy.requests.filter(({ path }) => path.startsWith(below));
  const requests = recorded.map(({ method }) => method);
  const bodies = recorded.map(({ sentBytes }) => sentBytes);
  // The server may still be processing what it received.
  await place.proxy.settled(below);
  const tree = treeOf(disk);

  const transport = patientTransport();
  const memento = new StandInMemento(await readFile(memoryFile, "utf8"));
  const client = await FilesClient.connect(lane, {
    transport,
    memento,
    tenantId: folder,
    smallChunks: action.isBig === true,
    storage,
  });
  const person = new Person(client);
  const at = (path: string): string => (path === "" ? folder : `${folder}/${path}`);
  try {
    if (action.edited !== undefined && opened !== undefined) {
      const seen = { mtime: Math.floor(opened.mtimeMs), size: opened.size };
      person.restore(at(action.edited.path), Buffer.from(action.edited.text), seen);
    }
    await client.files.readDirectory(client.uri(folder));
    client.refresh();
    const entries = await client.files.readDirectory(client.uri(folder));
    const treeAfterStart = treeOf(disk);
    const again = await action.act(person, at).then(
      () => "worked",
      (error: unknown) =>
        error instanceof ModifiedSinceError
          ? "newer"
          : error instanceof Error && "code" in error
            ? String(error.code)
            : String(error),
    );
    const names = entries.map(([entry]) => entry).sort();
    return { requests, bodies, arranging, tree, treeAfterStart, names, again, treeAfterAgain: treeOf(disk) };
  } finally {
    person.closeAll();
    client.dispose();
    await transport.close();
    // Whoever lists the folder above it lists the folders of all actions.
    await rm(disk, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the number of requests before the action itself. */
async function doInChild(place: FaultyPlace, task: ChildTask, kill: Kill | undefined, below: string): Promise<number> {
  const child = fork(killedProgram(place), [JSON.stringify(task)], {
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(place.root, "..", "compile-cache") },
  });
  let printed = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    printed += chunk.toString("utf8");
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    await Promise.race([arranged(child), ended.then(() => Promise.reject(new Error(printed)))]);
    const already = place.proxy.count({ path: below });
    const remove =
      kill === undefined
        ? () => {}
        : place.proxy.addFault({
            name: `kill ${kill.when} ${kill.step}`,
            match: { path: below, nth: kill.step },
            action: { kind: "call", when: kill.when, call: () => void child.kill("SIGKILL") },
          });
    child.send("go");
    await ended;
    remove();
    if ((child.signalCode === "SIGKILL") !== (kill !== undefined)) {
      throw new Error(`${task.action}: ${child.signalCode ?? child.exitCode}, ${already} requests before\n${printed}`);
    }
    return already;
  } finally {
    await endProcess(child);
  }
}

function arranged(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once("message", () => resolve()));
}

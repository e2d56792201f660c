import { AssertionError } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { editor } from "../harness/editor-stand-in/vscode.ts";
import { PersonalTime } from "../harness/personal-time.ts";
import type { FaultAction, FaultRule } from "../harness/proxy.ts";
import { FilesClient } from "./client.ts";
import type { Fault } from "./faults.ts";
import type { Operation } from "./operations.ts";
import { ModifiedSinceError, Person } from "./person.ts";
import { type FaultyPlace, putTree, type Tree, treeOf } from "./place.ts";
import { type PatientTransport, patientTransport } from "./transport.ts";

/** How an operation ended for the user. */
export type Ending =
  | { readonly type: "worked" }
  | { readonly type: "failed"; readonly code: string; readonly words: string }
  /** A result that must not occur with any fault. */
  | { readonly type: "wrong"; readonly words: string };

/** One operation with one fault at one of its requests. */
export interface CellResult {
  readonly ending: Ending;
  /** The server's content immediately afterward. */
  readonly tree: Tree;
  /** The same after the folder was listed, which finishes what was interrupted. */
  readonly treeShown: Tree;
  /** The names at the top of the folder that the file system reports immediately afterward, without a refresh. */
  readonly names: readonly string[];
  /** Messages that the extension showed in addition to the error itself. */
  readonly messages: readonly string[];
  /** The result of the same operation after the fault, and the server's content then. */
  readonly again: Ending;
  readonly treeAfterAgain: Tree;
  /** Methods of the operation's requests, in order. */
  readonly requests: readonly string[];
  /** Bytes of each request's body. */
  readonly bodies: readonly number[];
}

/** The position of a fault: the `step`th (from 1) of the requests that the operation sends without it. */
export interface Strike {
  readonly fault: Fault;
  readonly requests: readonly string[];
  readonly step: number;
}

/** Runs an operation, with or without a fault at one of its requests. */
export async function runCell(place: FaultyPlace, operation: Operation, strike?: Strike): Promise<CellResult> {
  const folder = `cell-${randomUUID()}`;
  const at = (path: string): string => (path === "" ? folder : `${folder}/${path}`);
  const disk = join(place.root, folder);
  putTree(disk, operation.before);
  const lane = place.lane();
  const time = new PersonalTime();
  const transport = patientTransport((milliseconds) => time.pass(milliseconds));
  // A failed save is never repeated by itself, because that would change the disk while it is read.
  const retryTime = new PersonalTime();
  const client = await FilesClient.connect(lane, { transport, time, retryTime, smallChunks: operation.isBig === true });
  const person = new Person(client);
  try {
    await operation.arrange?.(person, at);
    // What the editor requests about the folders above is not a request of the operation.
    const below = `${lane.prefix}api/contents/${folder}`;
    const already = place.proxy.requests.length;
    const remove = strike === undefined ? () => {} : place.proxy.addFault(ruleFor(below, strike, transport));
    const ending = await endingOf(() => operation.act(person, at), folder);
    const kept = ending.type === "failed" ? await endingOf(async () => operation.kept?.(person, at), folder) : ending;
    const requests = place.proxy.requests.slice(already).filter(({ path }) => path.startsWith(below));
    remove();
    // A user waits a moment before trying again. The server may still be processing what was interrupted.
    await place.proxy.settled(below);
    if (ending.type === "failed") time.pass(250);
    const tree = treeOf(disk);
    // The files that a successful save could not clean up are removed with the next request.
    if (operation.isBig === true && ending.type === "worked") client.refresh();
    const names = await namesIn(client, folder);
    const treeShown = treeOf(disk);
    const again = ending.type === "worked" ? ending : await endingOf(() => operation.act(person, at), folder);
    return {
      ending: kept.type === "wrong" ? kept : ending,
      tree,
      treeShown,
      names,
      messages: editor.messages
        .filter(({ text }) => text.includes(folder))
        .map(({ text }) => plain(text, folder, lane.prefix)),
      again,
      treeAfterAgain: treeOf(disk),
      requests: requests.map(({ method }) => method),
      bodies: requests.map(({ sentBytes }) => sentBytes),
    };
  } finally {
    person.closeAll();
    client.dispose();
    await transport.close();
    // Whoever lists the folder above it lists the folders of all cells.
    await rm(disk, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function namesIn(client: FilesClient, folder: string): Promise<readonly string[]> {
  const entries = await client.files.readDirectory(client.uri(folder));
  return entries.map(([name]) => name).sort();
}

/** A read is retried, so the fault must apply to each attempt. Requests in between have another method. */
function ruleFor(below: string, strike: Strike, transport: PatientTransport): FaultRule {
  const { extent, name } = strike.fault;
  const action: FaultAction =
    strike.fault.action.kind === "hang"
      ? { ...strike.fault.action, onHang: (headers) => transport.expire(headers) }
      : strike.fault.action;
  return extent === "onward"
    ? { name, match: { path: below, from: strike.step }, action }
    : { name, match: { path: below, ...triesOf(strike) }, action };
}

function triesOf({ fault, requests, step }: Strike): { readonly method: string; readonly nth: readonly number[] } {
  const method = requests[step - 1] ?? "GET";
  const sameMethod = requests.slice(0, step).filter((one) => one === method).length;
  const tries = method === "GET" && fault.extent === "request" ? 4 : 1;
  return { method, nth: Array.from({ length: tries }, (_, index) => sameMethod + index) };
}

async function endingOf(work: () => Promise<void>, folder: string): Promise<Ending> {
  try {
    await work();
    return { type: "worked" };
  } catch (error) {
    const words = plain(error instanceof Error ? error.message : String(error), folder);
    if (error instanceof AssertionError) return { type: "wrong", words };
    if (error instanceof ModifiedSinceError) return { type: "failed", code: "newer", words };
    const code = error instanceof Error && "code" in error ? String(error.code) : "no file system error";
    return { type: "failed", code, words };
  }
}

/** The text without the parts that differ in each run. */
function plain(words: string, folder: string, prefix = "/user/ada/lane-0/"): string {
  return words
    .replaceAll(`${folder}/`, "")
    .replaceAll(folder, "the folder")
    .replaceAll(prefix, "/")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "the server")
    .replace(/\.(replaced|copying|saving)-[0-9a-f]{8}/g, ".$1-…");
}

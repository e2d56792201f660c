import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { parentOf } from "../../../src/api/catalogue/content-path.ts";
import type { FilesClient } from "../client.ts";
import { ModifiedSinceError, Person } from "../person.ts";
import { ClientState } from "./client-state.ts";
import { type Contents, comparableBytes, contentFor } from "./contents.ts";
import { diskTree } from "./disk.ts";
import {
  type Base,
  type Expectation,
  expectCopy,
  expectCreateDirectory,
  expectDelete,
  expectList,
  expectLook,
  expectRead,
  expectRename,
  expectSave,
  expectWrite,
  type FileNode,
  missingParents,
} from "./expectations.ts";
import { isBelow } from "./paths.ts";
import type { Step } from "./steps.ts";
import { ModelTree } from "./tree.ts";

type Outcome<T> =
  | { readonly type: "worked"; readonly value: T }
  | { readonly type: "failed"; readonly code: string; readonly error: Error };

/** The contents that are written to a server, and the precision of its times in milliseconds. */
export interface ServerKind {
  readonly contents: Contents;
  readonly tick: number;
}

/** An event, or several of which one is reported. */
type ExpectedEvent = string | readonly [string, ...string[]];

/** Milliseconds that a step takes: within the lifetime of caches, and beyond it. */
const stepTakes = 60;
const restTakes = 6_000;

/** Two clients with one folder of a server, and the model that determines the allowed results of each step. */
export class Machine {
  readonly #tree = new ModelTree();
  readonly #folder: string;
  readonly #disk: string;
  readonly #contents: Contents;
  readonly #tick: number;
  readonly #states: readonly [ClientState, ClientState];

  /** `folder` is the content path of an empty folder, `disk` its path on this machine. */
  constructor(
    clients: readonly [FilesClient, FilesClient],
    folder: string,
    disk: string,
    { contents, tick }: ServerKind = { contents: contentFor, tick: 1 },
  ) {
    this.#contents = contents;
    this.#tick = tick;
    const [one, other] = clients;
    this.#states = [new ClientState(one, new Person(one)), new ClientState(other, new Person(other))];
    this.#folder = folder;
    this.#disk = disk;
  }

  /** Performs a step and checks its results: the answer, its error kind, and the events of both clients. */
  async run(step: Step): Promise<void> {
    for (const { client } of this.#states) client.time.pass(step.do === "rest" ? restTakes : stepTakes);
    const events = await this.#run(step, this.#states[step.client]);
    for (const [index, { client }] of this.#states.entries()) {
      const expected = index === step.client ? events : [];
      const reported = client.takeEvents();
      assert.deepEqual(
        reported,
        expected.map((event, position) => {
          const [first, ...others] = (typeof event === "string" ? [event] : event).map((one) => this.#named(one));
          return others.find((other) => other === reported[position]) ?? first;
        }),
        `events of client ${index}`,
      );
    }
  }

  /** Compares the content of the server's disk with the model: nothing is lost, and nothing is added. */
  compare(): void {
    const disk = diskTree(this.#disk);
    const expected = this.#tree
      .entries()
      .map(([path, node]) => [path, node.type === "file" ? node.content : "directory"]);
    assert.deepEqual(disk, Object.fromEntries(expected.toSorted()), "what is on the server");
  }

  closeAll(): void {
    for (const { person } of this.#states) person.closeAll();
  }

  /** Returns the events that the client must have reported. */
  async #run(step: Step, state: ClientState): Promise<readonly ExpectedEvent[]> {
    switch (step.do) {
      case "rest":
        return [];
      case "read":
        return this.#read(state, step.path);
      case "look":
        return this.#look(state, step.path);
      case "glance":
        return this.#glance(state, step.path);
      case "list":
        return this.#list(state, step.path);
      case "open":
        return this.#open(state, step.path);
      case "type":
        if (state.documents.has(step.path))
          state.person.type(this.#at(step.path), this.#contents(step.path, step.content));
        return [];
      case "save":
        return this.#save(state, step.path, false);
      case "overwrite":
        return this.#save(state, step.path, true);
      case "revert":
        return this.#revert(state, step.path);
      case "close":
        this.#close(state, step.path);
        return [];
      case "write":
        return this.#write(state, step.path, this.#contents(step.path, step.content), step.overwrite);
      case "burst":
        return this.#burst(state, step.path, step.contents);
      case "createDirectory":
        return this.#createDirectory(state, step.path);
      case "delete":
        return this.#delete(state, step.path, step.recursive);
      case "rename":
        return this.#rename(state, step.path, step.to, step.overwrite);
      case "copy":
        return this.#copy(state, step.path, step.to, step.overwrite);
    }
  }

  async #read(state: ClientState, path: string): Promise<readonly string[]> {
    const since = state.readableSince(path, this.#tree.time);
    const outcome = await this.#attempt(expectRead(this.#tree, path, since), () =>
      state.client.files.readFile(this.#uri(state, path)),
    );
    if (outcome.type === "worked") this.#keepRead(state, path, since, outcome.value);
    return [];
  }

  async #look(state: ClientState, path: string): Promise<readonly string[]> {
    this.#refresh(state);
    state.glanced(path, this.#tree.time);
    const node = this.#tree.get(path);
    const expected = expectLook(this.#tree, path);
    const outcome = await this.#attempt(expected, () => state.client.files.stat(this.#uri(state, path)));
    if (outcome.type === "worked" && node !== undefined) {
      const isFile = node.type === "file";
      assert.equal(outcome.value.type, isFile ? vscode.FileType.File : vscode.FileType.Directory, "its type");
      if (isFile && !state.documents.has(path)) {
        const there = await stat(join(this.#disk, path));
        assert.equal(outcome.value.size, there.size, "its size");
        // The server rounds to microseconds, which can lead to the next millisecond.
        const times = [there.mtimeMs, there.mtimeMs + 0.001].map((time) => Math.floor(time / this.#tick) * this.#tick);
        assert.ok(times.includes(outcome.value.mtime), `its time ${outcome.value.mtime}, and it is ${there.mtimeMs}`);
      }
    }
    return [];
  }

  /** Without a refresh: any state of a path since this client last knew it for certain. */
  async #glance(state: ClientState, path: string): Promise<readonly string[]> {
    state.glanced(path, this.#tree.time);
    const known = this.#tree.since(path, state.learnedAt(path));
    const wasAbsent = known.includes(undefined);
    const codes = wasAbsent ? expectLook(this.#tree, path).codes.concat("FileNotFound") : [];
    const expected = { mayWork: known.some((node) => node !== undefined), codes };
    const outcome = await this.#attempt(expected, () => state.client.files.stat(this.#uri(state, path)));
    if (outcome.type === "worked") {
      const types: readonly vscode.FileType[] = known.map((node) =>
        node?.type === "file" ? vscode.FileType.File : vscode.FileType.Directory,
      );
      assert.ok(types.includes(outcome.value.type), `its type is ${outcome.value.type}`);
    }
    return [];
  }

  async #list(state: ClientState, path: string): Promise<readonly string[]> {
    this.#refresh(state);
    const expected = expectList(this.#tree, path);
    const outcome = await this.#attempt(expected, () => state.client.files.readDirectory(this.#uri(state, path)));
    if (outcome.type === "worked") {
      const below = this.#tree.below(path).filter((child) => !child.slice(path.length + 1).includes("/"));
      const wanted = below.map((child) => [
        child.slice(path.length + 1),
        this.#tree.get(child)?.type === "file" ? 1 : 2,
      ]);
      assert.deepEqual(outcome.value.filter(([name]) => name !== ".ipynb_checkpoints").toSorted(), wanted.toSorted());
    }
    return [];
  }

  async #open(state: ClientState, path: string): Promise<readonly string[]> {
    if (state.documents.has(path)) return [];
    const since = state.readableSince(path, this.#tree.time);
    const expected = expectRead(this.#tree, path, since);
    state.glanced(path, this.#tree.time);
    const outcome = await this.#attempt(expected, () => state.person.open(this.#at(path)));
    if (outcome.type === "worked") {
      state.documents.set(path, this.#keepRead(state, path, since, outcome.value));
    }
    return [];
  }

  async #save(state: ClientState, path: string, isDecided: boolean): Promise<readonly ExpectedEvent[]> {
    const base = state.documents.get(path);
    const { person } = state;
    if (base === undefined || !person.isDirty(this.#at(path))) return [];
    const bytes = person.bytes(this.#at(path));
    const isThere = this.#tree.get(path) !== undefined;
    // A client that hasn't seen the deletion, because it just requested the status, reports a change.
    const wasSeen = this.#tree
      .since(path, state.savableSince(path, this.#tree.time))
      .some((node) => node?.type === "file");
    const parents = isThere ? [] : missingParents(this.#tree, path);
    const expected = expectSave(this.#tree, path, bytes, base, isDecided);
    const outcome = await this.#attempt(expected, () => person.save(this.#at(path), isDecided));
    if (outcome.type === "failed") {
      assert.ok(person.isDirty(this.#at(path)), "the editor shows unsaved changes");
      return [];
    }
    for (const parent of parents) this.#tree.createDirectory(parent);
    this.#tree.write(path, bytes);
    state.documents.set(path, this.#fileAt(path));
    this.#keepBase(state, path);
    const [created, changed] = [`created ${path}`, `changed ${path}`] as const;
    return [
      ...parents.map((parent) => `created ${parent}`),
      isThere ? changed : wasSeen ? [created, changed] : created,
    ];
  }

  async #revert(state: ClientState, path: string): Promise<readonly string[]> {
    if (!state.documents.has(path)) return [];
    const { time } = this.#tree;
    const outcome = await this.#attempt(expectRead(this.#tree, path, time), () => state.person.revert(this.#at(path)));
    if (outcome.type === "worked") {
      state.documents.set(path, this.#keepRead(state, path, time, state.person.bytes(this.#at(path))));
    }
    return [];
  }

  async #write(state: ClientState, path: string, bytes: Uint8Array, overwrite: boolean): Promise<readonly string[]> {
    if (state.documents.has(path)) return [];
    const isThere = this.#tree.get(path) !== undefined;
    const wasSeenAbsent = this.#tree.since(path, state.learnedAt(path)).includes(undefined);
    const expected = expectWrite(this.#tree, path, overwrite, state.bases.get(path), wasSeenAbsent);
    const outcome = await this.#attempt(expected, () =>
      state.client.files.writeFile(this.#uri(state, path), bytes, { create: true, overwrite }),
    );
    if (outcome.type === "failed") return [];
    this.#tree.write(path, bytes);
    this.#keepBase(state, path);
    return [isThere ? `changed ${path}` : `created ${path}`];
  }

  /** Several simultaneous writes of one client run one after the other, and the last one remains. */
  async #burst(state: ClientState, path: string, contents: readonly number[]): Promise<readonly string[]> {
    const node = this.#tree.get(path);
    const isOurs = node?.type === "file" && state.bases.get(path)?.revision === node.revision;
    if (!isOurs || state.documents.has(path)) return [];
    const all = contents.map((content) => this.#contents(path, content));
    await Promise.all(
      all.map((bytes) =>
        state.client.files.writeFile(this.#uri(state, path), bytes, { create: true, overwrite: true }),
      ),
    );
    for (const bytes of all) this.#tree.write(path, bytes);
    this.#keepBase(state, path);
    return all.map(() => `changed ${path}`);
  }

  async #createDirectory(state: ClientState, path: string): Promise<readonly string[]> {
    const outcome = await this.#attempt(expectCreateDirectory(this.#tree, path), () =>
      state.client.files.createDirectory(this.#uri(state, path)),
    );
    if (outcome.type === "failed") return [];
    this.#tree.createDirectory(path);
    state.learned(path, this.#tree.time);
    return [`created ${path}`];
  }

  async #delete(state: ClientState, path: string, recursive: boolean): Promise<readonly string[]> {
    this.#closeBelow(state, path);
    const outcome = await this.#attempt(expectDelete(this.#tree, path, recursive), () =>
      state.client.files.delete(this.#uri(state, path), { recursive }),
    );
    if (outcome.type === "failed") return [];
    this.#tree.delete(path);
    state.learned(path, this.#tree.time);
    return [`deleted ${path}`];
  }

  async #rename(state: ClientState, from: string, to: string, overwrite: boolean): Promise<readonly string[]> {
    this.#closeBelow(state, from);
    this.#closeBelow(state, to);
    const outcome = await this.#attempt(expectRename(this.#tree, from, to, this.#manner(state, to, overwrite)), () =>
      state.client.files.rename(this.#uri(state, from), this.#uri(state, to), { overwrite }),
    );
    if (outcome.type === "failed" || from === to) return [];
    for (const parent of missingParents(this.#tree, to)) this.#tree.createDirectory(parent);
    this.#tree.move(from, to);
    state.moved(from, to);
    state.learned(from, this.#tree.time);
    state.learned(to, this.#tree.time);
    return [`deleted ${from}`, `created ${to}`];
  }

  async #copy(state: ClientState, from: string, to: string, overwrite: boolean): Promise<readonly string[]> {
    this.#closeBelow(state, to);
    // A copy is based on a recent status. If the source became a directory meanwhile, servers copy it as one.
    if (new Set(this.#tree.since(from, state.learnedAt(from)).map((node) => node?.type)).size > 1) this.#refresh(state);
    const isThere = this.#tree.get(to) !== undefined;
    const outcome = await this.#attempt(expectCopy(this.#tree, from, to, this.#manner(state, to, overwrite)), () =>
      state.client.files.copy(this.#uri(state, from), this.#uri(state, to), { overwrite }),
    );
    if (outcome.type === "failed") return [];
    for (const parent of missingParents(this.#tree, to)) this.#tree.createDirectory(parent);
    this.#tree.copy(from, to);
    state.learned(to, this.#tree.time);
    return [isThere ? `changed ${to}` : `created ${to}`];
  }

  #manner(
    state: ClientState,
    to: string,
    overwrite: boolean,
  ): { readonly overwrite: boolean; readonly parentSeen: boolean } {
    const parent = parentOf(to);
    const seen = this.#tree.since(parent, state.learnedAt(parent));
    return { overwrite, parentSeen: seen.some((node) => node?.type === "directory") };
  }

  async #attempt<T>(expected: Expectation, work: () => Promise<T>): Promise<Outcome<T>> {
    const outcome = await outcomeOf(work);
    const isExpected = outcome.type === "worked" ? expected.mayWork : expected.codes.includes(outcome.code);
    if (!isExpected) {
      const wanted = [...(expected.mayWork ? ["to work"] : []), ...expected.codes].join(" or ");
      const came = outcome.type === "worked" ? "it worked" : `${outcome.code}: ${outcome.error.message}`;
      assert.fail(`expected ${wanted}, and ${came}`);
    }
    return outcome;
  }

  #refresh(state: ClientState): void {
    state.client.refresh();
    state.refreshed(this.#tree.time);
  }

  /**
   * Checks bytes that this client has read, which must be a state of the file since then, and records their version.
   */
  #keepRead(state: ClientState, path: string, since: number, bytes: Uint8Array): FileNode {
    const content = comparableBytes(bytes);
    const current = this.#tree.get(path);
    if (current?.type === "file" && current.content === content) {
      this.#keepBase(state, path);
      return current;
    }
    const earlier = this.#tree
      .since(path, since)
      .findLast((node): node is FileNode => node?.type === "file" && node.content === content);
    if (earlier === undefined) assert.equal(content, this.#fileAt(path).content, "its bytes");
    const node = earlier ?? this.#fileAt(path);
    state.bases.set(path, node);
    state.learned(path, since);
    return node;
  }

  #fileAt(path: string): FileNode {
    const node = this.#tree.get(path);
    if (node?.type !== "file") assert.fail(`the model has no file ${path}`);
    return node;
  }

  /** This client now knows the current version. The base of an editor with unsaved changes does not change. */
  #keepBase(state: ClientState, path: string): void {
    const base: Base = this.#fileAt(path);
    state.bases.set(path, base);
    state.learned(path, this.#tree.time);
  }

  #close(state: ClientState, path: string): void {
    if (!state.documents.delete(path)) return;
    state.person.close(this.#at(path));
    state.bases.delete(path);
  }

  #closeBelow(state: ClientState, path: string): void {
    for (const open of [...state.documents.keys()]) if (open === path || isBelow(open, path)) this.#close(state, open);
  }

  #at(path: string): string {
    return `${this.#folder}/${path}`;
  }

  #uri(state: ClientState, path: string): vscode.Uri {
    return state.client.uri(this.#at(path));
  }

  #named(event: string): string {
    return event.replace(" ", ` ${this.#folder}/`);
  }
}

async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { type: "worked", value: await work() };
  } catch (error) {
    if (error instanceof ModifiedSinceError) return { type: "failed", code: "newer", error };
    if (error instanceof vscode.FileSystemError) return { type: "failed", code: error.code, error };
    throw error;
  }
}

import assert from "node:assert/strict";
import { CheckpointHistory, type HistoryEntry } from "../../src/features/checkpoints/history.ts";
import { fileSystemError } from "../../src/file-system/editor-errors.ts";
import { FileError } from "../../src/file-system/errors.ts";
import { addressOf } from "../../src/tenants/workspace-uri.ts";
import type { Person } from "./person.ts";
import { comparable, type Tree } from "./place.ts";

/** A user's action, in its own folder. Paths are relative to that folder. */
export interface Operation {
  readonly name: string;
  /** The server's content before, and after success. */
  readonly before: Tree;
  readonly after: Tree;
  /** Its file counts as large, and is written in chunks. */
  readonly isBig?: boolean;
  /** A variant of another operation, for which a few typical faults are enough. */
  readonly isVariant?: boolean;
  /** Preceding steps, which succeed. */
  arrange?(person: Person, at: (path: string) => string): Promise<void>;
  /** Throws what the editor would show; an assertion error if it was given wrong information. */
  act(person: Person, at: (path: string) => string): Promise<void>;
  /** What the user must still have after a failure. */
  kept?(person: Person, at: (path: string) => string): void;
}

const book = (source: string): string =>
  JSON.stringify({
    cells: [
      { cell_type: "code", execution_count: null, id: "a1", metadata: { large: 1 }, outputs: [], source: [source] },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });
const long = (word: string): string => `${word} `.repeat(400);
const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8");

function saving(name: string, path: string, old: string, edited: string): Operation {
  return {
    name,
    before: { [path]: old, "other.txt": "other\n" },
    after: { [path]: edited, "other.txt": "other\n" },
    async arrange(person, at) {
      // As the Explorer does. Otherwise the editor, which treats any failure as a missing file, looks for the folder in
      // all folders.
      await person.client.files.readDirectory(person.client.uri(at("")));
      await person.open(at(path));
      person.type(at(path), bytes(edited));
      // Longer than a read serves the editor's status request before a save.
      person.client.time.pass(250);
    },
    act: (person, at) => person.save(at(path)),
    kept(person, at) {
      assert.equal(person.isDirty(at(path)), true, "the editor shows unsaved changes");
      assert.deepEqual(person.bytes(at(path)), bytes(edited), "the editor keeps what was typed");
    },
  };
}

function opening(name: string, path: string, content: string): Operation {
  return {
    name,
    before: { [path]: content },
    after: { [path]: content },
    async act(person, at) {
      const read = Buffer.from(await person.open(at(path))).toString("utf8");
      assert.equal(comparable(path, read), comparable(path, content), "what was read is what is there");
    },
  };
}

function history({ client }: Person, path: string): CheckpointHistory {
  return new CheckpointHistory(client.files, client.storage, addressOf(client.uri(path)));
}

/** An action with the checkpoints of `a.txt`. Its errors have the file system's messages. */
function checkpointing(
  name: string,
  before: Tree,
  after: Tree,
  work: (history: CheckpointHistory) => Promise<unknown>,
): Operation {
  return {
    name,
    before,
    after,
    async act(person, at) {
      try {
        await work(history(person, at("a.txt")));
      } catch (error) {
        throw fileSystemError(error);
      }
    },
  };
}

async function theCheckpoint(history: CheckpointHistory): Promise<HistoryEntry> {
  const entry = (await history.list()).find(({ type }) => type === "checkpoint");
  if (entry === undefined) throw new FileError("notFound", "a.txt", "There is no checkpoint.");
  return entry;
}

/** An operation that is refused with these words, and that changes nothing. */
function refused(name: string, before: Tree, words: RegExp, work: Operation["act"]): Operation {
  return {
    name,
    before,
    after: before,
    isVariant: true,
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
    async act(person, at) {
      const error: unknown = await work(person, at).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (!(error instanceof Error)) assert.fail("it worked");
      if (!words.test(error.message)) throw error;
    },
  };
}

/** The same operation on a computer whose disk is full. */
function onFullDisk(operation: Operation): Operation {
  return {
    ...operation,
    name: `${operation.name}, with a full disk of this computer`,
    isVariant: true,
    async arrange(person, at) {
      person.client.fillDisk();
      await operation.arrange?.(person, at);
    },
  };
}

const linked: Tree = { "inner/deep.txt": long("deep"), "inner/more.txt": "more\n", again: "link to inner" };

const saved = long("saved");
const earlier = long("earlier");

const wholeOperations: readonly Operation[] = [
  {
    name: "expand a folder",
    before: { "a.txt": "a\n", "b/c.txt": "c\n" },
    after: { "a.txt": "a\n", "b/c.txt": "c\n" },
    async act(person, at) {
      const entries = await person.client.files.readDirectory(person.client.uri(at("")));
      assert.deepEqual(entries.map(([name]) => name).sort(), ["a.txt", "b"]);
    },
  },
  opening("open a file", "a.txt", long("text")),
  opening("open a notebook", "book.ipynb", book(long("1 + 1"))),
  saving("save a file", "a.txt", long("old"), long("edited")),
  saving("save a notebook", "book.ipynb", book(long("old")), book(long("edited"))),
  {
    name: "create a file",
    before: { "other.txt": "other\n" },
    after: { "other.txt": "other\n", "new.py": long("new") },
    act: ({ client }, at) =>
      client.files.writeFile(client.uri(at("new.py")), bytes(long("new")), { create: true, overwrite: true }),
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
  },
  {
    name: "create a notebook",
    before: {},
    after: { "new.ipynb": book("new") },
    act: ({ client }, at) =>
      client.files.writeFile(client.uri(at("new.ipynb")), bytes(book("new")), { create: true, overwrite: true }),
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
  },
  {
    name: "create a folder",
    before: { "other.txt": "other\n" },
    after: { "other.txt": "other\n", folder: "directory" },
    act: ({ client }, at) => client.files.createDirectory(client.uri(at("folder"))),
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
  },
  {
    name: "rename a file",
    before: { "a.txt": long("a") },
    after: { "b.txt": long("a") },
    act: ({ client }, at) =>
      client.files.rename(client.uri(at("a.txt")), client.uri(at("b.txt")), { overwrite: false }),
  },
  {
    name: "rename a file onto another",
    before: { "a.txt": long("a"), "b.txt": long("b") },
    after: { "b.txt": long("a") },
    act: ({ client }, at) => client.files.rename(client.uri(at("a.txt")), client.uri(at("b.txt")), { overwrite: true }),
  },
  {
    name: "copy a file",
    before: { "a.txt": long("a") },
    after: { "a.txt": long("a"), "b.txt": long("a") },
    act: ({ client }, at) => client.files.copy(client.uri(at("a.txt")), client.uri(at("b.txt")), { overwrite: false }),
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
  },
  {
    name: "copy a folder",
    before: { "f/a.txt": long("a"), "f/g/b.txt": "b\n" },
    after: { "f/a.txt": long("a"), "f/g/b.txt": "b\n", "h/a.txt": long("a"), "h/g/b.txt": "b\n" },
    act: ({ client }, at) => client.files.copy(client.uri(at("f")), client.uri(at("h")), { overwrite: false }),
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
  },
  {
    name: "delete a file",
    before: { "a.txt": "a\n", "other.txt": "other\n" },
    after: { "other.txt": "other\n" },
    act: ({ client }, at) => client.files.delete(client.uri(at("a.txt")), { recursive: false }),
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
  },
  {
    name: "delete a folder",
    // One file: with several at the same time, it is unknown which one fails first.
    before: { "f/g/b.txt": "b\n", "other.txt": "other\n" },
    after: { "other.txt": "other\n" },
    act: ({ client }, at) => client.files.delete(client.uri(at("f")), { recursive: true }),
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
  },
  {
    name: "upload a big file",
    isBig: true,
    before: { "other.txt": "other\n" },
    after: { "other.txt": "other\n", "big.txt": long("uploaded") },
    act: ({ client }, at) =>
      client.files.writeFile(client.uri(at("big.txt")), bytes(long("uploaded")), { create: true, overwrite: true }),
    arrange: async ({ client }, at) => void (await client.files.readDirectory(client.uri(at("")))),
  },
  { ...saving("save a big file", "big.txt", long("old"), long("rewritten")), isBig: true },
  checkpointing(
    "create a checkpoint",
    { "a.txt": saved },
    { "a.txt": saved, "checkpoint of a.txt": saved },
    (history) => history.create(),
  ),
  checkpointing(
    "restore a checkpoint",
    { "a.txt": saved, "checkpoint of a.txt": earlier },
    { "a.txt": earlier, "checkpoint of a.txt": earlier },
    async (history) => history.restore(await theCheckpoint(history)),
  ),
  checkpointing(
    "delete a checkpoint",
    { "a.txt": saved, "checkpoint of a.txt": earlier },
    { "a.txt": saved },
    async (history) => history.delete(await theCheckpoint(history)),
  ),
];

function named(name: string): Operation {
  return wholeOperations.find((operation) => operation.name === name) ?? assert.fail(name);
}

export const operations: readonly Operation[] = [
  ...wholeOperations,
  {
    ...saving("save a file through a link", "a.txt", long("old"), long("edited")),
    isVariant: true,
    before: { "a.txt": "link to real.txt", "real.txt": long("old") },
    after: { "a.txt": "link to real.txt", "real.txt": long("edited") },
  },
  {
    name: "rename a link",
    isVariant: true,
    before: linked,
    after: { "inner/deep.txt": long("deep"), "inner/more.txt": "more\n", renamed: "link to inner" },
    act: ({ client }, at) =>
      client.files.rename(client.uri(at("again")), client.uri(at("renamed")), { overwrite: false }),
  },
  refused("delete a link to a folder", linked, /it seems to be a link/, ({ client }, at) =>
    client.files.delete(client.uri(at("again")), { recursive: true }),
  ),
  refused(
    "delete a folder with a link",
    { "f/a.txt": "a\n", "f/up": "link to .." },
    /Nothing was deleted/,
    (person, at) => person.client.files.delete(person.client.uri(at("f")), { recursive: true }),
  ),
  refused("copy a folder with a link", { "f/a.txt": "a\n", "f/up": "link to .." }, /Nothing was copied/, (person, at) =>
    person.client.files.copy(person.client.uri(at("f")), person.client.uri(at("g")), { overwrite: false }),
  ),
  onFullDisk(named("save a file")),
  onFullDisk(named("save a big file")),
  refused(
    "rename a file onto another, with a full disk of this computer",
    named("rename a file onto another").before,
    /disk space on this computer/,
    (person, at) => {
      person.client.fillDisk();
      return named("rename a file onto another").act(person, at);
    },
  ),
];

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { registerServerVersions } from "../../src/file-system/merge/server-version.ts";
import { editor } from "../harness/editor-stand-in/vscode.ts";
import { PersonalTime } from "../harness/personal-time.ts";
import type { FaultMatch } from "../harness/proxy.ts";
import { type ContentPlace, FilesClient } from "./client.ts";
import { ModifiedSinceError, Person } from "./person.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { patientTransport } from "./transport.ts";

const book = (source: string): string =>
  JSON.stringify({
    cells: [{ cell_type: "code", execution_count: null, id: "a1", metadata: {}, outputs: [], source: [source] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });

/** A client that repeats no failed save by itself, because that would write the file while a test reads it. */
function connected(place: ContentPlace): Promise<FilesClient> {
  return FilesClient.connect(place, { transport: patientTransport(), retryTime: new PersonalTime() });
}

describe("a notebook whose save the server stored while the connection broke", () => {
  let place: FaultyPlace;
  let client: FilesClient;
  let person: Person;
  let path: string;
  let contents: string;

  before(async () => {
    place = await startFaultyPlace();
  });
  after(() => place.stop());

  beforeEach(async () => {
    const lane = place.lane();
    client = await connected(lane);
    person = new Person(client);
    path = `${randomUUID()}.ipynb`;
    contents = `${lane.prefix}api/contents/${path}`;
    await writeFile(join(place.root, path), book("old"));
    await person.open(path);
    type("sent");
    // The answer is cut off, and so is the request that checks whether the save succeeded.
    const restores = [
      place.proxy.addFault({ match: { method: "PUT", path: contents }, action: { kind: "cut", when: "after" } }),
      place.proxy.addFault({ match: reading(), action: { kind: "cut", when: "before" } }),
    ];
    await assert.rejects(person.save(path), { code: "Unavailable" });
    for (const restore of restores) restore();
    await place.proxy.settled(contents);
    assert.match(await onServer(), /sent/);
    client.time.pass(250);
  });
  afterEach(() => {
    person.closeAll();
    client.dispose();
  });

  /** Reads of the content, without requests for its version. */
  const reading = (): FaultMatch => ({ method: "GET", path: new RegExp(`/${path}\\?.*content=1`) });
  const onServer = (): Promise<string> => readFile(join(place.root, path), "utf8");
  const type = (source: string): void => {
    person.type(path, Buffer.from(book(source)));
    client.time.pass(250);
  };

  it("is saved again without a question, with later edits", async () => {
    type("typed since");
    await person.save(path);
    assert.match(await onServer(), /typed since/);
    assert.equal(person.isDirty(path), false);
    type("and later");
    await person.save(path);
    assert.match(await onServer(), /and later/);
  });

  it("needs no merge, and what was typed before it is saved without a question", async () => {
    const provider = registerServerVersions(client.files);
    try {
      await person.merge(path);
      assert.match(editor.messages.at(-1)?.text ?? "", /There is nothing to merge\./);
      person.undo(path);
      type("old, and more");
      client.time.pass(6_000);
      await person.save(path);
      assert.match(await onServer(), /old, and more/);
    } finally {
      provider.dispose();
    }
  });

  it("is not overwritten once someone else has saved it", async () => {
    await writeFile(join(place.root, path), book("theirs"));
    await assert.rejects(person.save(path), ModifiedSinceError);
    assert.match(await onServer(), /theirs/);
  });

  it("is not overwritten while the server's version can't be read", async () => {
    const restore = place.proxy.addFault({
      match: reading(),
      action: { kind: "response", status: 500, body: "{}" },
    });
    await assert.rejects(person.save(path), ModifiedSinceError);
    restore();
    await person.save(path);
    assert.equal(person.isDirty(path), false);
  });

  it("is not overwritten from a newer copy, because someone may have restored that content", async () => {
    const theirs = book("theirs");
    await writeFile(join(place.root, path), theirs);
    await person.revert(path);
    type("mine");
    await writeFile(join(place.root, path), book("sent"));
    await assert.rejects(person.save(path), ModifiedSinceError);
    assert.match(await onServer(), /sent/);
  });
});

for (const [saved, other] of [
  ["notebook", "text"],
  ["text", "notebook"],
] as const) {
  it(`what a ${saved} editor saved while the connection broke isn't overwritten from a ${other} editor of the same file`, async () => {
    const place = await startFaultyPlace();
    const lane = place.lane();
    const client = await connected(lane);
    const person = new Person(client);
    const path = `${randomUUID()}.ipynb`;
    const contents = `${lane.prefix}api/contents/${path}`;
    const onServer = (): Promise<string> => readFile(join(place.root, path), "utf8");
    try {
      await writeFile(join(place.root, path), book("old"));
      for (const kind of [saved, other]) {
        await person.open(path, kind);
        client.time.pass(250);
      }
      person.type(path, Buffer.from(book("sent")), saved);
      person.type(path, Buffer.from(book("another")), other);
      client.time.pass(250);
      const restores = [
        place.proxy.addFault({ match: { method: "PUT" }, action: { kind: "cut", when: "after" } }),
        place.proxy.addFault({ match: { method: "GET", path: /content=1/ }, action: { kind: "cut", when: "before" } }),
      ];
      await assert.rejects(person.save(path, false, saved), { code: "Unavailable" });
      for (const restore of restores) restore();
      await place.proxy.settled(contents);
      client.time.pass(6_000);
      await assert.rejects(person.save(path, false, other), ModifiedSinceError);
      assert.match(await onServer(), /sent/);
      await person.save(path, false, saved);
      assert.equal(person.isDirty(path, saved), false);
    } finally {
      person.closeAll();
      client.dispose();
      await place.stop();
    }
  });
}

it("a text of the same size whose save the server stored while the connection broke is saved again without a question", async () => {
  const place = await startFaultyPlace();
  const lane = place.lane();
  const client = await connected(lane);
  const person = new Person(client);
  const path = `${randomUUID()}.txt`;
  try {
    await writeFile(join(place.root, path), "old");
    await person.open(path);
    person.type(path, Buffer.from("new"));
    client.time.pass(250);
    const restores = [
      place.proxy.addFault({ match: { method: "PUT" }, action: { kind: "cut", when: "after" } }),
      place.proxy.addFault({ match: { method: "GET", path: /content=1/ }, action: { kind: "cut", when: "before" } }),
    ];
    await assert.rejects(person.save(path), { code: "Unavailable" });
    for (const restore of restores) restore();
    await place.proxy.settled(`${lane.prefix}api/contents/${path}`);
    assert.equal(await readFile(join(place.root, path), "utf8"), "new");
    client.time.pass(250);
    await person.save(path);
    person.type(path, Buffer.from("two"));
    client.time.pass(250);
    await writeFile(join(place.root, path), "six");
    await assert.rejects(person.save(path), ModifiedSinceError);
  } finally {
    person.closeAll();
    client.dispose();
    await place.stop();
  }
});

it("a notebook of whose save nobody knows the cell ids is saved again after the same was saved elsewhere", async () => {
  const place = await startFaultyPlace();
  const client = await connected(place.lane());
  const person = new Person(client);
  const path = `${randomUUID()}.ipynb`;
  const onServer = (): Promise<string> => readFile(join(place.root, path), "utf8");
  try {
    await writeFile(join(place.root, path), book("old"));
    await person.open(path);
    person.type(path, Buffer.from(book("mine")));
    client.time.pass(250);
    await person.save(path);
    // A server that gives cells other ids has stored them with the save, or with that of another window.
    await writeFile(join(place.root, path), (await onServer()).replace('"a1"', '"b1"'));
    person.type(path, Buffer.from(book("and more")));
    client.time.pass(250);
    await person.save(path);
    assert.match(await onServer(), /and more/);
    await writeFile(join(place.root, path), (await onServer()).replace("and more", "and four"));
    person.type(path, Buffer.from(book("another")));
    client.time.pass(250);
    await assert.rejects(person.save(path), ModifiedSinceError);
    assert.match(await onServer(), /and four/);
  } finally {
    person.closeAll();
    client.dispose();
    await place.stop();
  }
});

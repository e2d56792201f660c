import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registerServerVersions } from "../../src/file-system/merge/server-version.ts";
import { editDelayMs } from "../../src/file-system/session/open-documents.ts";
import { EditorWindow } from "../harness/editor-stand-in/vscode.ts";
import { FilesClient } from "./client.ts";
import { ModifiedSinceError, Person } from "./person.ts";
import { type FaultyPlace, startFaultyPlace } from "./place.ts";
import { type PatientTransport, patientTransport } from "./transport.ts";

const book = (...words: readonly string[]): string =>
  JSON.stringify({
    cells: words.map((source) => ({
      ...{ cell_type: "code", execution_count: null, id: `id-${source}`, metadata: {}, outputs: [] },
      source,
    })),
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });

interface Window {
  readonly client: FilesClient;
  readonly provider: { dispose(): unknown };
  run<T>(work: (person: Person) => T): T;
}

/** What random sequences of steps of two windows and of colleagues have found. */
describe("windows with one storage, and files with links", () => {
  let place: FaultyPlace;
  let transport: PatientTransport;
  let storage: string;
  let open: () => Promise<Window>;
  const windows: Window[] = [];

  before(async () => {
    place = await startFaultyPlace();
  });
  after(() => place.stop());

  beforeEach(async () => {
    transport = patientTransport();
    storage = await mkdtemp(join(tmpdir(), "platform-workbench-stored-"));
    const lane = place.lane();
    const tenantId = `tenant-${randomUUID()}`;
    open = async () => {
      const editor = new EditorWindow();
      const window = await editor.run(async () => {
        const client = await FilesClient.connect(lane, { transport, storage, tenantId });
        const person = new Person(client);
        const provider = registerServerVersions(client.files);
        return { client, provider, run: <T>(work: (person: Person) => T): T => editor.run(() => work(person)) };
      });
      windows.push(window);
      return window;
    };
  });
  afterEach(async () => {
    for (const { client, provider, run } of windows.splice(0)) {
      run((person) => person.closeAll());
      provider.dispose();
      client.dispose();
    }
    await transport.close();
    await rm(storage, { recursive: true, force: true });
  });

  const onServer = (path: string): Promise<string> => readFile(join(place.root, path), "utf8");
  const put = (path: string, content: string): Promise<void> => writeFile(join(place.root, path), content);
  const laterIn = (...all: readonly Window[]): void => {
    for (const { client } of all) client.time.pass(6_000);
  };

  it("a window doesn't take the base of another window's unsaved copy for the file that it opens", async () => {
    const path = `${randomUUID()}.txt`;
    await put(path, "one\n");
    const one = await open();
    await one.run((person) => person.open(path));
    one.run((person) => person.type(path, Buffer.from("one and mine\n")));
    await one.client.files.stored();
    await put(path, "two and theirs\n");
    const other = await open();
    await other.run((person) => person.open(path));
    other.run((person) => person.type(path, Buffer.from("two and other\n")));
    // Of the size that the other window's editor assumes.
    await put(path, "six and theirs\n");
    laterIn(one, other);
    await assert.rejects(
      other.run((person) => person.save(path)),
      ModifiedSinceError,
    );
    assert.equal(await onServer(path), "six and theirs\n");
  });

  for (const extension of [".txt", ".ipynb"]) {
    it(`a window doesn't ask about a ${extension} because its content was once unsaved in another window`, async () => {
      const content = (...words: readonly string[]): string =>
        extension === ".txt" ? words.map((word) => `${word}\n`).join("") : book(...words);
      const path = `${randomUUID()}${extension}`;
      await put(path, content("a", "b", "c"));
      const one = await open();
      await one.run((person) => person.open(path));
      one.run((person) => person.type(path, Buffer.from(content("a", "c"))));
      await put(path, content("a", "b", "c", "theirs"));
      laterIn(one);
      await one.run((person) => person.merge(path));
      await one.client.files.stored();
      const other = await open();
      await other.run((person) => person.open(path));
      other.client.time.pass(editDelayMs);
      other.run((person) => person.type(path, Buffer.from(content("a", "c"))));
      laterIn(one, other);
      await other.run((person) => person.save(path));
      assert.doesNotMatch(await onServer(path), /theirs/);
    });
  }

  it("a change isn't overwritten after the user has reverted a text with a conflict, also through a link", async () => {
    const [path, link] = [`${randomUUID()}.txt`, `${randomUUID()}.txt`];
    await put(path, "one");
    await symlink(path, join(place.root, link));
    const window = await open();
    await window.run((person) => person.open(link));
    window.run((person) => person.type(link, Buffer.from("mine")));
    await put(path, "two");
    laterIn(window);
    await window.run((person) => person.revert(link));
    window.run((person) => person.type(link, Buffer.from("two and mine")));
    await put(path, "six");
    laterIn(window);
    await assert.rejects(
      window.run((person) => person.save(link)),
      ModifiedSinceError,
    );
    assert.equal(await onServer(path), "six");
  });

  for (const extension of [".txt", ".ipynb"]) {
    const content = (word: string): string => (extension === ".txt" ? word : book(word));

    it(`a ${extension} that someone else creates at the target of a broken link isn't overwritten`, async () => {
      const [path, link] = [`${randomUUID()}${extension}`, `${randomUUID()}${extension}`];
      await put(path, content("one"));
      await symlink(path, join(place.root, link));
      const window = await open();
      await window.run((person) => person.open(link));
      window.run((person) => person.type(link, Buffer.from(content("mine"))));
      await rm(join(place.root, path));
      laterIn(window);
      await assert.rejects(window.run((person) => person.save(link)));
      await put(path, content("theirs"));
      laterIn(window);
      await assert.rejects(window.run((person) => person.save(link)));
      assert.equal(await onServer(path), content("theirs"));
    });

    it(`a restored ${extension} whose base is unknown isn't created again without a question`, async () => {
      const path = `${randomUUID()}${extension}`;
      await put(path, content("one"));
      const one = await open();
      await one.run((person) => person.open(path));
      const seen = one.run((person) => person.seen(path));
      await rm(join(place.root, path));
      const other = await open();
      other.run((person) => {
        const bytes = Buffer.from(content("mine"));
        if (extension === ".txt") person.restore(path, bytes, seen);
        else person.restoreNotebook(path, bytes, seen, { hasTab: true });
      });
      laterIn(one, other);
      await assert.rejects(
        other.run((person) => person.save(path)),
        { code: "Unavailable", message: /renamed or deleted/ },
      );
      await assert.rejects(onServer(path), { code: "ENOENT" });
      await other.run((person) => person.save(path, true));
      assert.match(await onServer(path), /mine/);
    });

    it(`a change isn't overwritten after a ${extension} was saved through a link`, async () => {
      const [path, link] = [`${randomUUID()}${extension}`, `${randomUUID()}${extension}`];
      await put(path, content("one"));
      await symlink(path, join(place.root, link));
      const window = await open();
      await window.run((person) => person.open(link));
      for (const word of ["two", "three"]) {
        window.run((person) => person.type(link, Buffer.from(content(word))));
        laterIn(window);
        await window.run((person) => person.save(link));
      }
      assert.match(await onServer(path), /three/);
      window.run((person) => person.type(link, Buffer.from(content("four"))));
      await put(path, content("theirs"));
      laterIn(window);
      await assert.rejects(window.run((person) => person.save(link)));
      assert.match(await onServer(path), /theirs/);
    });
  }
});

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { editor, StandInDocument } from "../harness/editor-stand-in/vscode.ts";
import { until } from "../harness/until.ts";
import { FilesClient } from "./client.ts";
import { faults } from "./faults.ts";
import { Person } from "./person.ts";
import { type FaultyPlace, putTree, startFaultyPlace } from "./place.ts";
import { patientTransport } from "./transport.ts";

/** Faults that a retry does not resolve, and that fail immediately. */
const outages = faults.filter(({ name }) =>
  ["connection lost before the request, and offline", "403", "429", "500", "503", "gateway error page"].includes(name),
);
/** Longer than any listing is cached, in milliseconds. */
const listingIsOld = 5_200;

/** A folder with `a.txt` and `b` that the editor has seen, and that is not reachable that way for others. */
interface SeenFolder {
  readonly client: FilesClient;
  readonly path: string;
  readonly disk: string;
  readonly contents: string;
}

/** A person who saves a file while the whole tenant is down. */
describe("a save during an outage", () => {
  let place: FaultyPlace;
  before(async () => {
    place = await startFaultyPlace();
  });
  after(() => place.stop());

  for (const { name, action } of outages.filter((one) => !["403", "429", "500"].includes(one.name))) {
    it(`${name}: names the file, and is repeated when the server responds again, without a message for each attempt`, async () => {
      const path = `outage-${randomUUID()}`;
      const disk = join(place.root, path);
      putTree(disk, { "a.txt": "a\n" });
      const lane = place.lane();
      const client = await FilesClient.connect(lane, { transport: patientTransport() });
      const person = new Person(client);
      const file = `${path}/a.txt`;
      await person.open(file);
      person.type(file, Buffer.from("b\n"));
      client.time.pass(listingIsOld);
      const match = { path: `${lane.prefix}api/contents` };
      const restore = place.proxy.addFault({ match, action });

      const messages = editor.messages.length;
      await assert.rejects(person.save(file), (error: Error) => {
        assert.match(
          error.message,
          /^Can't save a\.txt: .+\. The file is saved automatically when Sales responds again\.$/,
        );
        assert.doesNotMatch(error.message, new RegExp(client.workspaceId));
        return true;
      });
      const before = place.proxy.count(match);
      client.time.pass(500);
      await until("it has asked again", () => {
        client.time.pass(1_000);
        return place.proxy.count(match) > before;
      });
      assert.equal(person.isDirty(file), true);
      assert.equal(editor.messages.length, messages, JSON.stringify(editor.messages.slice(messages)));

      restore();
      await until("the file is saved", () => {
        client.time.pass(1_000);
        return !person.isDirty(file);
      });
      assert.equal(await readFile(join(disk, "a.txt"), "utf8"), "b\n");
      assert.equal(editor.messages.length, messages, JSON.stringify(editor.messages.slice(messages)));
      person.closeAll();
      client.dispose();
    });
  }
});

/** The editor shows a folder that fails as empty. */
describe("a folder during an outage", () => {
  let place: FaultyPlace;
  const folders: SeenFolder[] = [];

  async function seenFolder(): Promise<SeenFolder> {
    const path = `outage-${randomUUID()}`;
    const disk = join(place.root, path);
    putTree(disk, { "a.txt": "a\n", b: "directory" });
    const lane = place.lane();
    const client = await FilesClient.connect(lane, { transport: patientTransport() });
    const folder = { client, path, disk, contents: `${lane.prefix}api/contents` };
    assert.deepEqual(await namesIn(folder), ["a.txt", "b"]);
    client.time.pass(listingIsOld);
    return folder;
  }
  const namesIn = async ({ client, path }: SeenFolder): Promise<readonly string[]> =>
    (await client.files.readDirectory(client.uri(path))).map(([name]) => name).sort();
  const take = (): SeenFolder => folders.pop() ?? assert.fail("one folder for each test");

  before(async () => {
    place = await startFaultyPlace();
    folders.push(...(await Promise.all(Array.from({ length: outages.length + 6 }, seenFolder))));
  });
  after(() => place.stop());

  for (const { name, action } of outages) {
    it(`${name}: shows its last known content with one message, and is read again afterward`, async () => {
      const folder = take();
      const { client, path, disk, contents } = folder;
      await writeFile(join(disk, "c.txt"), "c\n");
      const restore = place.proxy.addFault({ match: { path: contents }, action });

      assert.deepEqual(await namesIn(folder), ["a.txt", "b"]);
      const { type } = await client.files.stat(client.uri(path));
      assert.equal(type, 2);
      // What relies on the list is told, and nobody looked into the other folder before.
      const code = name === "403" ? "NoPermissions" : "Unavailable";
      await assert.rejects(client.files.listDirectory(client.uri(path)), { code });
      await assert.rejects(client.files.readDirectory(client.uri(`${path}/b`)), { code });
      const told = editor.messages.filter(({ text }) => text.includes(path));
      assert.equal(told.length, 1, JSON.stringify(told));

      restore();
      assert.deepEqual(await namesIn(folder), ["a.txt", "b", "c.txt"]);
      client.dispose();
    });
  }

  it("a file and a folder that nobody opened are as they were last seen, and deleting them says what failed", async () => {
    const { client, path, disk, contents } = take();
    const [file, folder] = [client.uri(`${path}/a.txt`), client.uri(`${path}/b`)];
    const { mtime, size } = await client.files.stat(file);
    client.time.pass(listingIsOld);
    const restore = place.proxy.addFault({
      match: { path: contents },
      action: { kind: "response", status: 503, body: "{}" },
    });
    // The editor says of an item without a status that it does not exist, and does not try to delete it.
    const status = await client.files.stat(file);
    assert.deepEqual([status.mtime, status.size], [mtime, size]);
    assert.equal((await client.files.stat(folder)).type, 2);
    for (const [uri, kind] of [
      [file, "a file"],
      [folder, "a folder"],
    ] as const) {
      const words = new RegExp(`^Can't delete ${path}/${uri.path.split("/").at(-1)}.* \\(503\\)`);
      await assert.rejects(client.files.delete(uri, { recursive: true }), { code: "Unavailable", message: words });
      // The failed change has invalidated what was listed.
      assert.equal((await client.files.stat(uri)).type, kind === "a file" ? 1 : 2);
    }
    assert.deepEqual((await readdir(disk)).sort(), ["a.txt", "b"]);
    restore();
    await client.files.delete(file, { recursive: false });
    const again = place.proxy.addFault({
      match: { path: contents },
      action: { kind: "response", status: 503, body: "{}" },
    });
    await assert.rejects(client.files.stat(file), "it was deleted");
    again();
    client.dispose();
  });

  it("a status is not made up: of what nobody has seen, and of a file with unsaved changes", async () => {
    const { client, path, contents } = take();
    const file = client.uri(`${path}/a.txt`);
    const restore = place.proxy.addFault({
      match: { path: contents },
      action: { kind: "response", status: 503, body: "{}" },
    });
    await assert.rejects(client.files.stat(client.uri(`${path}/c.txt`)), { code: "Unavailable" });
    const document = new StandInDocument(file, Buffer.from("a\n"), false);
    editor.open(document);
    editor.setDirty(document, true);
    await assert.rejects(client.files.stat(file), { code: "Unavailable" });
    editor.close(document);
    restore();
    client.dispose();
  });

  it("a refresh shows the last known content", async () => {
    const folder = take();
    const { client, contents } = folder;
    const restore = place.proxy.addFault({
      match: { path: contents },
      action: { kind: "response", status: 503, body: "{}" },
    });
    client.refresh();
    assert.deepEqual(await namesIn(folder), ["a.txt", "b"]);
    assert.equal((await client.files.stat(client.uri(`${folder.path}/a.txt`))).type, 1);
    // After signing out, nothing is left to show.
    client.files.deleteTenant(client.tenantId);
    await assert.rejects(namesIn(folder), { code: "Unavailable" });
    restore();
    client.dispose();
  });

  it("returns a file's last known metadata while the workspace is stopped, even after a failed change", async () => {
    const { client, path, contents } = take();
    const { mtime, size } = await client.files.stat(client.uri(`${path}/a.txt`));
    client.time.pass(listingIsOld);
    const stopped = faults.find(({ name }) => name === "workspace stopped") ?? assert.fail();
    const restore = place.proxy.addFault({ match: { path: contents }, action: stopped.action });
    const renamed = client.files.rename(client.uri(`${path}/a.txt`), client.uri(`${path}/z.txt`), { overwrite: false });
    await assert.rejects(renamed, { code: "Unavailable" });
    const status = await client.files.stat(client.uri(`${path}/a.txt`));
    assert.deepEqual([status.mtime, status.size], [mtime, size]);
    await assert.rejects(client.files.stat(client.uri(`${path}/z.txt`)), { code: "Unavailable" });
    await assert.rejects(client.files.readFile(client.uri(`${path}/a.txt`)), { code: "Unavailable" });
    restore();
    client.dispose();
  });

  it("shows no cached content after signing out", async () => {
    const folder = take();
    await folder.client.signOut();
    await assert.rejects(namesIn(folder), { code: "NoPermissions" });
    folder.client.dispose();
  });

  it("reports the server's error about the folder itself: that it no longer exists", async () => {
    const { client, path, disk } = take();
    await rm(disk, { recursive: true });
    await assert.rejects(client.files.readDirectory(client.uri(path)), { code: "FileNotFound" });
    await assert.rejects(client.files.stat(client.uri(path)), { code: "FileNotFound" });
    client.dispose();
  });
});

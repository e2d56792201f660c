import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConflictError } from "../../src/file-system/errors.ts";
import { WorkspaceFiles } from "../../src/file-system/provider/workspace-files.ts";
import type { FileChange } from "../../src/file-system/session/workspace-events.ts";
import { quietTransfers } from "../../src/file-system/transfer/long-transfers.ts";
import { EditorVersions } from "../../src/file-system/versions/editor-versions.ts";
import { SaveJournal } from "../../src/file-system/write/save-journal.ts";
import { editorsOf } from "../harness/open-editors.ts";
import { PersonalTime } from "../harness/personal-time.ts";
import { clientOf } from "./api-client.ts";
import { type Folder, newFolder, servers } from "./servers.ts";

/** What servers over object stores leave out of their items, or report as 1970. */
const lacking: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "no size": { size: undefined, hash: undefined, hash_algorithm: undefined },
  "no time": { last_modified: null, created: null, hash: undefined, hash_algorithm: undefined },
  "neither size nor time": { last_modified: null, created: null, size: null, writable: undefined, hash: null },
  "another form of the time after a save": { hash: undefined, hash_algorithm: undefined },
  "the time 1970": { last_modified: "1970-01-01T00:00:00Z", created: "1970-01-01T00:00:00Z", hash: null },
};
const notebook = (source: string): string =>
  JSON.stringify({ cells: [], metadata: { source }, nbformat: 4, nbformat_minor: 5 });

for (const [name, changes] of Object.entries(lacking)) {
  describe(`files of an object store that reports ${name}`, () => {
    let store: Server;
    let folder: Folder;
    let files: WorkspaceFiles;
    let changed: FileChange[];
    let time: PersonalTime;
    const open = new Set<string>();
    const dirty = new Set<string>();
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

    before(async () => {
      const [sample] = servers;
      assert.ok(sample !== undefined);
      const server = await sample.start();
      folder = await newFolder(server);
      store = createServer((request, response) => {
        void forward().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
        async function forward(): Promise<void> {
          const chunks: Uint8Array[] = [];
          for await (const chunk of request) chunks.push(chunk as Uint8Array);
          const target = new URL((request.url ?? "").slice(1), server.url);
          const upstreamResponse = await fetch(target, {
            method: request.method ?? "GET",
            headers: { authorization: `token ${server.token}` },
            ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
          });
          const text = await upstreamResponse.text();
          response.writeHead(upstreamResponse.status, {
            "content-type": upstreamResponse.headers.get("content-type") ?? "text/plain",
          });
          const sent = upstreamResponse.ok && text !== "" ? JSON.stringify(without(JSON.parse(text))) : text;
          const isOther = name.startsWith("another form") && request.method === "PUT";
          response.end(isOther ? sent.replace(/("last_modified":"[^"]*)Z"/, '$1+00:00"') : sent);
        }
      });
      await new Promise<void>((resolve) => store.listen(0, "127.0.0.1", resolve));
    });
    after(async () => {
      store.closeAllConnections();
      await new Promise((resolve) => store.close(resolve));
    });

    beforeEach(() => {
      open.clear();
      dirty.clear();
      changed = [];
      time = new PersonalTime();
      const { port } = store.address() as AddressInfo;
      const client = clientOf({ ...folder.server, url: `http://127.0.0.1:${port}/` });
      files = new WorkspaceFiles({
        access: { connect: async () => client, relocate: async () => false },
        versions: new EditorVersions(time.now),
        editors: editorsOf(open, dirty),
        onChanged: (all) => changed.push(...all),
        beforeReplacing: async () => {},
        transfers: async () => quietTransfers,
        journal: new SaveJournal(),
        now: time.now,
      });
    });

    function without(item: Record<string, unknown>): Record<string, unknown> {
      const { content } = item;
      const isListing = item.type === "directory" && Array.isArray(content);
      return { ...item, ...changes, ...(isListing ? { content: content.map(without) } : {}) };
    }
    /** The editor opens a file: read and status at the same time, then status again. */
    async function openFile(path: string): Promise<string> {
      const [content] = await Promise.all([files.contents.read(path), files.statuses.status(path)]);
      open.add(path);
      await files.statuses.status(path);
      return Buffer.from(content).toString();
    }
    /** The editor saves: status, write, status. */
    async function save(path: string, text: string): Promise<void> {
      dirty.add(path);
      await files.statuses.status(path);
      await files.write(path, bytes(text), { create: true, overwrite: true });
      await files.statuses.status(path);
      dirty.delete(path);
    }

    for (const [file, text] of [
      ["a.txt", (content: string) => content],
      ["a.ipynb", notebook],
    ] as const) {
      it(`opens, saves twice without a conflict, and finds a stranger's change of ${file}`, async () => {
        const path = folder.at(file);
        await folder.write(file, text("one"));
        await files.directories.entries(folder.path);
        assert.equal(await openFile(path), text("one"));
        await save(path, text("two"));
        await save(path, text("333"));
        assert.match(await folder.read(file), /333/);
        const theirs = (await folder.read(file)).replace("333", "444");
        await folder.write(file, theirs);
        const moment = new Date("2026-01-01T00:00:00Z");
        await utimes(folder.place(file), moment, moment);
        time.pass(5_000);
        const before = await files.statuses.status(path);
        dirty.add(path);
        time.pass(5_000);
        const write = files.write(path, bytes(text("555")), { create: true, overwrite: true });
        await assert.rejects(write, ConflictError);
        assert.equal(await folder.read(file), theirs);
        if (file === "a.ipynb") return;
        // The editor of a text file asks what to do if the date and the size differ.
        const shown = await files.statuses.status(path);
        assert.ok(shown.modified > before.modified);
        assert.notEqual(shown.size, before.size);
      });

      it(`creates ${file}, and saves it again`, async () => {
        const path = folder.at(`new-${file}`);
        await files.write(path, bytes(text("one")), { create: true, overwrite: false });
        await openFile(path);
        await save(path, text("two"));
        assert.match(await folder.read(`new-${file}`), /two/);
      });
    }

    it("shows an unread file without an invented size or time", async () => {
      await folder.write("listed.bin", "12345");
      await files.directories.entries(folder.path);
      const { type, size, modified } = await files.statuses.status(folder.at("listed.bin"));
      assert.equal(type, "file");
      assert.equal(size, changes.size === undefined && !("size" in changes) ? 5 : 0);
      assert.ok(modified === 0 || modified > Date.parse("2026-01-01"));
      assert.deepEqual(changed, []);
    });
  });
}

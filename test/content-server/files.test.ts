import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "../../src/api/client/client.ts";
import { readFileContent, statContent } from "../../src/api/content-server/file-content.ts";
import { listIfChanged } from "../../src/api/content-server/listing.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { ConflictError, FileError } from "../../src/file-system/errors.ts";
import { WorkspaceFiles } from "../../src/file-system/provider/workspace-files.ts";
import { ListingCache } from "../../src/file-system/session/listing-cache.ts";
import type { FileChange } from "../../src/file-system/session/workspace-events.ts";
import { quietTransfers } from "../../src/file-system/transfer/long-transfers.ts";
import { EditorVersions } from "../../src/file-system/versions/editor-versions.ts";
import type { FileMover } from "../../src/file-system/write/file-mover.ts";
import { SaveJournal } from "../../src/file-system/write/save-journal.ts";
import { startSampleTenant } from "../../src/programs/sample-tenant/server.ts";
import { startJupyterServer } from "../harness/jupyter-server.ts";
import { editorsOf } from "../harness/open-editors.ts";
import { PersonalTime } from "../harness/personal-time.ts";

interface Server {
  readonly base: string;
  readonly token: string;
  readonly root: string;
  stop(): Promise<void>;
}

async function sampleServer(mode?: "lenient" | "strict"): Promise<Server> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "files-tenant-"));
  const tenant = await startSampleTenant({ dataDirectory, described: mode });
  const workspace = tenant.workspaces.find((candidate) => candidate.status === "running");
  assert.ok(workspace !== undefined);
  return {
    base: workspace.contentUrl,
    token: tenant.notebookToken(workspace.id),
    root: tenant.contentRoot(workspace.id),
    stop: async () => {
      await tenant.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function jupyterServer(release: "current" | "older"): Promise<Server> {
  const root = await mkdtemp(join(tmpdir(), "files-jupyter-"));
  const token = "a-token-for-tests";
  const server = await startJupyterServer({ root, token, basePath: "/user/ada/4f7c21aa/", release });
  return {
    base: server.url,
    token,
    root,
    stop: async () => {
      await server.kill();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** It has no hash, no binary content, and no copying, and its times are in whole seconds. */
const described = "a server with the API description alone";

const older = "a real Jupyter Server 1.24";

const servers: Readonly<Record<string, () => Promise<Server>>> = {
  "the sample tenant": () => sampleServer(),
  [described]: () => sampleServer("lenient"),
  "a real Jupyter Server": () => jupyterServer("current"),
  [older]: () => jupyterServer("older"),
};

for (const [name, start] of Object.entries(servers)) {
  describe(`files of a workspace on ${name}`, () => {
    let server: Server;
    let transport: Transport;
    let requests: string[];
    let changes: FileChange[];
    let dirty: Set<string>;
    let open: Set<string>;
    let files: WorkspaceFiles;
    let filesThatChunk: (above: number) => WorkspaceFiles;
    /** The message to the user if versions consist only of times and sizes. */
    let ticks: string[];
    let moving: FileMover;
    let time: PersonalTime;

    before(async () => {
      server = await start();
    });
    after(() => server.stop());

    beforeEach(async () => {
      requests = [];
      changes = [];
      dirty = new Set();
      open = new Set();
      time = new PersonalTime();
      const ignore = (): void => {};
      transport = createTransport({
        log: {
          info: (line) => requests.push(line.replace(/^(\w+) .*\/api\/contents/, "$1 ").replace(/ \d+ ms.*/, "")),
          debug: ignore,
          trace: ignore,
          warn: ignore,
          error: ignore,
        },
      });
      const credential = new NotebookToken(server.base, server.token);
      const client = new Client(
        {
          kind: "notebook",
          base: new URL(server.base),
          dialect: dialects.documented,
          credential,
          limits: singleUserLimits,
        },
        transport,
      );
      ticks = [];
      filesThatChunk = (above) => new WorkspaceFiles({ ...options, chunkedSaves: { above } });
      const options = {
        access: { connect: async () => client, relocate: async () => false },
        versions: new EditorVersions(time.now),
        editors: editorsOf(open, dirty),
        onChanged: (told: readonly FileChange[]) => changes.push(...told),
        beforeReplacing: async () => {},
        transfers: async () => ({ ...quietTransfers, warnOfTimeVersions: (tick: string) => void ticks.push(tick) }),
        journal: new SaveJournal(),
        now: time.now,
      };
      files = new WorkspaceFiles(options);
      moving = await files.moving();
    });
    afterEach(() => transport.close());

    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const onDisk = (path: string): Promise<Buffer> => readFile(join(server.root, path));
    /** The editor opens a file: read and status at the same time, then status again. */
    async function openFile(path: string): Promise<Uint8Array> {
      const [content] = await Promise.all([files.contents.read(path), files.statuses.status(path)]);
      open.add(path);
      await files.statuses.status(path);
      return content;
    }
    /** The editor saves: status, write, status. */
    async function saveFile(path: string, content: Uint8Array): Promise<void> {
      dirty.add(path);
      await files.statuses.status(path);
      await files.write(path, content, { create: true, overwrite: true });
      await files.statuses.status(path);
      dirty.delete(path);
    }

    it("opens a file with 1 request and saves it with 2", async () => {
      await writeFile(join(server.root, "cost.py"), "print(1)\n");
      // After a save of the same size within the same second, where the server counts in seconds, the version is read.
      const moment = new Date("2026-01-01T00:00:00.250Z");
      await utimes(join(server.root, "cost.py"), moment, moment);
      await files.directories.entries("");
      requests.length = 0;
      assert.equal(Buffer.from(await openFile("cost.py")).toString(), "print(1)\n");
      assert.deepEqual(requests, ["GET /cost.py 200"]);
      time.pass(1_100);
      requests.length = 0;
      await saveFile("cost.py", bytes("print(2)\n"));
      assert.deepEqual(requests, ["GET /cost.py 200", "PUT /cost.py 200"]);
      assert.equal((await onDisk("cost.py")).toString(), "print(2)\n");
      assert.deepEqual(changes, [{ type: "changed", path: "cost.py" }]);
      requests.length = 0;
      time.pass(300);
      await saveFile("cost.py", bytes("print(30)\n"));
      assert.equal(requests.length, 2);
      const tick = { [described]: ["second"], [older]: ["moment"] }[name] ?? [];
      assert.deepEqual(ticks, tick, "once where no hash tells versions apart");
    });

    // Other servers create the file, or respond with 500.
    if (name === described) {
      it("reports a file or folder that was deleted just before a save, and creates the file only if the user wants that", async () => {
        const deletedBeforeSave = async (path: string, deleted: string): Promise<void> => {
          await writeFile(join(server.root, path), "before");
          await openFile(path);
          dirty.add(path);
          time.pass(300);
          await files.statuses.status(path);
          await rm(join(server.root, deleted), { recursive: true });
          await files.write(path, bytes("after"), { create: true, overwrite: true });
        };
        await mkdir(join(server.root, "kept"));
        await mkdir(join(server.root, "lost"));
        for (const path of ["deleted.txt", "kept/deleted.txt"]) {
          await assert.rejects(deletedBeforeSave(path, path), {
            kind: "changed",
            path,
            message: `${path} was renamed or deleted on the server since it was opened here. Nothing was saved.`,
          });
          await assert.rejects(files.statuses.status(path), { kind: "notFound" });
          const again = files.write(path, bytes("after"), { create: true, overwrite: true });
          await assert.rejects(again, { kind: "changed", path });
          files.versions.createAgain(path);
          await files.write(path, bytes("after"), { create: true, overwrite: true });
          assert.equal((await onDisk(path)).toString(), "after");
        }
        await assert.rejects(deletedBeforeSave("lost/deleted.txt", "lost"), {
          kind: "notFound",
          path: "lost",
          message: "Can't save lost/deleted.txt: its folder lost doesn't exist.",
        });
      });
    }

    it("opens a file in a folder that was listed long ago with 1 request, and never returns outdated bytes", async () => {
      const names = ["later.py", "first.py", "ours.py", "theirs.ipynb", "looked.py", "beside.py"];
      for (const each of names) {
        await writeFile(join(server.root, each), "print(1)\n");
      }
      await files.directories.entries("");
      time.pass(ListingCache.freshMs + 100);
      requests.length = 0;
      await openFile("later.py");
      assert.deepEqual(requests, ["GET /later.py 200"]);
      // By a link or a command, the status comes first.
      requests.length = 0;
      assert.equal((await files.statuses.status("first.py")).size, 9);
      assert.equal(Buffer.from(await openFile("first.py")).toString(), "print(1)\n");
      assert.deepEqual(requests, ["GET /first.py 200"]);
      // Another program reads the status of one file, and then of more.
      await files.statuses.status("ours.py");
      await files.write("ours.py", bytes("print(22)\n"), { create: false, overwrite: true });
      assert.equal(Buffer.from(await files.contents.read("ours.py")).toString(), "print(22)\n");
      await files.statuses.status("theirs.ipynb");
      await writeFile(join(server.root, "theirs.ipynb"), "print(333)\n");
      requests.length = 0;
      await Promise.all(["looked.py", "beside.py"].map((path) => files.statuses.status(path)));
      assert.deepEqual(requests, ["GET  200"]);
      assert.equal(Buffer.from(await files.contents.read("theirs.ipynb")).toString(), "print(333)\n");
      dirty.add("theirs.ipynb");
      await files.write("theirs.ipynb", bytes("print(4)\n"), { create: false, overwrite: true });
      assert.equal((await onDisk("theirs.ipynb")).toString(), "print(4)\n");
    });

    it("expands a folder with 1 request, and serves every stat and missing name from it", async () => {
      await files.createDirectory("folder");
      for (const file of ["a.txt", "b.txt"]) {
        await writeFile(join(server.root, "folder", file), "x");
      }
      files.cache.clear();
      requests.length = 0;
      const entries = await files.directories.entries("folder");
      assert.deepEqual(entries.map((entry) => entry.name).sort(), ["a.txt", "b.txt"]);
      await Promise.all(["folder", "folder/a.txt", "folder/b.txt"].map((path) => files.statuses.status(path)));
      await assert.rejects(files.statuses.status("folder/absent.txt"), { kind: "notFound" });
      assert.equal(requests.length, 1);
    });

    it("makes one request for dozens of missing settings files", async () => {
      const probes = [
        ".vscode/settings.json",
        ".vscode/tasks.json",
        ".mcp.json",
        ".claude/settings.json",
        ".github/copilot/x.json",
      ];
      const all = await Promise.allSettled([
        files.statuses.status(""),
        ...probes.map((path) => files.statuses.status(path)),
        ...probes.map((path) => files.contents.read(path)),
        files.directories.entries(""),
      ]);
      assert.equal(all.filter((one) => one.status === "fulfilled").length, 2);
      for (const one of all) {
        assert.ok(
          one.status === "fulfilled" || (one.reason instanceof FileError && one.reason.kind === "notFound"),
          String(one.status),
        );
      }
      assert.equal(requests.length, 1, requests.join("\n"));
    });

    it("opens a file that was just created in the root, even if a newer listing doesn't contain it", async () => {
      await files.directories.entries("");
      await assert.rejects(files.statuses.status("result.csv"), { kind: "notFound" });
      await writeFile(join(server.root, "result.csv"), "a,b\n");
      requests.length = 0;
      assert.equal(Buffer.from(await openFile("result.csv")).toString(), "a,b\n");
      assert.deepEqual(requests, ["GET /result.csv 200"]);
    });

    it("creates a file with 3 requests, an empty file with 2, and a folder with 2", async () => {
      await files.directories.entries("");
      requests.length = 0;
      await files.write("new.py", bytes("x = 1\n"), { create: true, overwrite: false });
      assert.deepEqual(
        requests.map((line) => line.split(" ")[0]),
        ["POST", "PATCH", "PUT"],
      );
      requests.length = 0;
      await files.write("empty.py", new Uint8Array(), { create: true, overwrite: false });
      assert.deepEqual(
        requests.map((line) => line.split(" ")[0]),
        ["POST", "PATCH"],
      );
      requests.length = 0;
      await files.createDirectory("made");
      assert.deepEqual(
        requests.map((line) => line.split(" ")[0]),
        ["POST", "PATCH"],
      );
      assert.equal((await onDisk("new.py")).toString(), "x = 1\n");
      assert.deepEqual(
        changes.map((change) => `${change.type} ${change.path}`),
        ["created new.py", "created empty.py", "created made"],
      );
      await assert.rejects(files.write("new.py", bytes(""), { create: true, overwrite: false }), {
        kind: "exists",
      });
    });

    const itDescribed = name === described ? it : () => {};
    itDescribed("creates a large file in the create flow, after trying chunks once", async () => {
      const chunking = filesThatChunk(8);
      await chunking.write("large.txt", bytes("more than 8"), { create: true, overwrite: false });
      assert.match(requests.join("\n"), /PUT \/large\.txt\.saving-\w+ 400/);
      requests.length = 0;
      await chunking.write("large two.txt", bytes("more than 8"), { create: true, overwrite: false });
      assert.deepEqual(
        requests.map((line) => line.split(" ")[0]).filter((method) => method !== "GET"),
        ["POST", "PATCH", "PUT"],
      );
      assert.equal((await onDisk("large.txt")).toString(), "more than 8");
    });

    it("doesn't replace an item that someone else created meanwhile", async () => {
      await files.directories.entries("");
      await writeFile(join(server.root, "raced.py"), "theirs");
      await assert.rejects(files.write("raced.py", bytes("ours"), { create: true, overwrite: true }), {
        kind: "exists",
      });
      assert.equal((await onDisk("raced.py")).toString(), "theirs");
      assert.deepEqual(
        (await files.directories.entries("")).filter((entry) => entry.name.startsWith("untitled")),
        [],
      );
    });

    const itWithHashes = name === described || name === older ? () => {} : it;
    itWithHashes("detects a change of the same size within the same clock tick", async () => {
      await writeFile(join(server.root, "same.txt"), "aaaa");
      const moment = new Date("2026-01-01T00:00:00Z");
      await utimes(join(server.root, "same.txt"), moment, moment);
      await openFile("same.txt");
      const before = await files.statuses.status("same.txt");
      await writeFile(join(server.root, "same.txt"), "bbbb");
      await utimes(join(server.root, "same.txt"), moment, moment);
      dirty.add("same.txt");
      await assert.rejects(files.write("same.txt", bytes("cccc"), { create: true, overwrite: true }), ConflictError);
      time.pass(300);
      const shown = await files.statuses.status("same.txt");
      assert.notEqual(shown.size, before.size);
      assert.ok(shown.modified > before.modified);
      assert.equal((await onDisk("same.txt")).toString(), "bbbb");
      // The editor showed its dialog, and the user chose Overwrite: the editor reads the status and writes again.
      await files.statuses.status("same.txt");
      await files.write("same.txt", bytes("cccc"), { create: true, overwrite: true });
      assert.equal((await onDisk("same.txt")).toString(), "cccc");
    });

    it("shows an edited notebook as it was opened, and reports the conflict when it is saved", async () => {
      const book = (source: string): string =>
        JSON.stringify({ cells: [], metadata: { note: source }, nbformat: 4, nbformat_minor: 5 });
      await writeFile(join(server.root, "asked.ipynb"), book("opened"));
      await openFile("asked.ipynb");
      const before = await files.statuses.status("asked.ipynb");
      await writeFile(join(server.root, "asked.ipynb"), book("theirs, and longer"));
      await utimes(join(server.root, "asked.ipynb"), new Date(), new Date(Date.now() + 60_000));
      dirty.add("asked.ipynb");
      time.pass(2_500);
      assert.ok((await files.statuses.status("asked.ipynb")).modified <= before.modified);
      assert.notEqual(files.versions.conflict("asked.ipynb"), undefined, "it is marked as changed on the server");
      await assert.rejects(
        files.write("asked.ipynb", bytes(book("ours")), { create: true, overwrite: true }),
        ConflictError,
      );
      assert.equal((await onDisk("asked.ipynb")).toString(), book("theirs, and longer"));
    });

    it("keeps the base version when the server's version is only viewed", async () => {
      await writeFile(join(server.root, "looked.txt"), "aaaa");
      await openFile("looked.txt");
      await writeFile(join(server.root, "looked.txt"), "bbbbb");
      dirty.add("looked.txt");
      await files.contents.read("looked.txt");
      (await files.contents.peek("looked.txt")).bytes;
      await assert.rejects(files.write("looked.txt", bytes("cccc"), { create: true, overwrite: true }), ConflictError);
      dirty.delete("looked.txt");
      files.versions.becameClean("looked.txt");
      await files.write("looked.txt", bytes("dddd"), { create: true, overwrite: true });
    });

    it("reads back every byte that was written", async () => {
      const all = Uint8Array.from({ length: 256 }, (_, index) => index);
      const samples: Readonly<Record<string, Uint8Array>> = {
        "text.txt": bytes("grüße\n"),
        "bom.txt": Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]),
        "crlf.txt": bytes("a\r\nb\r\n"),
        "all.bin": all,
        "invalid.txt": Uint8Array.from([0x61, 0xff, 0xfe, 0x62]),
        "broken.ipynb": bytes('{"cells": ['),
        "old.ipynb": bytes('{"worksheets": [], "metadata": {}, "nbformat": 3, "nbformat_minor": 0}'),
        "weird ü#?%&+;'$ name.txt": bytes("x"),
      };
      // The description has no form for content that is not text.
      const withoutForm = name === described ? ["all.bin", "invalid.txt"] : [];
      for (const [path, content] of Object.entries(samples)) {
        if (withoutForm.includes(path)) continue;
        await files.write(path, content, { create: true, overwrite: true });
        assert.deepEqual(Buffer.from(await files.contents.read(path)), Buffer.from(content), path);
        assert.deepEqual(await onDisk(path), Buffer.from(content), path);
        await files.write(path, content.slice(0, -1), { create: true, overwrite: true });
        await files.write(path, content, { create: true, overwrite: true });
        assert.deepEqual(Buffer.from(await files.contents.read(path)), Buffer.from(content), `${path} again`);
      }
    });

    it("preserves the digits of a notebook's numbers", async () => {
      const notebook =
        '{"cells":[],"metadata":{"big":9007199254740993,"one":1.0,"tiny":1e-7},"nbformat":4,"nbformat_minor":5}';
      await files.write("digits.ipynb", bytes(notebook), { create: true, overwrite: true });
      const text = Buffer.from(await files.contents.read("digits.ipynb")).toString();
      assert.match(text, /"big":\s*9007199254740993/);
      assert.match(text, /"one":\s*1\.0/);
      open.add("digits.ipynb");
      await saveFile("digits.ipynb", bytes(text.replace("993", "995")));
      time.pass(300);
      await saveFile("digits.ipynb", bytes(text.replace("993", "997")));
      assert.match((await onDisk("digits.ipynb")).toString(), /9007199254740997/);
    });

    it("renames with 1 request, refuses an existing name, and replaces it with overwrite", async () => {
      await writeFile(join(server.root, "from.txt"), "from");
      await writeFile(join(server.root, "taken.txt"), "taken");
      await assert.rejects(moving.rename("from.txt", "taken.txt", { overwrite: false }), { kind: "exists" });
      await moving.rename("from.txt", "taken.txt", { overwrite: true });
      assert.equal((await onDisk("taken.txt")).toString(), "from");
      requests.length = 0;
      await moving.rename("taken.txt", "moved.txt", { overwrite: false });
      assert.equal(requests.length, 1);
      await assert.rejects(moving.rename("absent.txt", "there.txt", { overwrite: false }), {
        kind: "notFound",
        path: "absent.txt",
      });
      await assert.rejects(moving.rename("moved.txt", "nowhere/moved.txt", { overwrite: false }), {
        kind: "notFound",
        path: "nowhere",
      });
      await files.createDirectory("outer");
      requests.length = 0;
      await assert.rejects(moving.rename("outer", "outer/inner", { overwrite: false }), { kind: "refused" });
      assert.equal(requests.length, 0);
    });

    it("refuses to move to a missing folder, but moves to a folder that is cached as a file", async () => {
      await writeFile(join(server.root, "turned"), "text");
      await openFile("turned");
      await rm(join(server.root, "turned"));
      await mkdir(join(server.root, "turned"));
      await assert.rejects(moving.rename("turned", "missing/turned", { overwrite: false }), { kind: "notFound" });
      await assert.rejects(stat(join(server.root, "missing")), { code: "ENOENT" });
    });

    it(`copies a file to the exact name with at most ${name === described ? 4 : 2} requests, and a folder`, async () => {
      await writeFile(join(server.root, "original.txt"), "original");
      await files.createDirectory("tree");
      await files.write("tree/leaf.txt", bytes("leaf"), { create: true, overwrite: true });
      await files.directories.entries("");
      requests.length = 0;
      await moving.copy("original.txt", "exact name.txt", { overwrite: false });
      if (name === described) {
        // The server is asked only once for what it can't do.
        assert.equal(requests.shift(), "POST /exact%20name.txt 404");
        assert.deepEqual(
          requests.map((line) => line.split(" ")[0]),
          ["GET", "POST", "PATCH", "PUT"],
        );
        requests.length = 0;
        await moving.copy("original.txt", "another name.txt", { overwrite: false });
      }
      assert.ok(requests.length <= (name === described ? 4 : 2), requests.join("\n"));
      assert.equal((await onDisk("exact name.txt")).toString(), "original");
      await moving.copy("tree", "tree two", { overwrite: false });
      assert.equal((await onDisk("tree two/leaf.txt")).toString(), "leaf");
      await moving.copy("tree", "tree two/tree", { overwrite: false });
      assert.equal((await onDisk("tree two/tree/leaf.txt")).toString(), "leaf");
      await assert.rejects(moving.copy("original.txt", "exact name.txt", { overwrite: false }), { kind: "exists" });
      await writeFile(join(server.root, "original.txt"), "changed");
      await moving.copy("original.txt", "exact name.txt", { overwrite: true });
      assert.equal((await onDisk("exact name.txt")).toString(), "changed");
    });

    it("deletes a folder with 1 request, and refuses a nonempty one unless recursive", async () => {
      await files.createDirectory("full");
      await files.write("full/leaf.txt", bytes("leaf"), { create: true, overwrite: true });
      await assert.rejects(moving.delete("full", { recursive: false }), { kind: "notEmpty" });
      assert.equal((await onDisk("full/leaf.txt")).toString(), "leaf");
      requests.length = 0;
      await moving.delete("full", { recursive: true });
      assert.deepEqual(requests, ["DELETE /full 204"]);
      await assert.rejects(files.statuses.status("full/leaf.txt"), { kind: "notFound" });
      await assert.rejects(moving.delete("full", { recursive: true }), { kind: "notFound" });
    });

    it("serializes writes to the same path", async () => {
      await files.directories.entries("");
      const texts = Array.from({ length: 20 }, (_, index) => `write ${index}`.repeat(200));
      await Promise.all(
        texts.map(async (text) => files.write("serial.txt", bytes(text), { create: true, overwrite: true })),
      );
      assert.equal((await onDisk("serial.txt")).toString(), texts.at(-1));
    });

    it("creates files and folders concurrently in the same folder", async () => {
      const writing = files;
      const names = Array.from({ length: 20 }, (_, index) => `${index}`);
      await writing.createDirectory("many");
      await Promise.all(
        names.flatMap((one) => [
          writing.createDirectory(`many/folder ${one}`),
          writing.write(`many/${one}.txt`, bytes(one), { create: true, overwrite: false }),
          writing.write(`many/${one}.ipynb`, bytes("{}"), { create: true, overwrite: false }),
        ]),
      );
      const expected = names.flatMap((one) => [`folder ${one}`, `${one}.txt`, `${one}.ipynb`]);
      const found = (await readdir(join(server.root, "many"))).filter((one) => !one.startsWith("."));
      assert.deepEqual(found.toSorted(), expected.toSorted());
      for (const one of names) {
        assert.equal((await onDisk(`many/${one}.txt`)).toString(), one);
      }
    });

    it("reports why a write fails", async () => {
      await files.createDirectory("directory");
      await assert.rejects(files.write("directory", bytes("x"), { create: true, overwrite: true }), {
        kind: "isDirectory",
      });
      await assert.rejects(files.write("absent/x.txt", bytes("x"), { create: true, overwrite: true }), {
        kind: "notFound",
      });
      await assert.rejects(files.write("absent.txt", bytes("x"), { create: false, overwrite: true }), {
        kind: "notFound",
      });
      await assert.rejects(files.write(".gitignore", bytes("x"), { create: true, overwrite: true }), {
        kind: "refused",
      });
      await assert.rejects(files.contents.read("directory"), { kind: "isDirectory" });
      await assert.rejects(files.directories.entries("directory/none"), { kind: "notFound" });
      await assert.rejects(files.createDirectory("directory"), { kind: "exists" });
    });
  });
}

describe("a server that implements only the API description and rejects all other queries", () => {
  it("no longer receives them after it has rejected them, separately for files, notebooks, and folders", async () => {
    const server = await sampleServer("strict");
    const requests: string[] = [];
    const ignore = (): void => {};
    const log = {
      info: (line: string) => requests.push(line),
      debug: ignore,
      trace: ignore,
      warn: ignore,
      error: ignore,
    };
    const transport = createTransport({ log });
    try {
      const base = new URL(server.base);
      const credential = new NotebookToken(base.origin, server.token);
      const client = new Client(
        { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
        transport,
      );
      for (const path of ["forecast.ipynb", "clean.py"]) {
        for (const expected of [2, 1]) {
          requests.length = 0;
          const read = await readFileContent(client, path);
          assert.deepEqual([read.type, requests.length], ["file", expected], path);
        }
      }
      requests.length = 0;
      assert.equal((await statContent(client, "data"))?.type, "directory");
      assert.equal((await listIfChanged(client, "data", undefined)).type, "listed");
      assert.equal((await listIfChanged(client, "data", undefined)).type, "listed");
      // One rejected file could be, for example, a broken link. The server is only known after the second.
      assert.equal(requests.length, 2 + 2 + 1);
    } finally {
      await transport.close();
      await server.stop();
    }
  });
});

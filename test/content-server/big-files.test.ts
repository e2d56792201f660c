import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "../../src/api/client/client.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { ConflictError, FileError } from "../../src/file-system/errors.ts";
import { WorkspaceFiles } from "../../src/file-system/provider/workspace-files.ts";
import { WindowSession } from "../../src/file-system/session/window-session.ts";
import type { FileChange } from "../../src/file-system/session/workspace-events.ts";
import type { LongTransfers } from "../../src/file-system/transfer/long-transfers.ts";
import { EditorVersions } from "../../src/file-system/versions/editor-versions.ts";
import type { ChunkedSaves } from "../../src/file-system/write/file-writer.ts";
import { SaveJournal } from "../../src/file-system/write/save-journal.ts";
import { noEditors } from "../harness/open-editors.ts";
import { type FaultProxy, startFaultProxy } from "../harness/proxy.ts";
import { smallChunks } from "../harness/small-chunks.ts";
import { type ContentServer, call, contents } from "./client.ts";
import { currentServers, type Folder, newFolder } from "./servers.ts";

/** Two and a half chunks. */
const size = 20_000_000;
/** Two and a half of `smallChunks`. */
const smallSize = 3750;
const overwrite = { create: true, overwrite: true };

for (const { name, start } of currentServers) {
  describe(`big files on ${name}`, () => {
    let server: ContentServer;
    let proxy: FaultProxy;
    let transport: Transport;
    let folder: Folder;
    let files: WorkspaceFiles;
    let changes: FileChange[];
    let moved: number[];
    /** The extension's storage. */
    let storage: string;
    let session: WindowSession | undefined;
    let transfers: LongTransfers;
    let kept: string[];
    let chunkedSaves: ChunkedSaves | undefined;

    before(async () => {
      server = await start();
      proxy = await startFaultProxy(new URL(server.url).origin);
    });
    after(() => proxy.stop());
    beforeEach(async () => {
      folder = await newFolder(server);
      storage = await mkdtemp(join(tmpdir(), "platform-workbench-journal-"));
      moved = [];
      kept = [];
      chunkedSaves = undefined;
      transfers = {
        run: (_, work) => work({ signal: new AbortController().signal, onMoved: (share) => moved.push(share) }),
        admit: async () => ({ type: "open" }),
        reportInterrupted: (_, upload) => kept.push(upload),
        reportLeftover: () => {},
        warnOfTimeVersions: () => {},
      };
      open();
      proxy.clearFaults();
      proxy.reset();
    });
    afterEach(async () => {
      session?.end();
      await transport.close();
      await rm(storage, { recursive: true, force: true });
    });

    /** A session like that of a window; the storage outlives it. */
    function open(): void {
      session?.end();
      session = new WindowSession();
      transport = createTransport({ sleep: async () => {} });
      changes = [];
      const base = new URL(new URL(server.url).pathname, proxy.url);
      const credential = new NotebookToken(base.origin, server.token);
      const client = new Client(
        { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
        transport,
      );
      files = new WorkspaceFiles({
        access: { connect: async () => client, relocate: async () => false },
        versions: new EditorVersions(),
        editors: noEditors,
        onChanged: (told) => changes.push(...told),
        beforeReplacing: async () => {},
        transfers: async () => transfers,
        chunkedSaves,
        journal: new SaveJournal({ directory: storage, authority: "workspace.tenant", session }),
      });
    }

    const bytesOn = async (path: string): Promise<Buffer> => Buffer.from(await folder.bytes(path));
    const listed = (): Promise<unknown> => files.directories.list(folder.path);
    const sent = (): readonly string[] =>
      proxy.requests.map(({ method, path, query, status }) => {
        const below = path.slice(new URL(server.url).pathname.length).replace(folder.path, "");
        return `${method} ${below.replace(/-[0-9a-f]{8}/g, "-#")}${query === "" ? "" : `?${query}`} ${status}`;
      });
    const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => assert.fail("it did not fail"),
        (error: unknown) => error,
      );
    const notes = (): readonly string[] =>
      existsSync(join(storage, "saves")) ? readdirSync(join(storage, "saves")) : [];
    async function opened(content: Uint8Array): Promise<string> {
      await folder.write("big.dat", content);
      await listed();
      await files.contents.read(folder.at("big.dat"));
      proxy.reset();
      return folder.at("big.dat");
    }
    const isWhole = (found: Buffer, ...texts: readonly Buffer[]): boolean => texts.some((text) => text.equals(found));

    it("opens a listed file as raw bytes with 1 request", async () => {
      const content = randomBytes(size);
      await folder.write("big.dat", content);
      await listed();
      proxy.reset();
      assert.ok(Buffer.from(await files.contents.read(folder.at("big.dat"))).equals(content));
      assert.deepEqual(sent(), ["GET files//big.dat 200"]);
      assert.ok(moved.length > 1 && moved.at(-1) === 1, `${moved.length} steps`);
    });

    it("reads the file again if it differs from the listing", async () => {
      await folder.write("big.dat", randomBytes(size));
      await listed();
      const content = randomBytes(size + 1);
      await folder.write("big.dat", content);
      proxy.reset();
      assert.ok(Buffer.from(await files.contents.read(folder.at("big.dat"))).equals(content));
      assert.deepEqual(sent(), [
        "GET files//big.dat 200",
        "GET api/contents//big.dat?content=0&type=file 200",
        "GET files//big.dat 200",
      ]);
      await files.write(folder.at("big.dat"), content.subarray(1), overwrite);
      assert.ok((await bytesOn("big.dat")).equals(content.subarray(1)));
    });

    it("opens a web page of that size, and doesn't mistake a login page for the file", async () => {
      const content = Buffer.from(`<html>${"é".repeat(3_000_000)}</html>`);
      await folder.write("big.html", content);
      await folder.write("big.txt", content);
      await listed();
      assert.ok(Buffer.from(await files.contents.read(folder.at("big.html"))).equals(content));
      proxy.addFault({ match: { path: /\/files\// }, action: { kind: "html" } });
      assert.ok(Buffer.from(await files.contents.read(folder.at("big.txt"))).equals(content));
    });

    it("requests raw bytes only once from a server without them, and again from a failing server", async () => {
      const content = randomBytes(size);
      await folder.write("big.dat", content);
      await listed();
      const refusals = [
        { kind: "response", status: 500, body: "{}" },
        { kind: "redirect", location: "/login?next=x" },
      ] as const;
      for (const action of refusals) {
        proxy.addFault({ match: { path: /\/files\//, times: 1 }, action });
      }
      for (let time = 0; time < 3; time += 1) {
        assert.ok(Buffer.from(await files.contents.read(folder.at("big.dat"))).equals(content));
      }
      assert.deepEqual(
        proxy.requests.filter(({ path }) => /\/files\//.test(path)).map(({ status }) => status),
        [500, 302],
      );
    });

    it("never accepts a truncated file", async () => {
      const content = randomBytes(size);
      await folder.write("big.dat", content);
      await listed();
      proxy.addFault({ match: { path: /\/files\// }, action: { kind: "half-body" } });
      assert.ok(Buffer.from(await files.contents.read(folder.at("big.dat"))).equals(content));
      proxy.clearFaults();
      proxy.addFault({ match: { path: /\/files\//, times: 2 }, action: { kind: "cut", when: "during" } });
      assert.ok(Buffer.from(await files.contents.read(folder.at("big.dat"))).equals(content));
    });

    it("saves in chunks next to the file, then moves the upload into place", async () => {
      const path = await opened(randomBytes(size));
      const content = randomBytes(size + 7);
      await files.write(path, content, overwrite);
      assert.ok((await bytesOn("big.dat")).equals(content));
      assert.deepEqual(sent(), [
        "GET api/contents//big.dat?content=0&type=file 200",
        "GET api/contents//big.dat/checkpoints 200",
        "PUT api/contents//big.dat.saving-# 201",
        "PUT api/contents//big.dat.saving-# 200",
        "PUT api/contents//big.dat.saving-# 200",
        "GET api/contents//big.dat?content=0&type=file 200",
        "PATCH api/contents//big.dat 200",
        "PATCH api/contents//big.dat.saving-# 200",
        "PUT api/contents//big.dat.replaced-# 200",
        "DELETE api/contents//big.dat.replaced-# 204",
      ]);
      assert.deepEqual(changes, [{ type: "changed", path }]);
      assert.deepEqual(
        (await folder.names()).filter((one) => !one.startsWith(".")),
        ["big.dat"],
      );
      assert.deepEqual(notes(), []);
      assert.ok(moved.at(-1) === 1);
      await files.write(path, content.subarray(3), overwrite);
      assert.ok((await bytesOn("big.dat")).equals(content.subarray(3)));
    });

    it("saves a new file in the same way, and never overwrites one that was created meanwhile", async () => {
      const content = randomBytes(size);
      await listed();
      proxy.reset();
      await files.write(folder.at("new.dat"), content, overwrite);
      assert.deepEqual(sent().slice(-4), [
        "PUT api/contents//new.dat.saving-# 201",
        "PUT api/contents//new.dat.saving-# 200",
        "PUT api/contents//new.dat.saving-# 200",
        "PATCH api/contents//new.dat.saving-# 200",
      ]);
      assert.ok((await bytesOn("new.dat")).equals(content));
      transfers = {
        ...transfers,
        run: async (_, work) => {
          const result = await work({ signal: new AbortController().signal, onMoved: () => {} });
          await folder.write("other.dat", "theirs");
          return result;
        },
      };
      const taken = await failureOf(files.write(folder.at("other.dat"), content, overwrite));
      assert.ok(taken instanceof FileError && taken.kind === "exists", String(taken));
      assert.deepEqual(
        [await folder.read("other.dat"), await folder.names()],
        ["theirs", [".ipynb_checkpoints", "new.dat", "other.dat"]],
      );
      const error = await failureOf(files.write(folder.at("no/folder.dat"), content, overwrite));
      assert.ok(error instanceof FileError && error.kind === "notFound", String(error));
    });

    it("keeps a version that someone saved meanwhile", async () => {
      const path = await opened(randomBytes(size));
      const theirs = randomBytes(size);
      transfers = {
        ...transfers,
        run: async (_, work) => {
          const result = await work({ signal: new AbortController().signal, onMoved: () => {} });
          await folder.write("big.dat", theirs);
          return result;
        },
      };
      const error = await failureOf(files.write(path, randomBytes(size), overwrite));
      assert.ok(error instanceof ConflictError, String(error));
      assert.ok((await bytesOn("big.dat")).equals(theirs));
      assert.deepEqual(await folder.names(), [".ipynb_checkpoints", "big.dat"]);
      assert.deepEqual(notes(), []);
    });

    it("writes a file with a checkpoint in one request, which preserves the checkpoint", async () => {
      const path = await opened(randomBytes(size));
      assert.equal((await call(server, "POST", `${contents(path)}/checkpoints`)).status, 201);
      const content = randomBytes(size);
      await files.write(path, content, overwrite);
      assert.equal(proxy.count({ method: "PUT" }), 1);
      assert.ok((await bytesOn("big.dat")).equals(content));
      assert.equal((await call(server, "GET", `${contents(path)}/checkpoints`)).text.includes("checkpoint"), true);
    });

    it("stays complete if any step of a save fails, and the next session finishes the save", async () => {
      chunkedSaves = smallChunks;
      await transport.close();
      open();
      const [before, after] = [randomBytes(smallSize), randomBytes(smallSize)];
      const steps = ["PUT 1", "PUT 3", "PATCH 1", "PATCH 2", "PUT 4", "DELETE 1"] as const;
      for (const step of steps) {
        for (const when of step === "PUT 4" ? (["after"] as const) : (["before", "after"] as const)) {
          const path = await opened(before);
          const [method = "", nth] = step.split(" ");
          proxy.addFault({ match: { method, nth: Number(nth), times: 1 }, action: { kind: "cut", when } });
          const outcome = await files.write(path, after, overwrite).then(
            () => "saved",
            () => "failed",
          );
          proxy.clearFaults();
          const found = await bytesOn("big.dat");
          assert.ok(outcome === "saved" ? found.equals(after) : isWhole(found, before, after), `${step} ${when}`);
          await transport.close();
          open();
          await listed();
          assert.deepEqual(await folder.names(), [".ipynb_checkpoints", "big.dat"], `${step} ${when}: ${outcome}`);
          assert.deepEqual([notes(), kept], [[], []]);
        }
      }
    });

    it("finishes the save of a killed editor from every state", async () => {
      chunkedSaves = smallChunks;
      const [before, after] = [randomBytes(smallSize), randomBytes(smallSize)];
      const [upload, aside] = ["big.dat.saving-01234567", "big.dat.replaced-01234567"];
      const names = { target: folder.at("big.dat"), upload: folder.at(upload), aside: folder.at(aside) };
      const states = [
        [{ "big.dat": before, [upload]: after.subarray(9) }, "uploading", { "big.dat": before }],
        [{ "big.dat": before }, "uploading", { "big.dat": before }],
        [{ [aside]: before, [upload]: after }, "placing", { "big.dat": after }],
        [{ "big.dat": after, [aside]: before }, "placing", { "big.dat": after }],
        [{ "big.dat": after }, "placing", { "big.dat": after }],
        [{ [upload]: after }, "placing", { "big.dat": after }],
        [{ [aside]: before }, "placing", { "big.dat": before }],
        [{ "big.dat": before, [upload]: after }, "placing", { "big.dat": before, [upload]: after }],
      ] as const;
      for (const [there, stage, expected] of states) {
        folder = await newFolder(server);
        const here = Object.fromEntries(
          Object.entries(names).map(([key, path]) => [key, `${folder.path}/${path.split("/").at(-1)}`]),
        );
        for (const [file, content] of Object.entries(there)) {
          await folder.write(file, content);
        }
        const killed = new WindowSession();
        const journal = new SaveJournal({ directory: storage, authority: "workspace.tenant", session: killed });
        await journal.record({ target: "", upload: "", aside: "", ...here, stage });
        killed.end();
        await transport.close();
        open();
        await listed();
        const found = (await folder.names()).filter((one) => !one.startsWith("."));
        assert.deepEqual(found, Object.keys(expected).sort(), `${stage} ${Object.keys(there)}`);
        for (const [file, content] of Object.entries(expected)) {
          assert.ok((await bytesOn(file)).equals(content), `${stage} ${Object.keys(there)}: ${file}`);
        }
        assert.deepEqual(notes(), []);
      }
      assert.deepEqual(kept, [folder.at(upload)]);
    });

    it("doesn't change the file if the user cancels", async () => {
      const before = randomBytes(size);
      const path = await opened(before);
      const stop = new AbortController();
      transfers = {
        ...transfers,
        run: (_, work) => work({ signal: stop.signal, onMoved: () => stop.abort() }),
      };
      const error = await failureOf(files.write(path, randomBytes(size), overwrite));
      assert.ok(error instanceof FileError && error.kind === "cancelled", String(error));
      assert.ok((await bytesOn("big.dat")).equals(before));
      assert.deepEqual(await folder.names(), [".ipynb_checkpoints", "big.dat"]);
      assert.ok((await failureOf(files.contents.read(path))) instanceof FileError);
      transfers = { ...transfers, admit: async () => ({ type: "refused" }) };
      assert.ok((await failureOf(files.contents.read(path))) instanceof FileError);
    });
  });
}

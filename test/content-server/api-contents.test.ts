import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import {
  createCheckpoint,
  deleteCheckpoint,
  listCheckpoints,
  restoreCheckpoint,
} from "../../src/api/catalogue/operations/checkpoints.ts";
import {
  createContent,
  getContent,
  renameContent,
  updateContent,
} from "../../src/api/catalogue/operations/contents.ts";
import type { ContentClient } from "../../src/api/client/client.ts";
import { bytesOf, updateBodyFor } from "../../src/api/content-server/content-types.ts";
import { createItem, renameItem } from "../../src/api/content-server/contents.ts";
import { copyFileOnServer, copyFolderOnServer } from "../../src/api/content-server/copying.ts";
import { deleteTree } from "../../src/api/content-server/deletion.ts";
import { listRecursively } from "../../src/api/content-server/listing.ts";
import { hasStatus } from "../../src/api/http/errors.ts";
import { clientOf, failureOf } from "./api-client.ts";
import { type Folder, newFolder, servers } from "./servers.ts";

const notebook = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "a1",
   "metadata": {"cost": 1.0, "run": 9007199254740993},
   "outputs": [],
   "source": ["print('ü😀')"]
  }
 ],
 "metadata": {"big": 12345678901234567890, "negative": -9223372036854775808, "one": 1.0},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

const samples: readonly (readonly [string, Uint8Array])[] = [
  ["text.txt", Buffer.from("a\nü😀\n")],
  ["empty.txt", new Uint8Array()],
  ["mark.csv", Buffer.from("\ufeffa,b\r\n1,2\r\n")],
  ["returns.txt", Buffer.from("a\r\nb\rc\n\r")],
  ["all.bin", Uint8Array.from({ length: 256 }, (_, index) => index)],
  ["invalid.txt", Buffer.from([0x61, 0xc3, 0x28, 0xff, 0x0a])],
  ["nul.txt", Buffer.from("a\0b")],
  ["separators.txt", Buffer.from("a\u2028b\u2029c\u0085d")],
  ["broken.ipynb", Buffer.from('{"cells": [')],
  ["marked.ipynb", Buffer.from(`\ufeff${notebook}`)],
  ["old.ipynb", Buffer.from('{"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": []}')],
  ["empty.ipynb", new Uint8Array()],
  ["conflict.ipynb", Buffer.from(`<<<<<<< mine\n${notebook}=======\n>>>>>>> theirs\n`)],
  ["no dot", Buffer.from("x")],
  ["100% #1 ?&+;$ 'é'.txt", Buffer.from("odd name")],
];

async function readBytes(client: ContentClient, path: string): Promise<Buffer> {
  const text = await client.raw(getContent, { path, type: "file", format: "text" });
  const format = text.status === 400 ? "base64" : "text";
  const item = await client.call(getContent, { path, type: "file", format });
  return Buffer.from(bytesOf(item) ?? assert.fail(`${path} came without content`));
}

/** The names on disk, without the folder in which servers store checkpoints. */
async function namesIn(folder: Folder, path = ""): Promise<readonly string[]> {
  return (await folder.names(path)).filter((name) => name !== ".ipynb_checkpoints");
}

/** Every number of a JSON text as it is written, by its key. */
function numbersIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/"(\w+)": (-?[\d.e+]+)/g)].map(([, key, number]) => [key, number]));
}

for (const { name, start, has } of servers) {
  describe(`API layer on ${name}`, () => {
    let client: ContentClient;
    let folder: Folder;

    before(async () => {
      client = clientOf(await start());
    });
    beforeEach(async () => {
      folder = await newFolder(await start());
    });

    it("saves and reads any bytes unchanged, including on disk", async () => {
      for (const [file, bytes] of samples) {
        const path = folder.at(file);
        await client.call(updateContent, { path, body: updateBodyFor(path, bytes) });
        assert.equal(Buffer.compare(await readFile(folder.place(file)), bytes), 0, `${file} on disk`);
        assert.equal(Buffer.compare(await readBytes(client, path), bytes), 0, `${file} read`);
      }
    });

    it("creates every kind of file with its bytes in the create flow", async () => {
      for (const [file, bytes] of samples.filter(([, { byteLength }]) => byteLength > 0)) {
        const { item, written } = await createItem(client, folder.at(file), bytes);
        assert.deepEqual([item.path, item.name], [folder.at(file), file]);
        assert.equal(written?.path, folder.at(file));
        assert.equal(Buffer.compare(await readFile(folder.place(file)), bytes), 0, file);
      }
      assert.deepEqual(
        await namesIn(folder),
        samples
          .filter(([, { byteLength }]) => byteLength > 0)
          .map(([file]) => file)
          .sort(),
      );
    });

    it("preserves every digit of 64-bit integers and 1.0 in a notebook", async () => {
      const path = folder.at("numbers.ipynb");
      await createItem(client, path, Buffer.from(notebook));
      const saved = await folder.read("numbers.ipynb");
      const expected = numbersIn(notebook);
      assert.deepEqual(numbersIn(saved), expected);
      assert.deepEqual(numbersIn((await readBytes(client, path)).toString()), expected);
      assert.deepEqual(JSON.parse(saved), JSON.parse(notebook));
    });

    it("creates empty files, notebooks, and folders, and leaves no untitled items", async () => {
      assert.equal((await createItem(client, folder.at("a.py"), undefined)).item.size, 0);
      assert.equal((await createItem(client, folder.at("Makefile"), new Uint8Array())).item.type, "file");
      assert.equal((await createItem(client, folder.at("b.ipynb"), undefined)).item.type, "notebook");
      assert.equal((await createItem(client, folder.at("c"), undefined)).item.type, "directory");
      assert.equal(
        (await createItem(client, folder.at("d.d"), undefined, { type: "directory" })).item.type,
        "directory",
      );
      assert.deepEqual(await namesIn(folder), ["Makefile", "a.py", "b.ipynb", "c", "d.d"]);
      assert.equal(JSON.parse(await folder.read("b.ipynb")).nbformat, 4);
    });

    it("never replaces an existing item when it creates one", async () => {
      await folder.write("a.py", "mine");
      for (const type of ["file", "directory"] as const) {
        const failure = await failureOf(createItem(client, folder.at("a.py"), Buffer.from("theirs"), { type }));
        const word = type === "file" ? "create" : "create_folder";
        assert.deepEqual([failure.kind, failure.status, failure.operationWord], ["crud", 409, word]);
      }
      assert.equal(await folder.read("a.py"), "mine");
      assert.deepEqual(await namesIn(folder), ["a.py"]);
    });

    it("reports where an item can't be created, and leaves nothing behind", async () => {
      const nowhere = await failureOf(createItem(client, folder.at("nowhere/a.py"), Buffer.from("x")));
      assert.deepEqual([nowhere.kind, nowhere.status, nowhere.entity], ["crud", 404, folder.at("nowhere/a.py")]);
      const hidden = await failureOf(createItem(client, folder.at(".env"), Buffer.from("x")));
      assert.deepEqual([hidden.kind, hidden.status], ["crud", 400]);
      assert.deepEqual(await namesIn(folder), []);
    });

    it("lists a tree as a flat list, with each path once", async () => {
      for (const path of ["a.py", "b/c.csv", "b/d/e.py", "b/d/f.ipynb", ".hidden/g.py", "recent_executions/h.py"]) {
        await folder.write(path, "{}");
      }
      const paths = async (options: Parameters<typeof listRecursively>[1] = {}) =>
        (await listRecursively(client, { contentPath: folder.path, ...options }))
          .map(({ path }) => path.slice(folder.path.length + 1))
          .sort();
      assert.deepEqual(await paths(), ["", "a.py", "b", "b/c.csv", "b/d", "b/d/e.py", "b/d/f.ipynb"]);
      assert.deepEqual(await paths({ includedFileTypes: [".py"] }), ["", "a.py", "b", "b/d", "b/d/e.py"]);
      assert.deepEqual(await paths({ ignoreFolders: ["d"] }), ["", "a.py", "b", "b/c.csv"]);
      assert.deepEqual(await paths({ isRecursive: false }), ["", "a.py", "b"]);
      const [first] = await listRecursively(client, { contentPath: folder.path });
      assert.deepEqual([first?.path, first?.type, first?.content], [folder.path, "directory", null]);
    });

    it("lists a wide tree completely", async () => {
      for (let number = 0; number < 40; number += 1) {
        await folder.write(`d${number}/file.txt`, "x");
      }
      const items = await listRecursively(client, { contentPath: folder.path });
      assert.equal(items.length, 1 + 2 * 40);
      assert.equal(new Set(items.map(({ path }) => path)).size, items.length);
    });

    it("copies a file to exactly the requested path", async () => {
      await folder.write("a.py", "print(1)");
      await folder.write("sub/x", "");
      for (const target of ["b.py", "sub/a.py", "sub/no dot"]) {
        assert.equal((await copyFileOnServer(client, folder.at("a.py"), folder.at(target)))?.path, folder.at(target));
        assert.equal(await folder.read(target), "print(1)");
      }
      assert.deepEqual(await namesIn(folder), ["a.py", "b.py", "sub"]);
    });

    it("never copies over an existing file, and reports a missing source", async () => {
      await folder.write("a.py", "a");
      await folder.write("b.py", "b");
      await folder.write("sub/x", "x");
      assert.equal(await copyFileOnServer(client, folder.at("a.py"), folder.at("b.py")), undefined);
      assert.equal((await failureOf(copyFileOnServer(client, folder.at("a.py"), folder.at("sub")))).status, 409);
      assert.equal(await copyFileOnServer(client, folder.at("none.py"), folder.at("c.py")), undefined);
      assert.equal(await folder.read("b.py"), "b");
      assert.deepEqual([await namesIn(folder), await namesIn(folder, "sub")], [["a.py", "b.py", "sub"], ["x"]]);
    });

    it("copies a folder to exactly the requested path, or creates nothing if the server can't copy folders", async () => {
      await folder.write("src/deep/a.py", "print(1)");
      if (!has("copiedDirectories")) {
        assert.equal(await copyFolderOnServer(client, folder.at("src"), folder.at("lib")), undefined);
        assert.deepEqual(await namesIn(folder), ["src"]);
        return;
      }
      await folder.write("other/x", "");
      for (const target of ["lib", "other/src", "other/lib"]) {
        assert.equal((await copyFolderOnServer(client, folder.at("src"), folder.at(target)))?.path, folder.at(target));
        assert.equal(await folder.read(`${target}/deep/a.py`), "print(1)");
      }
      assert.deepEqual(await namesIn(folder), ["lib", "other", "src"]);
      assert.deepEqual(await namesIn(folder, "other"), ["lib", "src", "x"]);
    });

    it("never copies a folder over an existing item", async () => {
      await folder.write("src/a.py", "a");
      await folder.write("lib/b.py", "b");
      const copy = copyFolderOnServer(client, folder.at("src"), folder.at("lib"));
      if (has("copiedDirectories")) assert.equal((await failureOf(copy)).status, 409);
      else assert.equal(await copy, undefined);
      assert.deepEqual([await namesIn(folder), await namesIn(folder, "lib")], [["lib", "src"], ["b.py"]]);
    });

    it("renames, and refuses to replace an existing item", async () => {
      await folder.write("a.py", "a");
      await folder.write("b.py", "b");
      await client.call(renameContent, { oldPath: folder.at("a.py"), body: { path: folder.at("ü #1.py") } });
      const rename = client.call(renameContent, { oldPath: folder.at("b.py"), body: { path: folder.at("ü #1.py") } });
      const failure = await failureOf(rename);
      assert.deepEqual([failure.kind, failure.status, failure.entity], ["crud", 409, folder.at("b.py")]);
      assert.deepEqual(await namesIn(folder), ["b.py", "ü #1.py"]);
    });

    it("reports a missing item that is renamed as not found, although servers respond with 500", async () => {
      await folder.write("a.py", "a");
      for (const target of ["b.py", "a.py"]) {
        const failure = await failureOf(renameItem(client, folder.at("none.py"), folder.at(target)));
        assert.ok(hasStatus(failure, 404), failure.message);
        assert.match(failure.message, /none\.py/);
        assert.doesNotMatch(failure.message, /Errno|Unhandled|platform-workbench-content/);
      }
    });

    it("creates, lists, restores, and deletes checkpoints", async () => {
      await folder.write("a.py", "old");
      const path = folder.at("a.py");
      assert.deepEqual(await client.call(listCheckpoints, { path }), []);
      const made = await client.call(createCheckpoint, { path });
      assert.deepEqual(await client.call(listCheckpoints, { path }), [made]);
      await client.call(updateContent, { path, body: { type: "file", format: "text", content: "new" } });
      await client.call(restoreCheckpoint, { path, checkpointId: made.id });
      assert.equal(await folder.read("a.py"), "old");
      await client.call(deleteCheckpoint, { path, checkpointId: made.id });
      const failure = await failureOf(client.call(deleteCheckpoint, { path, checkpointId: made.id }));
      assert.deepEqual([failure.kind, failure.status, failure.operationWord], ["crud", 404, "delete_checkpoint"]);
    });

    it("distinguishes errors by kind", async () => {
      await folder.write("a.py", "a");
      await folder.write("broken.ipynb", "{");
      const at = (path: string) => folder.at(path);
      const file = { type: "file", format: "text", content: "x" } as const;
      const wrong = clientOf(folder.server, "0123456789abcdef-wrong");
      const expected: readonly (readonly [() => Promise<unknown>, string, number, string | undefined])[] = [
        [() => client.call(getContent, { path: at("none.py") }), "notFound", 404, undefined],
        [() => client.call(getContent, { path: at(".env") }), "notFound", 404, undefined],
        [() => client.call(getContent, { path: at("a.py"), type: "directory" }), "retrieval", 400, undefined],
        [() => client.call(getContent, { path: at("broken.ipynb") }), "retrieval", 400, undefined],
        [() => client.call(updateContent, { path: at("none/a.py"), body: file }), "crud", 500, "update"],
        [() => client.call(createCheckpoint, { path: at("none.py") }), "crud", 500, "create_checkpoint"],
        [() => deleteTree(client, at("none.py")), "notFound", 404, "delete"],
        [
          () => client.call(createContent, { parentPath: at("a.py"), body: { type: "file", path: at("a.py") } }),
          "crud",
          400,
          "create",
        ],
        [() => wrong.call(getContent, { path: at("a.py") }), "retrieval", 403, undefined],
        [() => wrong.call(updateContent, { path: at("a.py"), body: file }), "crud", 403, "update"],
        [() => wrong.call(listCheckpoints, { path: at("a.py") }), "retrieval", 403, undefined],
        [() => deleteTree(wrong, at("a.py")), "crud", 403, "delete"],
        [() => createItem(wrong, at("b.py"), Buffer.from("x")), "crud", 403, "create"],
      ];
      const hash: (typeof expected)[number] = [
        () => client.call(getContent, { path: folder.path, hash: 1 }),
        ...(["retrieval", 500, undefined] as const),
      ];
      const all = has("hashes") ? [...expected, hash] : expected;
      for (const [index, [work, kind, status, word]] of all.entries()) {
        const failure = await failureOf(work());
        assert.deepEqual([failure.kind, failure.status, failure.operationWord], [kind, status, word], `case ${index}`);
        assert.equal(
          failure.message.includes("Check that the notebook token is valid."),
          status === 403,
          failure.message,
        );
        assert.equal(failure.message.includes(folder.server.token), false);
      }
      assert.equal(await folder.read("a.py"), "a");
    });
  });
}

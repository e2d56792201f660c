import assert from "node:assert/strict";
import { assertError, type ContentServer, call, contents } from "./client.ts";
import { currentServers, type Folder, newFolder } from "./servers.ts";

const emptyNotebook = '{\n "cells": [],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n';

for (const { name, start } of currentServers) {
  describe(`${name}: creating and copying`, () => {
    let server: ContentServer;
    let folder: Folder;
    const post = async (path: string, body: unknown) => await call(server, "POST", contents(folder.at(path)), { body });
    const copy = async (from: string, to: string) => await post(to, { copy_from: folder.at(from) });

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
    });

    // Proves 4.2: POST in a directory creates an item with a default
    it("chooses free untitled names", async () => {
      for (const [body, expected] of [
        [{ type: "notebook" }, ["Untitled.ipynb", "Untitled1.ipynb"]],
        [{ type: "file" }, ["untitled", "untitled1"]],
        [{ type: "file", ext: ".py" }, ["untitled.py", "untitled1.py"]],
        [{ type: "file", ext: ".tar.gz" }, ["untitled.tar.gz", "untitled1.tar.gz"]],
        [{ type: "directory" }, ["Untitled Folder", "Untitled Folder 1", "Untitled Folder 2"]],
        [{ ext: ".ipynb" }, ["Untitled2.ipynb"]],
        [{ type: "something" }, ["untitled2"]],
        [{}, ["untitled3"]],
        [{ type: "notebook", path: "elsewhere", ext: ".py" }, ["Untitled3.ipynb"]],
      ] as const) {
        for (const one of expected) {
          const response = await post("", body);
          const { name: given, path, content, format } = response.json;
          assert.deepEqual([response.status, given, path, content, format], [201, one, folder.at(one), null, null]);
          assert.equal(response.headers.location, new URL(contents(folder.path, one), server.url).pathname);
        }
      }
      assert.equal(await folder.read("Untitled.ipynb"), emptyNotebook);
      assert.equal(await folder.read("untitled.py"), "");
      const response = await call(server, "POST", contents(folder.path));
      assert.equal(response.json.name, "untitled4");
    });

    it("rejects creating in a file or a missing folder, and a body that isn't an object", async () => {
      await folder.write("a.txt", "text");
      assertError(await post("a.txt", { type: "file" }), 400, "Cannot POST to files, use PUT instead.");
      assertError(await post("nothing", { type: "file" }), 404, `No such directory: ${folder.at("nothing")}`);
      assertError(await post("", [1]), 500, "Unhandled error");
      const broken = await call(server, "POST", contents(folder.path), { text: "{" });
      assertError(broken, 400, "Invalid JSON in body of request");
    });

    it("copies into a directory under a free name", async () => {
      await folder.write("a.txt", "text");
      await folder.write("x.tar.gz", "packed");
      await folder.write("none", "plain");
      await folder.write("n.v2.ipynb", emptyNotebook);
      await folder.write("sub/b", "b");
      for (const [from, to, expected] of [
        ["a.txt", "", "a-Copy1.txt"],
        ["a.txt", "", "a-Copy2.txt"],
        ["a-Copy1.txt", "", "a-Copy3.txt"],
        ["a.txt", "sub", "sub/a.txt"],
        ["a.txt", "sub", "sub/a-Copy1.txt"],
        ["x.tar.gz", "", "x-Copy1.tar.gz"],
        ["none", "", "none-Copy1"],
        ["n.v2.ipynb", "", "n.v2-Copy1.ipynb"],
      ] as const) {
        const response = await copy(from, to);
        assert.deepEqual([response.status, response.json.path], [201, folder.at(expected)]);
        assert.equal(await folder.read(expected), await folder.read(from));
      }
    });

    it("copies to exactly the path that does not exist yet, in one request", async () => {
      const bytes = Buffer.from([0, 255, 254, 1]);
      await folder.write("a.dat", bytes);
      await folder.write("sub/b", "b");
      const response = await copy("a.dat", "sub/exact name.dat");
      assert.deepEqual(
        [response.status, response.json.path, response.json.size],
        [201, folder.at("sub/exact name.dat"), 4],
      );
      assertError(await copy("a.dat", "sub/b"), 400, "Cannot POST to files, use PUT instead.");
      const message = `No such parent directory: ${folder.at("no")} to copy file in`;
      assertError(await copy("a.dat", "no/x.dat"), 404, message);
      assertError(await copy("nothing", ""), 404, `No such file or directory: ${folder.at("nothing")}`);
    });

    it("copies a directory below the target, and creates the target", async () => {
      await folder.write("from/deep/a.txt", "text");
      await folder.write("from/.hidden", "hidden");
      await folder.write("sub/b", "b");
      for (const [to, expected] of [
        ["", "from-Copy1"],
        ["sub", "sub/from"],
        ["new/target", "new/target/from"],
        ["new/target", "new/target/from-Copy1"],
        ["from", "from/from"],
      ] as const) {
        const response = await copy("from", to);
        assert.deepEqual(
          [response.status, response.json.path, response.json.type],
          [201, folder.at(expected), "directory"],
        );
        assert.equal(await folder.read(`${expected}/deep/a.txt`), "text");
        assert.equal(await folder.read(`${expected}/.hidden`), "hidden");
      }
    });

    it("refuses to copy hidden items and items outside of the root", async () => {
      await folder.write(".hidden", "text");
      await folder.write(".folder/a", "text");
      await folder.write("a.txt", "text");
      assertError(await copy(".hidden", ""), 400, `Cannot copy file or directory '/${folder.path}'`);
      assertError(await copy("a.txt", ".folder"), 400, `Cannot copy file or directory '/${folder.at(".folder")}'`);
      assertError(await post("", { copy_from: "../a.txt" }), 404, "../a.txt is outside root contents directory");
    });

    it("refuses to copy an invalid notebook", async () => {
      await folder.write("n.ipynb", "{not json");
      assertError(await copy("n.ipynb", ""), 400, /^Unreadable Notebook: /);
    });
  });
}

import assert from "node:assert/strict";
import { chmod, stat, symlink } from "node:fs/promises";
import { connect } from "node:net";
import { until } from "../harness/until.ts";
import { assertError, type ContentServer, call, contents } from "./client.ts";
import { currentServers, type Folder, newFolder } from "./servers.ts";

const text = (content: string): Record<string, unknown> => ({ type: "file", format: "text", content });

for (const { name, start } of currentServers) {
  describe(`${name}: saving`, () => {
    let server: ContentServer;
    let folder: Folder;
    const put = async (path: string, body: unknown, headers = {}) =>
      await call(server, "PUT", contents(folder.at(path)), { body, headers });

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
    });

    it("returns 201 for a new file and 200 for an existing one, with only the metadata", async () => {
      const created = await put("a.txt", text("one\r\n"));
      assert.equal(created.status, 201);
      const { path, size, type, content, format, hash } = created.json;
      assert.deepEqual(
        { path, size, type, content, format, hash },
        { path: folder.at("a.txt"), size: 5, type: "file", content: null, format: null, hash: null },
      );
      assert.equal(created.headers.location, new URL(contents(folder.at("a.txt")), server.url).pathname);
      assert.equal(created.headers.etag, undefined);
      assert.equal(await folder.read("a.txt"), "one\r\n");
      assert.equal((await put("a.txt", text("two"))).status, 200);
      assert.equal(await folder.read("a.txt"), "two");
    });

    it("accepts bytes as base64, with and without line breaks", async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
      const plain = bytes.toString("base64");
      for (const content of [plain, plain.replace(/.{1,76}/g, "$&\n")]) {
        assert.ok((await put("a.dat", { type: "file", format: "base64", content })).status < 300);
        const read = await call(server, "GET", `${contents(folder.at("a.dat"))}?format=base64`);
        assert.deepEqual(Buffer.from(String(read.json.content), "base64"), bytes);
      }
    });

    it("skips characters that aren't base64, and rejects invalid base64 without changing the file", async () => {
      await put("a.dat", text("before"));
      for (const content of ["aGVsb", "aGk", "!!!not base64", "äöü"]) {
        assertError(await put("a.dat", { type: "file", format: "base64", content }), 400, /^Encoding error saving /);
        assert.equal(await folder.read("a.dat"), "before");
      }
      assert.equal((await put("a.dat", { type: "file", format: "base64", content: "!!!!" })).status, 200);
      assert.equal(await folder.read("a.dat"), "");
    });

    it("rejects a body without type, format, or content, and doesn't change the file", async () => {
      await put("a.txt", text("before"));
      const format = "Must specify format of file contents as 'text' or 'base64'";
      assertError(await put("a.txt", { format: "text", content: "x" }), 400, "No file type provided");
      assertError(await put("a.txt", { type: "file", content: "x" }), 400, format);
      assertError(await put("a.txt", { type: "file", format: "json", content: "x" }), 400, format);
      assertError(await put("a.txt", { type: "file", format: "text" }), 400, "No file content provided");
      assertError(await put("a.txt", { type: "file", format: "text", content: 5 }), 400, /^Encoding error/);
      assertError(await put("a.txt", text("\u{d800}")), 400, /^Encoding error/);
      assertError(await put("a.txt", { copy_from: "b.txt" }), 400, "Cannot copy with PUT, only POST");
      const broken = await call(server, "PUT", contents(folder.at("a.txt")), { text: "{" });
      assertError(broken, 400, "Invalid JSON in body of request");
      assertError(await put("a.txt", [1]), 500, "Unhandled error");
      assert.equal(await folder.read("a.txt"), "before");
    });

    it("adds defaults for a new item", async () => {
      assert.equal((await put("a", { format: "text", content: "q" })).json.type, "file");
      assert.equal((await put("b.txt", { other: 1 })).json.size, 0);
      assert.equal((await put("c.ipynb", { other: 1 })).json.type, "notebook");
      assert.equal((await put("d.txt", { ...text("d"), type: "something" })).json.type, "file");
      assert.equal(await folder.read("d.txt"), "d");
    });

    it("creates an untitled file in the directory if there is no body", async () => {
      const response = await call(server, "PUT", contents(folder.path));
      assert.deepEqual([response.status, response.json.path], [201, folder.at("untitled")]);
      const missing = await call(server, "PUT", contents(folder.at("nothing")), { body: {} });
      assertError(missing, 404, `No such directory: ${folder.at("nothing")}`);
    });

    it("returns 201 for a directory every time, even if it exists", async () => {
      for (let time = 0; time < 2; time += 1) {
        const response = await put("sub", { type: "directory" });
        assert.deepEqual([response.status, response.json.type, response.json.size], [201, "directory", null]);
      }
      await put("a.txt", text(""));
      assertError(await put("a.txt", { type: "directory" }), 400, `Not a directory: ${folder.place("a.txt")}`);
    });

    it("fails with 500, not 404, for a missing parent and onto a directory", async () => {
      for (const body of [text("x"), { type: "directory" }, { ...text("x"), chunk: 1 }]) {
        const path = folder.at("no/parent");
        const message = `Unexpected error while saving file: ${path} [Errno 2] No such file or directory: '${folder.place("no/parent")}'`;
        assertError(await put("no/parent", body), 500, message);
      }
      await folder.write("sub/a.txt", "text");
      assertError(await put("sub", text("x")), 500, /\[Errno 21\] Is a directory/);
      assertError(await put("sub/a.txt/b", text("x")), 500, "Unhandled error");
      assertError(await put("x".repeat(256), text("x")), 500, "Unhandled error");
      assert.deepEqual(await folder.names("sub"), ["a.txt"]);
    });

    it("refuses hidden names and paths outside of its root", async () => {
      for (const [path, body] of [
        [".gitignore", text("x")],
        [".vscode/settings.json", text("{}")],
        [".folder", { type: "directory" }],
      ] as const) {
        const message = `Cannot create file or directory '/${folder.at(path)}'`;
        assertError(await put(path, body), 400, message);
      }
      const outside = await call(server, "PUT", "api/contents/../outside.txt", { body: text("x") });
      assertError(outside, 404, "../outside.txt is outside root contents directory");
      assert.deepEqual(await folder.names(), []);
    });

    it("ignores preconditions, so the last writer wins", async () => {
      const { last_modified } = (await put("a.txt", text("one"))).json;
      await put("a.txt", text("two"));
      const headers = { "if-match": '"other"', "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" };
      assert.equal(
        (await put("a.txt", { ...text("three"), last_modified, hash: "0", name: "b.txt" }, headers)).status,
        200,
      );
      assert.equal(await folder.read("a.txt"), "three");
    });

    it("writes through a link and keeps a file's mode", async () => {
      await folder.write("a.sh", "one");
      await chmod(folder.place("a.sh"), 0o750);
      await symlink("a.sh", folder.place("link.sh"));
      assert.equal((await put("link.sh", text("two"))).status, 200);
      assert.equal(await folder.read("a.sh"), "two");
      assert.equal((await stat(folder.place("a.sh"))).mode & 0o777, 0o750);
    });

    it("joins chunks: the first one replaces the file, later ones are appended", async () => {
      const chunk = async (path: string, number: number, content: string) =>
        (await put(path, { ...text(content), chunk: number })).status;
      await folder.write("a.txt", "old and long");
      assert.equal(await chunk("a.txt", 1, "aaa"), 200);
      assert.equal(await folder.read("a.txt"), "aaa");
      assert.equal(await chunk("a.txt", 2, "bbb"), 200);
      assert.equal(await chunk("a.txt", -1, "ccc"), 200);
      assert.equal(await folder.read("a.txt"), "aaabbbccc");
      assert.equal(await chunk("b.txt", 2, "only"), 201);
      assert.equal(await folder.read("b.txt"), "only");
      const notebook = { type: "notebook", format: "json", content: {}, chunk: 1 };
      assertError(await put("c.ipynb", notebook), 400, 'File type "notebook" is not supported for large file transfer');
      assertError(await put("c.txt", { type: "file", content: "x", chunk: 1 }), 400, /^Must specify format/);
    });

    it("ends concurrent writes with one complete text", async () => {
      const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(200_000));
      const responses = await Promise.all(texts.map((one) => put("a.txt", text(one))));
      assert.ok(responses.every(({ status }) => status === 200 || status === 201));
      assert.ok(texts.includes(await folder.read("a.txt")));
    });

    it("closes the connection for a body larger than 512 MiB, after a bare 400 at most", async () => {
      const { status, headers } = await announceBody(server, contents(folder.at("a.txt")), 513 * 1024 * 1024);
      assert.deepEqual([status, headers], ["HTTP/1.1 400 Bad Request", ""]);
      assert.deepEqual(await folder.names(), []);
    });

    it("changes last_modified with every save", async () => {
      const first = (await put("a.txt", text("one"))).json.last_modified;
      // The dates of files are as precise as a tick of the system's clock.
      await until("a file that is written now has a later date", async () => {
        await folder.write("later.txt", "later");
        return Math.floor((await stat(folder.place("later.txt"))).mtimeMs) > Date.parse(String(first));
      });
      const second = (await put("a.txt", text("two"))).json.last_modified;
      assert.ok(String(second) > String(first), `${second} is not after ${first}`);
    });
  });
}

/** Announces a body without sending it. Returns the response until the server closes the connection. */
async function announceBody(
  server: ContentServer,
  path: string,
  length: number,
): Promise<{ readonly status: string; readonly headers: string }> {
  const { hostname, port, pathname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const lines = [
    `PUT ${pathname}${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: token ${server.token}`,
    `Content-Length: ${length}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  let received = "";
  for await (const chunk of socket) {
    received += String(chunk);
  }
  const [status = "", ...headers] = received.split("\r\n");
  return { status, headers: headers.join("") };
}

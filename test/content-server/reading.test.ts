import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, symlink } from "node:fs/promises";
import { assertError, type ContentServer, call, contents } from "./client.ts";
import { currentServers, type Folder, newFolder } from "./servers.ts";

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/;

for (const { name, start } of currentServers) {
  describe(`${name}: reading`, () => {
    let server: ContentServer;
    let folder: Folder;

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
    });

    // Proves 2.1: an item has a name and a path from the workspace root; times are ISO 8601 in UTC
    // Proves 2.1: the format is json, text, or null; the media type may be null
    // Proves 2.1: the size is a whole number, and `writable` is a Boolean
    it("returns a text file with its content and all fields", async () => {
      await folder.write("clean.py", "print(1)\n");
      const response = await call(server, "GET", contents(folder.at("clean.py")));
      assert.equal(response.status, 200);
      assert.equal(response.headers["content-type"], "application/json");
      const { last_modified, created, ...fields } = response.json;
      assert.match(String(last_modified), time);
      assert.match(String(created), time);
      assert.equal(new Date(String(last_modified)).toUTCString(), response.headers["last-modified"]);
      assert.deepEqual(fields, {
        name: "clean.py",
        path: folder.at("clean.py"),
        content: "print(1)\n",
        format: "text",
        mimetype: "text/x-python",
        size: 9,
        writable: true,
        hash: null,
        hash_algorithm: null,
        type: "file",
      });
    });

    // Proves 2.1: the content is null with content=0, and the body
    it("omits content and format with content=0, and rejects other values", async () => {
      await folder.write("a.txt", "hello\n");
      const { content, format, size, mimetype } = (
        await call(server, "GET", `${contents(folder.at("a.txt"))}?content=0`)
      ).json;
      assert.deepEqual(
        { content, format, size, mimetype },
        { content: null, format: null, size: 6, mimetype: "text/plain" },
      );
      const last = await call(server, "GET", `${contents(folder.at("a.txt"))}?content=0&content=1`);
      assert.equal(last.json.content, "hello\n");
      for (const value of ["2", "", "true"]) {
        const response = await call(server, "GET", `${contents(folder.at("a.txt"))}?content=${value}`);
        assertError(response, 400, `Content '${value}' is invalid`);
      }
    });

    it("lists a directory's children without content, and omits hidden and generated items", async () => {
      for (const path of [
        "a.txt",
        "n.ipynb",
        ".hidden",
        "x.pyc",
        "y.pyo",
        "z~",
        ".DS_Store",
        "__pycache__/a",
        ".git/a",
        "sub/b",
      ]) {
        await folder.write(path, "text");
      }
      const response = await call(server, "GET", contents(folder.path));
      const { type, format, size, mimetype } = response.json;
      assert.deepEqual(
        { type, format, size, mimetype },
        { type: "directory", format: "json", size: null, mimetype: null },
      );
      const children = response.children.toSorted((left, right) => String(left.name).localeCompare(String(right.name)));
      assert.deepEqual(
        children.map((child) => [
          child.name,
          child.path,
          child.type,
          child.size,
          child.writable,
          child.content,
          child.mimetype,
        ]),
        [
          ["a.txt", folder.at("a.txt"), "file", 4, true, null, "text/plain"],
          ["n.ipynb", folder.at("n.ipynb"), "notebook", 4, true, null, null],
          ["sub", folder.at("sub"), "directory", null, true, null, null],
        ],
      );
      assert.ok(children.every((child) => time.test(String(child.last_modified))));
      assert.equal((await call(server, "GET", contents(folder.at("x.pyc")))).status, 200);
    });

    // Proves 4.2: A content path is relative to the workspace
    it("returns the root for both forms of its path", async () => {
      for (const path of ["api/contents", "api/contents/"]) {
        const response = await call(server, "GET", path);
        assert.deepEqual(
          [response.status, response.json.name, response.json.path, response.json.type],
          [200, "", "", "directory"],
        );
        assert.ok(response.children.some((child) => child.path === folder.path));
      }
    });

    it("redirects a path with a trailing slash, and rejects empty segments", async () => {
      const slash = await call(server, "GET", `${contents(folder.path)}/`);
      assert.equal(slash.status, 302);
      assert.equal(slash.headers.location, new URL(contents(folder.path), server.url).pathname);
      assert.equal((await call(server, "GET", `api/contents//${folder.path}`)).status, 404);
    });

    // Proves 2.1: the type is notebook, file, or directory
    it("rejects an item of another type than requested", async () => {
      await folder.write("a.txt", "hello\n");
      await folder.write("n.ipynb", "{not json");
      const of = async (path: string, query: string) =>
        await call(server, "GET", `${contents(folder.at(path))}?${query}`);
      assert.equal((await of("a.txt", "type=something")).json.type, "file");
      assertError(await of("a.txt", "type=directory"), 400, `${folder.at("a.txt")} is not a directory`, "bad type");
      assertError(await of("", "type=file"), 400, `${folder.path} is a directory, not a file`, "bad type");
      assertError(await of("a.txt", "type=notebook"), 400, /^Unreadable Notebook: /);
      const raw = await of("n.ipynb", "type=file&format=text");
      assert.deepEqual([raw.json.type, raw.json.format, raw.json.content], ["file", "text", "{not json"]);
    });

    it("returns bytes as base64 in lines, and text only if it is UTF-8", async () => {
      const bytes = Buffer.from(Array.from({ length: 300 }, (_, index) => index % 256));
      await folder.write("data.dat", bytes);
      await folder.write("text.txt", "\u{feff}Größe\r\n");
      await folder.write("empty.txt", "");
      const binary = await call(server, "GET", contents(folder.at("data.dat")));
      assert.deepEqual([binary.json.format, binary.json.mimetype], ["base64", "application/octet-stream"]);
      const { content } = binary.json;
      assert.ok(typeof content === "string" && content.endsWith("\n"));
      assert.ok(
        content
          .trimEnd()
          .split("\n")
          .slice(0, -1)
          .every((line) => line.length === 76),
      );
      assert.deepEqual(Buffer.from(content, "base64"), bytes);
      const asText = await call(server, "GET", `${contents(folder.at("data.dat"))}?format=text`);
      assertError(asText, 400, `${folder.place("data.dat")} is not UTF-8 encoded`, "bad format");
      assert.equal((await call(server, "GET", contents(folder.at("text.txt")))).json.content, "\u{feff}Größe\r\n");
      assert.equal((await call(server, "GET", contents(folder.at("empty.txt")))).json.content, "");
      const forced = await call(server, "GET", `${contents(folder.at("text.txt"))}?format=base64`);
      assert.equal(Buffer.from(String(forced.json.content), "base64").toString(), "\u{feff}Größe\r\n");
      assertError(
        await call(server, "GET", `${contents(folder.at("text.txt"))}?format=json`),
        400,
        "Format 'json' is invalid",
      );
    });

    // Proves 2.1: hash and hash algorithm are strings or null
    it("returns a hash on request, and fails for a directory", async () => {
      await folder.write("a.txt", "hello\n");
      const expected = createHash("sha256").update("hello\n").digest("hex");
      for (const query of ["hash=1", "hash=1&content=0"]) {
        const { hash, hash_algorithm } = (await call(server, "GET", `${contents(folder.at("a.txt"))}?${query}`)).json;
        assert.deepEqual([hash, hash_algorithm], [expected, "sha256"]);
        const directory = await call(server, "GET", `${contents(folder.path)}?${query}`);
        assertError(directory, 500, "Keys unexpectedly None: ['hash', 'hash_algorithm']");
      }
      const refused = await call(server, "GET", `${contents(folder.at("a.txt"))}?hash=2`);
      assertError(refused, 400, "Hash argument '2' is invalid. It must be '0' or '1'.");
    });

    it("returns 304 to a client that already has the body", async () => {
      await folder.write("a.txt", "hello\n");
      for (const path of [contents(folder.at("a.txt")), contents(folder.path), `${contents(folder.path)}?content=0`]) {
        const first = await call(server, "GET", path);
        const { etag = "" } = first.headers;
        assert.match(etag, /^"[^"]+"$/);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const again = await call(server, "GET", path, { headers: { "if-none-match": known } });
          assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag]);
        }
      }
      const { etag = "" } = (await call(server, "GET", contents(folder.path))).headers;
      await folder.write("b.txt", "new");
      const changed = await call(server, "GET", contents(folder.path), { headers: { "if-none-match": etag } });
      assert.equal(changed.status, 200);
    });

    it("reports a missing item in plain text with a JSON content type", async () => {
      for (const path of ["nothing.txt", "no/thing.txt", ".hidden"]) {
        const response = await call(server, "GET", contents(folder.at(path)));
        assert.equal(response.status, 404);
        assert.equal(response.headers["content-type"], "application/json");
        assert.equal(response.text, `file or directory '/${folder.at(path)}' does not exist`);
        assert.throws(() => response.json, SyntaxError);
      }
    });

    it("returns neither hidden items nor items outside of its root", async () => {
      await folder.write(".hidden", "text");
      await folder.write(".folder/a.txt", "text");
      for (const path of [".hidden", ".folder", ".folder/a.txt"]) {
        assert.equal((await call(server, "GET", contents(folder.at(path)))).status, 404);
      }
      const outside = await call(server, "GET", "api/contents/%2e%2e/secret");
      assertError(outside, 404, "../secret is outside root contents directory");
      assertError(await call(server, "GET", "api/contents/a%00b"), 404, "a\0b is not a valid path");
    });

    it("fails if the path goes through a file", async () => {
      await folder.write("a.txt", "text");
      const response = await call(server, "GET", contents(folder.at("a.txt/b")));
      assertError(response, 500, "Unhandled error");
      assert.equal(response.json.traceback, "");
    });

    it("reads every name that is encoded segment by segment", async () => {
      const names = [
        "100% sure.md",
        "p%41.txt",
        "a#b.txt",
        "what?.txt",
        "a+b & c=d;e.txt",
        'it\'s "quoted".txt',
        "日本語 🎉.txt",
        "cafe\u0301.txt",
        `${"x".repeat(251)}.txt`,
      ];
      for (const one of names) {
        await folder.write(one, one);
        const response = await call(server, "GET", contents(folder.path, one));
        assert.deepEqual([response.status, response.json.name, response.json.content], [200, one, one]);
      }
      const listed = (await call(server, "GET", contents(folder.path))).children.map((child) => child.name);
      assert.deepEqual(listed.toSorted(), names.toSorted());
    });

    it("treats an encoded slash as a slash, and rejects an invalid encoding", async () => {
      await folder.write("a.txt", "text");
      const response = await call(server, "GET", `api/contents/${folder.path}%2Fa.txt`);
      assert.equal(response.json.path, folder.at("a.txt"));
      assert.equal((await call(server, "GET", "api/contents/%ff")).status, 400);
      assert.equal((await call(server, "GET", "api/contents/%zz")).status, 404);
    });

    it("shows links as their targets, and a broken link as a file", async () => {
      await folder.write("a.txt", "text");
      await mkdir(folder.place("sub"));
      await symlink("a.txt", folder.place("link.txt"));
      await symlink("sub", folder.place("linked"));
      await symlink("nowhere", folder.place("broken"));
      const listing = (await call(server, "GET", contents(folder.path))).children;
      const types = Object.fromEntries(listing.map((child) => [child.name, child.type]));
      assert.deepEqual(types, {
        "a.txt": "file",
        sub: "directory",
        "link.txt": "file",
        linked: "directory",
        broken: "file",
      });
      assert.equal((await call(server, "GET", contents(folder.at("link.txt")))).json.content, "text");
      assert.equal((await call(server, "GET", `${contents(folder.at("broken"))}?content=0`)).status, 200);
      assertError(await call(server, "GET", contents(folder.at("broken"))), 400, /^Cannot read non-file /);
    });

    it("rejects HEAD and unknown methods", async () => {
      await folder.write("a.txt", "text");
      assert.equal((await call(server, "HEAD", contents(folder.at("a.txt")))).status, 405);
      assertError(await call(server, "PUT", `${contents(folder.at("a.txt"))}/checkpoints`), 405, "Method Not Allowed");
    });
  });
}

import assert from "node:assert/strict";
import { assertError, type ContentServer, call, contents } from "./client.ts";
import { currentServers, type Folder, newFolder } from "./servers.ts";

for (const { name, start } of currentServers) {
  describe(`${name}: tokens and raw files`, () => {
    let server: ContentServer;
    let folder: Folder;
    const raw = (path: string): string => contents(folder.at(path)).replace("api/contents/", "files/");

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
      await folder.write("a.txt", "hello\n");
    });

    it("accepts the token with either scheme in any case, or in the query", async () => {
      const path = `${contents(folder.at("a.txt"))}?content=0`;
      for (const word of ["token", "Token", "TOKEN", "Bearer", "bearer", "bEaReR"]) {
        const response = await call(server, "GET", path, { authorization: `${word} ${server.token}` });
        assert.equal(response.status, 200, word);
      }
      const inQuery = await call(server, "GET", `${path}&token=${server.token}`, { authorization: null });
      assert.equal(inQuery.status, 200);
    });

    // Proves 5.2: a 403 of the content server means that the notebook token is invalid
    it("returns 403 for a wrong or missing token, also for missing files", async () => {
      for (const authorization of ["token wrong", `Basic ${server.token}`, server.token, null]) {
        for (const path of ["a.txt", "nothing", ".hidden"]) {
          assertError(await call(server, "GET", contents(folder.at(path)), { authorization }), 403, "Forbidden");
        }
        for (const method of ["PUT", "POST", "PATCH", "DELETE"]) {
          const response = await call(server, method, contents(folder.at("a.txt")), { authorization, body: {} });
          assertError(response, 403, /_xsrf/);
        }
      }
      assert.equal(await folder.read("a.txt"), "hello\n");
    });

    it("sends a file's bytes completely and in ranges", async () => {
      const whole = await call(server, "GET", raw("a.txt"));
      assert.deepEqual([whole.status, whole.text, whole.headers["accept-ranges"]], [200, "hello\n", "bytes"]);
      assert.equal(whole.headers["content-type"], "text/plain; charset=UTF-8");
      assert.equal(whole.headers.etag, undefined);
      for (const [range, status, text, contentRange] of [
        ["bytes=1-2", 206, "el", "bytes 1-2/6"],
        ["bytes=-2", 206, "o\n", "bytes 4-5/6"],
        ["bytes=2-", 206, "llo\n", "bytes 2-5/6"],
        ["bytes=0-99", 200, "hello\n", undefined],
        ["nonsense", 200, "hello\n", undefined],
        ["bytes=100-", 416, "", "bytes */6"],
      ] as const) {
        const part = await call(server, "GET", raw("a.txt"), { headers: { range } });
        assert.deepEqual([part.status, part.text, part.headers["content-range"]], [status, text, contentRange], range);
      }
      const head = await call(server, "HEAD", raw("a.txt"));
      assert.deepEqual([head.status, head.bytes.length, head.headers["content-length"]], [200, 0, "6"]);
    });

    it("returns 304 for an unchanged file", async () => {
      const { "last-modified": since = "" } = (await call(server, "GET", raw("a.txt"))).headers;
      const again = await call(server, "GET", raw("a.txt"), { headers: { "if-modified-since": since } });
      assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    });

    it("returns the media types of files, and sends a notebook as an attachment", async () => {
      const types = {
        "a.md": "text/markdown",
        "a.py": "text/x-python",
        "a.png": "image/png",
        "a.tar.gz": "application/gzip",
        none: "application/octet-stream",
        "n.ipynb": "application/x-ipynb+json",
      };
      for (const [path, type] of Object.entries(types)) {
        await folder.write(path, "text");
        const response = await call(server, "GET", raw(path));
        assert.deepEqual([response.status, response.headers["content-type"], response.text], [200, type, "text"]);
        const attachment = path === "n.ipynb" ? "attachment; filename*=utf-8''n.ipynb" : undefined;
        assert.equal(response.headers["content-disposition"], attachment);
      }
    });

    it("returns errors as HTML: 403 for a directory, 404 for a missing or hidden item", async () => {
      await folder.write("sub/b.txt", "b");
      await folder.write(".hidden", "text");
      for (const [path, status] of [
        ["sub", 403],
        ["nothing", 404],
        [".hidden", 404],
      ] as const) {
        const response = await call(server, "GET", raw(path));
        assert.equal(response.status, status);
        assert.match(String(response.headers["content-type"]), /^text\/html/);
      }
    });

    it("redirects a client without the right token to the login page", async () => {
      for (const authorization of [null, "token wrong"]) {
        const response = await call(server, "GET", raw("a.txt"), { authorization });
        const { pathname } = new URL(server.url);
        const next = encodeURIComponent(pathname + raw("a.txt"));
        assert.deepEqual([response.status, response.headers.location], [302, `${pathname}login?next=${next}`]);
      }
    });

    it("trusts a notebook on request", async () => {
      const notebook = `{"cells":[{"cell_type":"code","execution_count":1,"id":"a","metadata":{},"source":"1","outputs":[{"output_type":"display_data","metadata":{},"data":{"text/html":"${folder.path}"}}]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`;
      await folder.write("n.ipynb", notebook);
      const path = contents(folder.at("n.ipynb"));
      assert.match((await call(server, "GET", path)).text, /"trusted": ?false/);
      const response = await call(server, "POST", `${path}/trust`);
      assert.deepEqual([response.status, response.bytes.length], [201, 0]);
      assert.match((await call(server, "GET", path)).text, /"trusted": ?true/);
      assert.equal((await call(server, "POST", `${contents(folder.at("a.txt"))}/trust`)).status, 500);
    });
  });
}

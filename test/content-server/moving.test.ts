import assert from "node:assert/strict";
import { assertError, type ContentServer, call, contents } from "./client.ts";
import { currentServers, type Folder, newFolder } from "./servers.ts";

for (const { name, start, startRefusing } of currentServers) {
  describe(`${name}: renaming and deleting`, () => {
    let server: ContentServer;
    let folder: Folder;
    const patch = async (path: string, body: unknown) =>
      await call(server, "PATCH", contents(folder.at(path)), { body });
    const move = async (from: string, to: string) => await patch(from, { path: folder.at(to) });
    const remove = async (path: string) => await call(server, "DELETE", contents(folder.at(path)));

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
    });

    it("renames and moves files and directories", async () => {
      await folder.write("a.txt", "text");
      await folder.write("sub/deep/b.txt", "b");
      const response = await move("a.txt", "sub/new name.txt");
      const { path, name: given, content, type } = response.json;
      assert.deepEqual(
        [response.status, path, given, content, type],
        [200, folder.at("sub/new name.txt"), "new name.txt", null, "file"],
      );
      assert.equal(response.headers.location, new URL(contents(folder.at("sub/new name.txt")), server.url).pathname);
      assert.equal((await move("sub", "other")).status, 200);
      assert.equal(await folder.read("other/new name.txt"), "text");
      assert.equal(await folder.read("other/deep/b.txt"), "b");
    });

    it("refuses to replace an existing item", async () => {
      await folder.write("a.txt", "a");
      await folder.write("b.txt", "b");
      await folder.write("sub/c.txt", "c");
      assertError(await move("a.txt", "b.txt"), 409, `File already exists: ${folder.at("b.txt")}`);
      assertError(await move("a.txt", "sub"), 409, `File already exists: ${folder.at("sub")}`);
      assertError(await move("sub", "a.txt"), 409, `File already exists: ${folder.at("a.txt")}`);
      assert.deepEqual([await folder.read("a.txt"), await folder.read("b.txt")], ["a", "b"]);
    });

    it("does nothing if the path is unchanged or missing", async () => {
      await folder.write("a.txt", "a");
      for (const body of [{ path: folder.at("a.txt") }, { path: `/${folder.at("a.txt")}/` }, {}]) {
        const response = await patch("a.txt", body);
        assert.deepEqual([response.status, response.json.path], [200, folder.at("a.txt")]);
      }
      assertError(await call(server, "PATCH", contents(folder.at("a.txt"))), 400, "JSON body missing");
      assertError(await patch("a.txt", []), 500, "Unhandled error");
      assertError(await patch("nothing", {}), 404, `No such file or directory: ${folder.at("nothing")}`);
    });

    it("renames an item if only the case changes", async () => {
      await folder.write("name.txt", "text");
      assert.equal((await move("name.txt", "NAME.txt")).status, 200);
      assert.deepEqual(
        (await folder.names()).filter((one) => one.endsWith(".txt")),
        ["NAME.txt"],
      );
    });

    it("names the source if the source or the target's parent is missing", async () => {
      await folder.write("a.txt", "text");
      for (const [from, to] of [
        ["nothing", "b.txt"],
        ["a.txt", "no/b.txt"],
      ] as const) {
        assertError(await move(from, to), 404, `File or directory does not exist: ${folder.at(from)}`);
      }
      assertError(await move("nothing", "a.txt"), 500, "Unhandled error");
      assert.equal(await folder.read("a.txt"), "text");
    });

    it("refuses to move a directory into itself", async () => {
      await folder.write("sub/a.txt", "text");
      const response = await move("sub", "sub/inner");
      assertError(response, 500, /^Unknown error renaming file: .* into itself '/);
      assert.equal(await folder.read("sub/a.txt"), "text");
    });

    it("refuses hidden names and paths outside of its root", async () => {
      await folder.write("a.txt", "text");
      await folder.write(".hidden", "text");
      assertError(await move("a.txt", ".b"), 400, `Cannot rename file or directory '/${folder.at("a.txt")}'`);
      assertError(await move(".hidden", "b"), 400, `Cannot rename file or directory '/${folder.at(".hidden")}'`);
      assertError(await patch("a.txt", { path: "../b" }), 404, "../b is outside root contents directory");
    });

    it("lets one of several concurrent renames to the same name succeed, and loses no text", async () => {
      const names = ["0", "1", "2", "3", "4", "5"];
      for (const one of names) {
        await folder.write(one, one);
      }
      const responses = await Promise.all(names.map((one) => move(one, "target")));
      const won = names.filter((_, nth) => responses[nth]?.status === 200);
      assert.ok(won.includes(await folder.read("target")), `${won} were renamed`);
      for (const [nth, { status }] of responses.entries()) {
        const one = names[nth] ?? "";
        assert.ok([200, 409, 500].includes(status), String(status));
        if (status !== 200) assert.equal(await folder.read(one), one);
      }
    });

    // Proves 4.2: DELETE returns 204
    it("deletes a file with 204, and returns 404 the second time", async () => {
      await folder.write("a.txt", "text");
      const response = await remove("a.txt");
      assert.deepEqual([response.status, response.bytes.length], [204, 0]);
      assertError(await remove("a.txt"), 404, `File or directory does not exist: ${folder.place("a.txt")}`);
      assertError(await remove("no/thing"), 404, `File or directory does not exist: ${folder.place("no/thing")}`);
    });

    it("deletes a directory with its content", async () => {
      await folder.write("sub/deep/a.txt", "text");
      await folder.write("sub/.hidden", "text");
      assert.equal((await remove("sub")).status, 204);
      assert.ok(!(await folder.names()).includes("sub"));
    });

    it("refuses to delete its root, hidden items, and paths outside of its root", async () => {
      await folder.write(".hidden", "text");
      assertError(await call(server, "DELETE", "api/contents"), 400, "Can't delete root");
      assertError(await remove(".hidden"), 400, `Cannot delete file or directory '/${folder.at(".hidden")}'`);
      const outside = await call(server, "DELETE", "api/contents/%2e%2e%2Fx");
      assertError(outside, 404, "../x is outside root contents directory");
      assert.equal(await folder.read(".hidden"), "text");
    });

    it("refuses a nonempty directory if configured, except for one with only checkpoints", async () => {
      const refusing = await startRefusing();
      const own = await newFolder(refusing);
      await own.write("full/a.txt", "text");
      await own.write("checkpoints-only/.ipynb_checkpoints/a-checkpoint.txt", "text");
      const at = (path: string): string => contents(own.at(path));
      const response = await call(refusing, "DELETE", at("full"));
      assertError(response, 400, `Directory ${own.place("full")} not empty`);
      assert.equal(await own.read("full/a.txt"), "text");
      assert.equal((await call(refusing, "DELETE", at("checkpoints-only"))).status, 204);
      assert.equal((await call(refusing, "DELETE", at("full/a.txt"))).status, 204);
      assert.equal((await call(refusing, "DELETE", at("full"))).status, 204);
    });
  });
}

import assert from "node:assert/strict";
import { assertError, type ContentServer, call, contents } from "./client.ts";
import { currentServers, type Folder, newFolder } from "./servers.ts";

for (const { name, start } of currentServers) {
  describe(`${name}: checkpoints`, () => {
    let server: ContentServer;
    let folder: Folder;
    const at = (path: string, rest = ""): string => `${contents(folder.at(path))}/checkpoints${rest}`;
    const list = async (path: string): Promise<unknown> => JSON.parse((await call(server, "GET", at(path))).text);

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
      await folder.write("a.txt", "first");
    });

    it("keeps only one checkpoint, which a new one replaces", async () => {
      assert.deepEqual(await list("a.txt"), []);
      for (let time = 0; time < 2; time += 1) {
        const created = await call(server, "POST", at("a.txt"));
        assert.deepEqual([created.status, created.json.id], [201, "checkpoint"]);
        assert.deepEqual(await list("a.txt"), [created.json]);
      }
      assert.deepEqual(await folder.names(".ipynb_checkpoints"), ["a-checkpoint.txt"]);
    });

    it("restores the text and the time of the checkpoint", async () => {
      const old = (await call(server, "GET", `${contents(folder.at("a.txt"))}?content=0`)).json.last_modified;
      const created = await call(server, "POST", at("a.txt"));
      const whole = (value: unknown): number => Math.floor(Date.parse(String(value)) / 1000);
      assert.equal(whole(created.json.last_modified), whole(old));
      await folder.write("a.txt", "second");
      const restored = await call(server, "POST", at("a.txt", "/checkpoint"));
      assert.deepEqual([restored.status, restored.bytes.length], [204, 0]);
      assert.equal(await folder.read("a.txt"), "first");
      const now = (await call(server, "GET", `${contents(folder.at("a.txt"))}?content=0`)).json.last_modified;
      assert.equal(whole(now), whole(old));
    });

    it("deletes a checkpoint only once", async () => {
      await call(server, "POST", at("a.txt"));
      assert.equal((await call(server, "DELETE", at("a.txt", "/checkpoint"))).status, 204);
      const message = `Checkpoint does not exist: ${folder.at("a.txt")}@checkpoint`;
      assertError(await call(server, "DELETE", at("a.txt", "/checkpoint")), 404, message);
      assert.equal((await call(server, "DELETE", at("a.txt", "/other"))).status, 404);
    });

    it("returns 500 for a missing file, a directory, and an unknown checkpoint", async () => {
      await folder.write("sub/b.txt", "b");
      assertError(await call(server, "POST", at("nothing")), 500, "Unhandled error");
      assertError(await call(server, "POST", at("sub")), 500, "Unhandled error");
      assertError(await call(server, "POST", at("a.txt", "/other")), 500, "Unhandled error");
      assertError(await call(server, "POST", at("a.txt", "/checkpoint")), 500, "Unhandled error");
      assert.equal(await folder.read("a.txt"), "first");
      assert.deepEqual(await list("nothing"), []);
      assert.deepEqual(await list("sub"), []);
    });

    it("creates the folder of checkpoints even for reads, and never lists it", async () => {
      await list("a.txt");
      assert.deepEqual(await folder.names(), [".ipynb_checkpoints", "a.txt"]);
      const listed = (await call(server, "GET", contents(folder.path))).children.map((child) => child.name);
      assert.deepEqual(listed, ["a.txt"]);
    });

    it("moves the checkpoint with its file", async () => {
      await folder.write("sub/b.txt", "b");
      await call(server, "POST", at("a.txt"));
      await call(server, "PATCH", contents(folder.at("a.txt")), { body: { path: folder.at("sub/c.txt") } });
      assert.deepEqual(await folder.names("sub/.ipynb_checkpoints"), ["c-checkpoint.txt"]);
      assert.deepEqual(await folder.names(".ipynb_checkpoints"), []);
      await call(server, "DELETE", contents(folder.at("sub/c.txt")));
      assert.deepEqual(await folder.names("sub/.ipynb_checkpoints"), []);
    });
  });
}

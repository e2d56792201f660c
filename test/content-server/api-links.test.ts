import assert from "node:assert/strict";
import { lstat, mkdir, symlink, utimes } from "node:fs/promises";
import type { ContentClient } from "../../src/api/client/client.ts";
import { deleteTree } from "../../src/api/content-server/deletion.ts";
import type { LeftOut } from "../../src/api/content-server/folder-walk.ts";
import { listRecursively } from "../../src/api/content-server/listing.ts";
import { clientOf, failureOf } from "./api-client.ts";
import { type Folder, newFolder, servers } from "./servers.ts";

for (const { name, start, startRefusing } of servers) {
  for (const [setting, begin] of [
    ["deletes whole folders", start],
    ["refuses folders with something in them", startRefusing],
  ] as const) {
    describe(`links on ${name} that ${setting}`, () => {
      let client: ContentClient;
      let folder: Folder;

      before(async () => {
        client = clientOf(await begin());
      });
      beforeEach(async () => {
        folder = await newFolder(await begin());
        await folder.write("chosen/good.txt", "ok");
        await folder.write("chosen/inner/deep.txt", "deep");
        await folder.write("elsewhere/kept.txt", "kept");
        await folder.write("elsewhere/below/kept too.txt", "kept");
      });

      /** Links in the chosen folder: endless ones, one that is broken, and one to another folder. */
      async function addLinks(): Promise<void> {
        await symlink("../", folder.place("chosen/up"));
        await symlink("self", folder.place("chosen/self"));
        await symlink("nowhere.txt", folder.place("chosen/broken"));
        await symlink("inner", folder.place("chosen/again"));
      }

      async function assertKept(): Promise<void> {
        assert.equal(await folder.read("elsewhere/kept.txt"), "kept");
        assert.equal(await folder.read("elsewhere/below/kept too.txt"), "kept");
        // Servers add a hidden folder for checkpoints wherever a file is removed.
        const shown = async (path: string) => (await folder.names(path)).filter((one) => !one.startsWith("."));
        assert.deepEqual(await shown("elsewhere"), ["below", "kept.txt"]);
        assert.deepEqual(await shown("elsewhere/below"), ["kept too.txt"]);
      }

      async function isThere(path: string): Promise<boolean> {
        return lstat(folder.place(path)).then(
          () => true,
          () => false,
        );
      }

      it("to folders above are listed, but not followed, so that a listing ends", async () => {
        await addLinks();
        // Disks have exact times, but items that are created at the same moment have the same.
        for (const path of ["chosen/good.txt", "elsewhere"]) {
          await utimes(folder.place(path), 1_700_000_000.123, 1_700_000_000.123);
        }
        const leftOut: LeftOut[] = [];
        const onLeftOut = (left: LeftOut) => leftOut.push(left);
        const items = await listRecursively(client, { contentPath: folder.at("chosen"), onLeftOut });
        const paths = items.map(({ path }) => path.slice(folder.at("chosen").length + 1));
        assert.equal(paths.includes("good.txt") && paths.includes("up") && paths.includes("again"), true);
        assert.deepEqual(paths.filter((path) => path.endsWith("deep.txt")).sort(), [
          "again/deep.txt",
          "inner/deep.txt",
        ]);
        assert.equal(
          paths.some((path) => path.startsWith("up/")),
          false,
        );
        assert.deepEqual(leftOut.map(({ type }) => type).sort(), ["cycle"]);
      });

      it("deleted as such or with their folder, never take what they lead to with them", async () => {
        await mkdir(folder.place("links"));
        for (const [link, target] of [
          ["links/up", "../"],
          ["links/out", "../elsewhere"],
          ["links/absolute", folder.place("elsewhere")],
          ["chosen/inner/out", "../../elsewhere"],
        ] as const) {
          await symlink(target, folder.place(link));
        }
        for (const path of ["links/up", "links/out", "links/absolute", "links", "chosen"]) {
          const work = deleteTree(client, folder.at(path));
          if (begin === start) {
            await work;
            assert.equal(await isThere(path), false, path);
          } else {
            const failure = await failureOf(work);
            assert.match(failure.message, new RegExp(`Can't delete ${folder.at(path)}: .*Nothing was deleted\\.`));
            assert.equal(await isThere(path), true, path);
            assert.equal(await folder.read("chosen/good.txt"), "ok");
          }
          await assertKept();
        }
      });
    });
  }
}

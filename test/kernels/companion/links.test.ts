// Links by the companion in a real Jupyter Server, which the contents API doesn't show.
import assert from "node:assert/strict";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type StartedCompanion, startCompanion } from "../../../src/api/companion/start.ts";
import { deleteTree } from "../../../src/api/content-server/deletion.ts";
import type { LeftOut } from "../../../src/api/content-server/folder-walk.ts";
import { listRecursively } from "../../../src/api/content-server/listing.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import { linksOf } from "../../../src/file-system/read/known-links.ts";
import { type KernelRig, startRig } from "../rig.ts";

for (const release of ["current", "older"] as const) {
  describe(`links by the companion of a ${release} server`, function () {
    this.timeout(180_000);
    let rig: KernelRig;
    let started: StartedCompanion;

    before(async () => {
      rig = await startRig([], { release });
      const client = rig.client(rig.token);
      const signal = new AbortController().signal;
      started = await startCompanion({ client: async () => client, owner: "links", signal, log: silentLog });
      await mkdir(join(rig.root, "chosen/inner"), { recursive: true });
      await mkdir(join(rig.root, "elsewhere"));
      await writeFile(join(rig.root, "chosen/inner/deep.txt"), "deep");
      await writeFile(join(rig.root, "elsewhere/kept.txt"), "kept");
      await symlink("../elsewhere", join(rig.root, "chosen/out"));
      await symlink("../../elsewhere/kept.txt", join(rig.root, "chosen/inner/text.txt"));
      await symlink("inner", join(rig.root, "chosen/again"));
    });
    after(async () => {
      started.companion.dispose();
      await rig.stop();
    });

    it("leave the folder's listing without what is elsewhere", async () => {
      const links = await linksOf(started.companion, "chosen");
      const leftOut: LeftOut[] = [];
      const items = await listRecursively(rig.client(rig.token), {
        contentPath: "chosen",
        links,
        onLeftOut: (left) => leftOut.push(left),
      });
      const expected = ["chosen", "chosen/again", "chosen/again/deep.txt", "chosen/inner", "chosen/inner/deep.txt"];
      assert.deepEqual(items.map(({ path }) => path).sort(), expected);
      assert.deepEqual(leftOut.map(({ type, path }) => `${type} ${path}`).sort(), [
        "link chosen/again/text.txt",
        "link chosen/inner/text.txt",
        "link chosen/out",
      ]);
    });

    it("are nothing to delete through", async () => {
      const linksIn = (folder: string) => linksOf(started.companion, folder);
      await deleteTree(rig.client(rig.token), "chosen", { linksIn }).catch(() => {});
      assert.deepEqual(
        (await readdir(join(rig.root, "elsewhere"))).filter((name) => !name.startsWith(".")),
        ["kept.txt"],
      );
    });

    it("are unknown of a companion that has ended", async () => {
      started.companion.dispose();
      assert.equal(await linksOf(started.companion, "chosen"), undefined);
    });
  });
}

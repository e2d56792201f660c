import assert from "node:assert/strict";
import { createCheckpoint, listCheckpoints } from "../../src/api/catalogue/operations/checkpoints.ts";
import {
  createContent,
  deleteContent,
  getContent,
  renameContent,
  updateContent,
} from "../../src/api/catalogue/operations/contents.ts";
import { createItem } from "../../src/api/content-server/contents.ts";
import type { PlatformError } from "../../src/api/http/errors.ts";
import { clientOf, failureOf } from "./api-client.ts";
import { type HubWorkspace, hubs } from "./hubs.ts";

const file = { type: "file", format: "text", content: "kept" } as const;
const path = "kept.txt";

for (const { name, start } of hubs) {
  describe(`API layer on ${name}: a workspace that isn't running`, () => {
    let started: HubWorkspace | undefined;
    const current = (): HubWorkspace => started ?? assert.fail("it has not been started");

    before(async () => {
      started = await start();
    });
    after(async () => await started?.stop());

    async function failures(): Promise<readonly PlatformError[]> {
      const client = clientOf(current().server);
      return Promise.all(
        [
          client.call(getContent, { path }),
          client.call(getContent, { path: "", content: 0 }),
          client.call(updateContent, { path, body: file }),
          client.call(renameContent, { oldPath: path, body: { path: "b.txt" } }),
          client.call(createContent, { parentPath: "", body: { type: "file", path: "" } }),
          client.call(deleteContent, { path }),
          client.call(createCheckpoint, { path }),
          client.call(listCheckpoints, { path }),
          createItem(client, "new.txt", Buffer.from("x")),
        ].map(failureOf),
      );
    }

    async function assertNotRunning(): Promise<void> {
      for (const failure of await failures()) {
        const told = `${failure.operationId}: ${failure.message}`;
        assert.equal(failure.failureCause.type, "workspaceNotRunning", told);
        const hint = failure.status === 403 ? " If it is running: Check that the notebook token is valid." : "";
        const words = `the workspace isn't running. Start it, then try again.${hint}`;
        assert.equal(failure.message.endsWith(words), true, told);
        assert.equal(["retrieval", "crud"].includes(failure.kind), true, told);
      }
    }

    it("is reported as not running before the first start", assertNotRunning);

    it("works once it is running, and a wrong token is reported as such", async () => {
      await current().run();
      const client = clientOf(current().server);
      await client.call(updateContent, { path, body: file });
      assert.equal((await client.call(getContent, { path })).content, "kept");
      const wrong = clientOf(current().server, "0123456789abcdef-wrong");
      for (const work of [
        () => wrong.call(getContent, { path }),
        () => wrong.call(updateContent, { path, body: file }),
        () => wrong.call(deleteContent, { path }),
      ]) {
        const failure = await failureOf(work());
        assert.equal(failure.failureCause.type, "tokenRefused", failure.message);
      }
    });

    it("is reported as not running after a stop, and has the saved files after a start", async () => {
      await current().halt();
      await assertNotRunning();
      await current().run();
      assert.equal((await clientOf(current().server).call(getContent, { path })).content, "kept");
    });

    it("is reported as not running after a crash", async () => {
      await current().crash();
      await assertNotRunning();
    });
  });
}

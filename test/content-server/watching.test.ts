import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { type ContentEvent, subscribeToContentEvents } from "../../src/api/content-server/events.ts";
import { listIfChanged } from "../../src/api/content-server/listing.ts";
import { hasStatus } from "../../src/api/http/errors.ts";
import { until } from "../harness/until.ts";
import { clientOf } from "./api-client.ts";
import { type ContentServer, call, contents } from "./client.ts";
import { type Folder, newFolder, servers } from "./servers.ts";

for (const { name, start, has } of servers) {
  describe(`${name}: changes by others`, () => {
    let server: ContentServer;
    let folder: Folder;

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
      await folder.write("a.txt", "first");
    });

    it("lists a directory once, and again only if something in it has changed", async () => {
      const client = clientOf(server);
      const first = await listIfChanged(client, folder.path, undefined);
      assert.ok(first.type === "listed" && first.etag !== undefined);
      assert.deepEqual(
        first.children.map((child) => child.name),
        ["a.txt"],
      );
      assert.deepEqual(await listIfChanged(client, folder.path, first.etag), { type: "same" });
      await folder.write("b.txt", "second");
      const second = await listIfChanged(client, folder.path, first.etag);
      assert.ok(second.type === "listed" && second.children.length === 2);
      await folder.write("a.txt", "First");
      const third = await listIfChanged(client, folder.path, second.etag);
      assert.equal(third.type, "listed", "a change of the same size");
      await rm(folder.place(""), { recursive: true });
      await assert.rejects(listIfChanged(client, folder.path, first.etag), (error) => hasStatus(error, 404));
    });

    /** The events of a server until the work is done; undefined if it has none, or none for this token. */
    async function eventsDuring(
      client: ReturnType<typeof clientOf>,
      work: () => Promise<unknown>,
    ): Promise<readonly ContentEvent[] | undefined> {
      const events: ContentEvent[] = [];
      const { promise: opened, resolve } = Promise.withResolvers<boolean>();
      const subscription = subscribeToContentEvents(client, {
        onOpen: () => resolve(true),
        onEvent: (event) => events.push(event),
        onClose: () => resolve(false),
      });
      if (!(await opened)) {
        return undefined;
      }
      await work();
      const seen = (): string => events.map(({ action, path }) => `${action} ${path}`).join(", ");
      await until("the event of the deletion", () => events.some(({ action }) => action === "delete"), { seen });
      subscription.close();
      return events;
    }

    it("reports the actions of clients if the server has events; is refused without events or with a wrong token", async () => {
      const at = (path: string): string => contents(folder.at(path));
      const events = await eventsDuring(clientOf(server), async () => {
        const body = { type: "file", format: "text", content: "new" };
        await call(server, "PUT", at("new.txt"), { body });
        await call(server, "PATCH", at("new.txt"), { body: { path: folder.at("renamed.txt") } });
        await call(server, "POST", contents(folder.path), { body: { copy_from: folder.at("renamed.txt") } });
        await call(server, "DELETE", at("renamed.txt"));
      });
      if (name === "sample tenant" || !has("events")) {
        assert.equal(events, undefined);
        return;
      }
      const told = events?.map(({ action, path }) => `${action} ${path.slice(folder.path.length + 1)}`) ?? [];
      for (const one of ["save new.txt", "rename renamed.txt", "copy renamed-Copy1.txt", "delete renamed.txt"]) {
        assert.ok(told.includes(one), told.join("\n"));
      }
      assert.equal(events?.find(({ action }) => action === "rename")?.sourcePath, folder.at("new.txt"));
      assert.ok(!told.some((one) => one.startsWith("get ")));
      assert.equal(await eventsDuring(clientOf(server, "wrong"), async () => {}), undefined);
    });
  });
}

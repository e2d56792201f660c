import assert from "node:assert/strict";
import { call, contents } from "./client.ts";
import {
  type Capability,
  currentServers,
  type Folder,
  lackedByOlderServers,
  newFolder,
  olderServer,
} from "./servers.ts";

/** Whether a server has a capability, from its responses. */
const probes: Readonly<Record<Capability, (folder: Folder) => Promise<boolean>>> = {
  async hashes(folder) {
    const { hash } = (await call(folder.server, "GET", `${contents(folder.at("a.txt"))}?hash=1&content=0`)).json;
    return typeof hash === "string";
  },
  async copiedDirectories(folder) {
    const body = { copy_from: folder.at("sub") };
    return (await call(folder.server, "POST", contents(folder.path), { body })).status === 201;
  },
  async events(folder) {
    // A handshake without its headers is refused with 400, and a missing endpoint with 404.
    return (await call(folder.server, "GET", "api/events/subscribe")).status !== 404;
  },
  async statusOfMissingSources(folder) {
    const body = { path: folder.at("b.txt") };
    return (await call(folder.server, "PATCH", contents(folder.at("none.txt")), { body })).status === 404;
  },
  async unknownTypes(folder) {
    return (await call(folder.server, "POST", contents(folder.path), { body: { type: "other" } })).status === 201;
  },
  async bearerTokens(folder) {
    const authorization = `Bearer ${folder.server.token}`;
    return (await call(folder.server, "GET", `${contents(folder.path)}?content=0`, { authorization })).status === 200;
  },
  async headOfRawFiles(folder) {
    const path = contents(folder.at("a.txt")).replace("api/contents/", "files/");
    return (await call(folder.server, "HEAD", path)).status === 200;
  },
  async plainTextOfMissingItems(folder) {
    return !(await call(folder.server, "GET", contents(folder.at("none.txt")))).text.startsWith("{");
  },
};

for (const { name, start, has } of [...currentServers, olderServer]) {
  it(`${name} differs from a current server exactly as stated`, async () => {
    const folder = await newFolder(await start());
    await folder.write("a.txt", "text");
    await folder.write("sub/b.txt", "text");
    for (const [capability, isThere] of Object.entries(probes)) {
      // The sample tenant leaves the events out, so that polling is tested, too.
      if (capability === "events" && name === "sample tenant") continue;
      assert.equal(await isThere(folder), has(capability as Capability), capability);
    }
    assert.deepEqual(Object.keys(probes), Object.keys(lackedByOlderServers));
  });
}

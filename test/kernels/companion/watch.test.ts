// Watching with the companion of a real Jupyter Server: changes are pushed, and the window sends nothing meanwhile.
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { watchDirectories } from "../../../src/api/companion/operations/watch.ts";
import { type StartedCompanion, startCompanion } from "../../../src/api/companion/start.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import { countedTransport } from "../../harness/counted-transport.ts";
import { until } from "../../harness/until.ts";
import { type KernelRig, startRig } from "../rig.ts";

describe("watching by the companion", function () {
  this.timeout(180_000);
  let rig: KernelRig;
  let started: StartedCompanion;
  const counted = countedTransport();

  before(async () => {
    rig = await startRig();
    await mkdir(join(rig.root, "data"));
    const client = rig.client(rig.token, counted.transport);
    const { signal } = new AbortController();
    const times = { ping: 5000, firstPauseMs: 20, maxPauseMs: 200, handshake: 30_000, check: 500 };
    started = await startCompanion({ client: async () => client, owner: "watch", signal, log: silentLog, times });
  });
  after(async () => {
    started.companion.dispose();
    await rig.stop();
  });

  it("pushes each change, and takes one message for all of them", async () => {
    const changed: string[] = [];
    counted.take();
    const subscription = await started.companion.subscribe(
      watchDirectories,
      { directories: ["", "data"] },
      { onPush: (pushed) => void changed.push(...pushed.changed), onFailure: (error) => assert.fail(error) },
    );
    await writeFile(join(rig.root, "data", "a.txt"), "1");
    await until("the change below data", () => changed.includes("data"));
    await writeFile(join(rig.root, "b.txt"), "1");
    await until("the change in the root", () => changed.includes(""));
    assert.deepEqual(counted.take(), { requests: [], operations: ["watch.directories"] });
    subscription.dispose();
    assert.deepEqual(counted.take(), { requests: [], operations: ["companion.cancel"] });
    await rm(join(rig.root, "b.txt"));
  });

  it("ends when the connection is lost, because changes meanwhile would be missed, and can begin again", async () => {
    const failures: string[] = [];
    const subscribe = (onPush: () => void): ReturnType<typeof started.companion.subscribe> =>
      started.companion.subscribe(
        watchDirectories,
        { directories: [""] },
        { onPush, onFailure: (error) => void failures.push(error.message) },
      );
    await subscribe(() => {});
    rig.proxy.cut();
    await until("the failure", () => failures.length === 1);
    assert.deepEqual(failures, ["The connection to the companion was lost."]);
    let pushes = 0;
    const again = await subscribe(() => {
      pushes += 1;
    });
    await writeFile(join(rig.root, "c.txt"), "1");
    await until("a push", () => pushes > 0);
    again.dispose();
  });
});

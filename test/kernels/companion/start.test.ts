// The companion in a kernel of a real Jupyter Server: how it starts, is shared, replaced, and ends.
import assert from "node:assert/strict";
import { CompanionLostError, CompanionOperationError } from "../../../src/api/companion/errors.ts";
import { companionInformation } from "../../../src/api/companion/operations/program.ts";
import { endCompanion, type StartedCompanion, startCompanion } from "../../../src/api/companion/start.ts";
import { silentLog } from "../../../src/api/http/log.ts";
import { until } from "../../harness/until.ts";
import { type KernelRig, startRig } from "../rig.ts";

describe("the companion", function () {
  this.timeout(180_000);
  let rig: KernelRig;
  const started: StartedCompanion[] = [];

  before(async () => {
    rig = await startRig();
  });
  afterEach(async () => {
    for (const { companion, sessionId } of started.splice(0)) {
      companion.dispose();
      await rig.server.endSession(sessionId);
    }
    rig.proxy.accept();
  });
  after(() => rig.stop());

  async function start(owner = "window"): Promise<StartedCompanion> {
    const client = rig.client();
    const times = { ping: 5000, firstPauseMs: 20, maxPauseMs: 200, handshake: 30_000, check: 500 };
    const signal = new AbortController().signal;
    const companion = await startCompanion({ client: async () => client, owner, signal, log: silentLog, times });
    started.push(companion);
    return companion;
  }

  it("is one kernel for all windows, and isn't among the kernels that a person can choose", async () => {
    const [first, second] = [await start(), await start()];
    assert.equal(first.companion.kernelId, second.companion.kernelId);
    assert.match(first.companion.python, /^3\.\d+\.\d+$/);
    const [one, two] = await Promise.all(
      [first, second].map(({ companion }) => companion.request(companionInformation, {})),
    );
    assert.ok(one !== undefined && one.process > 0);
    assert.equal(one.process, two?.process);
    assert.equal((await rig.server.kernels()).length, 1);
    assert.deepEqual(await rig.server.running(), { kernels: [], sessions: [] });
    assert.deepEqual(await rig.server.sessions(), []);
  });

  it("ends with the last window", async () => {
    const client = rig.client();
    const [first, second] = [await start(), await start()];
    for (const { companion, sessionId } of [first, second]) {
      companion.dispose();
      await companion.closed;
      const { kernelId } = companion;
      await endCompanion(async () => client, { sessionId, kernelId }, { isForced: false });
      assert.equal((await rig.server.kernels()).length, companion === first.companion ? 1 : 0);
    }
  });

  it("reports an operation that it doesn't have", async () => {
    const { companion } = await start();
    const operation = { ...companionInformation, name: "no.such.operation" };
    await assert.rejects(companion.request(operation, {}), (error) => {
      assert.ok(error instanceof CompanionOperationError);
      assert.equal(error.kind, "unknown");
      return true;
    });
  });

  it("continues after the connection was lost", async () => {
    const { companion } = await start();
    const before = await companion.request(companionInformation, {});
    rig.proxy.refuse();
    rig.proxy.cut();
    const after = companion.request(companionInformation, {});
    rig.proxy.accept();
    assert.equal((await after).process, before.process);
  });

  it("reports its end, and rejects what is requested then", async () => {
    const { companion, sessionId } = await start();
    const ends: string[] = [];
    companion.onEnd((reason) => ends.push(String(reason)));
    const { process: pid } = await companion.request(companionInformation, {});
    process.kill(pid, "SIGKILL");
    await until("the end", () => ends.length === 1);
    assert.equal(ends[0], "The companion ended.");
    await assert.rejects(companion.request(companionInformation, {}), CompanionLostError);
    // The server starts the kernel again, without the program. The next companion gets it.
    const again = await start();
    assert.equal(again.sessionId, sessionId);
    assert.notEqual((await again.companion.request(companionInformation, {})).process, pid);
  });
});

import assert from "node:assert/strict";
import type { Workspace } from "../../../../src/api/catalogue/models/workspaces.ts";
import { getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { getWorkspace } from "../../../../src/api/catalogue/operations/workspaces.ts";
import {
  type WaitResult,
  waitUntilRunning,
  waitUntilServed,
} from "../../../../src/tenants/workspaces/start-waiting.ts";
import { fakePlatform, json, type Responder } from "../../api/fake-platform.ts";

const stopped: Workspace = { id: "w", instances: [] };
const starting: Workspace = { id: "w", instances: [{ status: "BOOTSTRAPPING" }] };
const running: Workspace = { id: "w", instances: [{ status: "RUNNING" }] };

async function wait(
  respond: Responder,
): Promise<{ readonly result: WaitResult; readonly pauses: readonly number[]; readonly requests: number }> {
  const fake = fakePlatform(respond);
  const pauses: number[] = [];
  const result = await waitUntilRunning({
    read: () => fake.platform.call(getWorkspace, { workspaceId: "w" }),
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
    },
  });
  return { result, pauses, requests: fake.requests.length };
}

describe("waiting for a started workspace", () => {
  it("polls after 1 s, then every 3 s, until it is running", async () => {
    const { result, pauses } = await wait((_, nth) => json(200, nth < 4 ? starting : running));
    assert.equal(result.result, "running");
    assert.deepEqual(pauses, [1000, 3000, 3000, 3000]);
  });

  it("continues while the platform doesn't list an instance yet", async () => {
    const { result } = await wait((_, nth) => json(200, nth < 3 ? stopped : running));
    assert.equal(result.result, "running");
  });

  it("ends if the instance disappears", async () => {
    const { result, requests } = await wait((_, nth) => json(200, nth < 3 ? starting : stopped));
    assert.deepEqual([result.result, requests], ["ended", 3]);
  });

  it("ends after 5 minutes", async () => {
    const { result, pauses } = await wait(() => json(200, starting));
    assert.equal(result.result, "timeLimit");
    const waited = pauses.reduce((sum, pause) => sum + pause, 0);
    assert.ok(waited <= 300_000 && waited > 290_000, `${waited} ms`);
  });

  it("tolerates transient failures, but not lasting ones", async () => {
    const passing = await wait((_, nth) => (nth === 2 ? json(500, {}) : json(200, nth < 4 ? starting : running)));
    assert.equal(passing.result.result, "running");
    let requests = 0;
    await assert.rejects(
      wait(() => {
        requests += 1;
        return json(500, {});
      }),
      /500/,
    );
    assert.equal(requests, 4);
  });

  it("ends immediately on errors that waiting can't resolve", async () => {
    let requests = 0;
    await assert.rejects(
      wait(() => {
        requests += 1;
        return json(404, {});
      }),
      /workspace w: it doesn't exist/,
    );
    assert.equal(requests, 1);
  });
});

describe("waiting for the content server of a started workspace", () => {
  const notRunning = json(424, { message: "JupyterHub server no longer running" });
  const listing = json(200, { type: "directory", name: "", path: "", content: null });

  async function served(
    respond: Responder,
  ): Promise<{ readonly responses: boolean; readonly pauses: readonly number[]; readonly requests: number }> {
    const fake = fakePlatform(respond);
    const pauses: number[] = [];
    const responses = await waitUntilServed({
      ask: () => fake.content.call(getContent, { path: "", content: 0 }),
      sleep: async (milliseconds) => {
        pauses.push(milliseconds);
      },
    });
    return { responses, pauses, requests: fake.requests.length };
  }

  it("sends one request if it responds", async () => {
    assert.deepEqual(await served(() => listing), { responses: true, pauses: [], requests: 1 });
  });

  it("retries with increasing pauses while it isn't running", async () => {
    const { responses, pauses } = await served((_, nth) => (nth < 6 ? notRunning : listing));
    assert.deepEqual([responses, pauses], [true, [500, 1000, 2000, 3000, 3000]]);
  });

  it("gives up after two minutes", async () => {
    const { responses, pauses } = await served(() => notRunning);
    const waited = pauses.reduce((sum, pause) => sum + pause, 0);
    assert.equal(responses, false);
    assert.ok(waited >= 120_000 && waited < 125_000, `${waited} ms`);
  });

  it("leaves any other failure to the next request", async () => {
    for (const status of [401, 403, 404, 500]) {
      assert.deepEqual(await served(() => json(status, {})), { responses: false, pauses: [], requests: 1 });
    }
  });
});

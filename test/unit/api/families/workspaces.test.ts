import assert from "node:assert/strict";
import { startWorkspace } from "../../../../src/api/families/workspace-start.ts";
import {
  allWorkspaces,
  computeTierLabel,
  kernelLabel,
  kernelOf,
  pythonVersion,
  shortIdOf,
  stateOf,
} from "../../../../src/api/families/workspaces.ts";
import { bodyOf, connectionError, empty, failureOf, fakePlatform, html, json as response } from "../fake-platform.ts";

const workspaceId = "4f7c21aa-90d3-4b6e-8a51-2e6d0b9f3c10";

describe("derived values", () => {
  // Proves 2.5: the compute tier is `<cpu> CPU / <memory>; with a list of instance types, the tier is absent
  it("label the compute tier", () => {
    const types = [
      { cpu: 0.5, memory: 4 },
      { cpu: 1, memory: 8 },
    ];
    assert.equal(computeTierLabel({ id: "w", cpu: 1, memory: 8 }), "1 CPU / 8 GB");
    assert.equal(computeTierLabel({ id: "w", cpu: 0.5, memory: 4 }, types), "0.5 CPU / 4 GB");
    assert.equal(computeTierLabel({ id: "w", cpu: 1, memory: 4 }, types), undefined);
    assert.equal(computeTierLabel({ id: "w", cpu: 1, memory: 8 }, []), undefined);
    assert.equal(computeTierLabel({ id: "w", cpu: 0, memory: 0 }), "0 CPU / 0 GB");
    for (const missing of [{}, { cpu: 1 }, { memory: 8 }, { cpu: null, memory: 8 }, { cpu: 1, memory: null }]) {
      assert.equal(computeTierLabel({ id: "w", ...missing }), undefined);
    }
  });

  const versions: readonly (readonly [string | undefined, string | undefined, string | undefined])[] = [
    // Proves 2.5: the Python version is the code's parts after the first
    ["PYTHON_3_12", "3.12", "Python 3.12"],
    ["PYTHON_3_9", "3.9", "Python 3.9"],
    ["PYTHON_3", "3", "Python 3"],
    ["PYTHON_3_12_1", "3.12.1", "Python 3.12.1"],
    ["PYTHON", undefined, "PYTHON"],
    ["PYTHON_", undefined, "PYTHON_"],
    // Proves 2.5: any other kernel, or none, has no Python version
    ["R_4_1", undefined, "R 4.1"],
    ["JULIA_1_10", undefined, "JULIA_1_10"],
    ["PYTHON3_12", undefined, "PYTHON3_12"],
    ["", undefined, ""],
    [undefined, undefined, undefined],
  ];
  for (const [kernel, version, label] of versions) {
    it(`${kernel ?? "no kernel"} is ${version ?? "no Python version"}`, () => {
      assert.equal(pythonVersion(kernel), version);
      assert.equal(kernelLabel(kernel), label);
    });
  }

  // Proves 2.5: the kernel code is PYTHON_ or R_ with its version, running or not
  it("read the kernel under either name", () => {
    assert.equal(kernelOf({ id: "w", notebookKernel: "R_4_1" }), "R_4_1");
    assert.equal(kernelOf({ id: "w", jupyterKernel: "R_4_1" }), "R_4_1");
    assert.equal(kernelOf({ id: "w", notebookKernel: null, jupyterKernel: "R_4_1" }), "R_4_1");
    assert.equal(kernelOf({ id: "w" }), undefined);
  });

  it("derive the state from the instances", () => {
    const state = (...statuses: readonly (string | null | undefined)[]) =>
      stateOf({ id: "w", instances: statuses.map((status, index) => ({ id: index, status })) });
    assert.deepEqual(state(), { state: "stopped" });
    assert.deepEqual(stateOf({ id: "w", instances: null }), { state: "stopped" });
    assert.deepEqual(stateOf({ id: "w" }), { state: "stopped" });
    assert.deepEqual(state("BOOTSTRAPPING"), { state: "starting", instance: { id: 0, status: "BOOTSTRAPPING" } });
    assert.deepEqual(state("BOOTSTRAPPING", "RUNNING"), { state: "running", instance: { id: 1, status: "RUNNING" } });
    assert.equal(state(null).state, "running");
    assert.equal(state(undefined).state, "running");
  });

  it("shorten the workspace id", () => assert.equal(shortIdOf(workspaceId), "4f7c21aa"));
});

describe("starting a workspace", () => {
  // Proves 1: Bodies are JSON, and a call succeeds with a status from 200 to 299
  it("succeeds with the described text", async () => {
    for (const success of [
      response(200, { status: "BOOTSTRAPPING" }),
      empty(204),
      response(201, "ok", { "content-type": "text/plain" }),
    ]) {
      const fake = fakePlatform(() => success);
      assert.deepEqual(await startWorkspace(fake.platform, workspaceId), {
        outcome: "started",
        text: "workspace started",
      });
      assert.deepEqual([fake.requests[0]?.method, fake.requests[0]?.body], ["POST", undefined]);
    }
  });

  for (const code of ["ECONNRESET", "UND_ERR_HEADERS_TIMEOUT"]) {
    it(`is an unsuccessful result if the connection breaks (${code}), and is not sent twice`, async () => {
      const fake = fakePlatform(() => Promise.reject(connectionError(code)));
      assert.deepEqual(await startWorkspace(fake.platform, workspaceId), {
        outcome: "starting",
        status: 500,
        text: "The workspace is starting.",
      });
      assert.equal(fake.requests.length, 1);
    });
  }

  for (const status of [500, 403]) {
    it(`is refused with ${status}: no access, not shared, or already started`, async () => {
      const fake = fakePlatform(() => response(status, { message: "no" }));
      const failure = await failureOf(startWorkspace(fake.platform, workspaceId));
      assert.equal(failure.kind, "workspace");
      assert.match(failure.message, /not have access.*not be shared.*already started/);
      assert.equal(failure.entity, workspaceId);
      assert.equal(fake.requests.length, 1);
    });
  }

  for (const status of [400, 401, 404, 409, 429, 502, 503]) {
    it(`fails with ${status} as a workspace error of operation start`, async () => {
      const fake = fakePlatform(() => response(status, { message: "no" }));
      const failure = await failureOf(startWorkspace(fake.platform, workspaceId));
      assert.deepEqual([failure.kind, failure.operationWord, failure.status], ["workspace", "start", status]);
      assert.equal(failure.message.includes("already started"), false);
      assert.equal(fake.requests.length, 1);
    });
  }

  for (const [code, reason] of [
    ["ECONNREFUSED", /can't be reached/],
    ["ENOTFOUND", /can't be reached/],
    ["CERT_HAS_EXPIRED", /has expired/],
  ] as const) {
    it(`fails if nothing was sent (${code}), so that it doesn't appear to start`, async () => {
      const fake = fakePlatform(() => Promise.reject(connectionError(code)));
      const failure = await failureOf(startWorkspace(fake.platform, workspaceId));
      assert.deepEqual([failure.kind, failure.failureCause.type], ["workspace", "network"]);
      assert.match(failure.message, reason);
    });
  }

  it("fails on a web page, and when canceled", async () => {
    const page = fakePlatform(() => html(200));
    assert.equal((await failureOf(startWorkspace(page.platform, workspaceId))).failureCause.type, "notJson");
    const signal = AbortSignal.abort();
    assert.deepEqual((await failureOf(startWorkspace(page.platform, workspaceId, { signal }))).failureCause, {
      type: "cancelled",
    });
  });
});

describe("listing all workspaces", () => {
  const workspaces = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `w${from + index}` }));

  async function collected(pages: AsyncIterable<readonly { readonly id: string }[]>): Promise<string[][]> {
    const all: string[][] = [];
    for await (const page of pages) {
      all.push(page.map(({ id }) => id));
    }
    return all;
  }

  it("goes page by page until a short one", async () => {
    const fake = fakePlatform((_, nth) =>
      response(200, { workspaces: workspaces(50 * (nth - 1), nth === 3 ? 7 : 50) }),
    );
    const pages = await collected(allWorkspaces(fake.platform));
    assert.deepEqual(
      pages.map(({ length }) => length),
      [50, 50, 7],
    );
    assert.equal(new Set(pages.flat()).size, 107);
    assert.deepEqual(
      fake.requests.map((request) => [bodyOf(request).limit, bodyOf(request).offset, bodyOf(request).searchFieldMap]),
      [0, 50, 100].map((offset) => [50, offset, {}]),
    );
  });

  it("returns a workspace on two pages once", async () => {
    const fake = fakePlatform((_, nth) =>
      response(200, { workspaces: workspaces(nth === 1 ? 0 : 48, nth === 1 ? 50 : 10) }),
    );
    const ids = (await collected(allWorkspaces(fake.platform))).flat();
    assert.equal(ids.length, 58);
    assert.equal(new Set(ids).size, 58);
  });

  it("ends on an empty page, and on a server that repeats the same page", async () => {
    const full = fakePlatform((_, nth) => response(200, { workspaces: nth === 1 ? workspaces(0, 50) : [] }));
    assert.equal((await collected(allWorkspaces(full.platform))).flat().length, 50);
    const same = fakePlatform(() => response(200, { workspaces: workspaces(0, 50) }));
    assert.equal((await collected(allWorkspaces(same.platform))).flat().length, 50);
    assert.equal(same.requests.length, 2);
  });

  it("searches by name, on the server", async () => {
    const fake = fakePlatform(() => response(200, { workspaces: [] }));
    await collected(allWorkspaces(fake.platform, "sales"));
    assert.deepEqual(bodyOf(fake.requests[0] ?? assert.fail()).searchFieldMap, { NAME: "sales" });
  });

  it("requests only consumed pages, and stops when canceled", async () => {
    const fake = fakePlatform((_, nth) => response(200, { workspaces: workspaces(50 * nth, 50) }));
    for await (const page of allWorkspaces(fake.platform)) {
      assert.equal(page.length, 50);
      break;
    }
    assert.equal(fake.requests.length, 1);
    const stop = new AbortController();
    const pages = allWorkspaces(fake.platform, "", { signal: stop.signal });
    await pages.next();
    stop.abort();
    assert.deepEqual((await failureOf(pages.next())).failureCause, { type: "cancelled" });
    assert.equal(fake.requests.length, 2);
  });
});

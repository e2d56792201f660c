import assert from "node:assert/strict";
import type { DispatchResponse } from "../../../../src/api/http/dispatch.ts";
import { KernelServer } from "../../../../src/api/kernels/kernel-server.ts";
import { fakePlatform, html, json } from "../fake-platform.ts";

function support(response: DispatchResponse): ReturnType<KernelServer["support"]> {
  const { content } = fakePlatform(() => response);
  return new KernelServer(async () => content).support();
}

describe("kernels of a content server", () => {
  const none: readonly (readonly [string, DispatchResponse])[] = [
    ["lists none", json(200, { default: "python3", kernelspecs: {} })],
    ["does not know the address", json(404, { message: "Not Found" })],
    ["has a web page for unknown addresses", html(404)],
  ];
  for (const [what, response] of none) {
    it(`are empty on a server that ${what}`, async () => {
      assert.deepEqual(await support(response), { type: "none" });
    });
  }

  it("are none that run on a server without kernels, and are listed without counting as activity", async () => {
    for (const response of [html(404), json(404, { message: "Not Found" })]) {
      const { content } = fakePlatform(() => response);
      const server = new KernelServer(async () => content);
      assert.deepEqual([await server.kernelsIfAny(), await server.sessionsIfAny()], [[], []]);
    }
    const { content, requests } = fakePlatform(() => json(200, []));
    const server = new KernelServer(async () => content);
    assert.deepEqual([await server.kernelsIfAny(), await server.sessionsIfAny()], [[], []]);
    assert.deepEqual(
      requests.map(({ path }) => path.slice(path.indexOf("?"))),
      ["?no_track_activity=1", "?no_track_activity=1"],
    );
    const failing = fakePlatform(() => html(500)).content;
    await assert.rejects(new KernelServer(async () => failing).kernelsIfAny(), { name: "PlatformError", status: 500 });
  });

  it("are unknown while the server fails", async () => {
    for (const [response, status] of [
      [html(500), 500],
      [json(503, { message: "Service Unavailable" }), 503],
    ] as const) {
      await assert.rejects(support(response), { name: "PlatformError", status });
    }
  });

  it("are read again after a 404, which may come from a proxy without a route, and only once if there are some", async () => {
    const kernelspecs = { python3: { name: "python3", spec: { display_name: "Python 3", language: "python" } } };
    const responses = [html(404), html(500), json(200, { kernelspecs })];
    const { content, requests } = fakePlatform((_, nth) => responses[nth - 1] ?? assert.fail("one request too many"));
    const server = new KernelServer(async () => content);
    assert.deepEqual(await Promise.all([server.support(), server.support()]), [{ type: "none" }, { type: "none" }]);
    await assert.rejects(server.support(), { name: "PlatformError", status: 500 });
    const spec = { name: "python3", displayName: "Python 3", language: "python", logoFile: undefined };
    for (let time = 1; time <= 2; time += 1) {
      assert.deepEqual(await server.support(), { type: "available", defaultName: "python3", specs: [spec] });
    }
    assert.equal(requests.length, responses.length);
  });
});

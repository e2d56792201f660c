import assert from "node:assert/strict";
import type { DispatchAnswer } from "../../../../src/api/http/dispatch.ts";
import { KernelServer } from "../../../../src/api/kernels/kernel-server.ts";
import { fakePlatform, html, json } from "../fake-platform.ts";

function support(answer: DispatchAnswer): ReturnType<KernelServer["support"]> {
  const { content } = fakePlatform(() => answer);
  return new KernelServer(async () => content).support();
}

describe("kernels of a content server", () => {
  const none: readonly (readonly [string, DispatchAnswer])[] = [
    ["lists none", json(200, { default: "python3", kernelspecs: {} })],
    ["does not know the address", json(404, { message: "Not Found" })],
    ["has a web page for unknown addresses", html(404)],
  ];
  for (const [what, answer] of none) {
    it(`are none on a server that ${what}`, async () => {
      assert.deepEqual(await support(answer), { type: "none" });
    });
  }

  it("are not known while the server fails", async () => {
    for (const answer of [html(500), json(503, { message: "Service Unavailable" })]) {
      await assert.rejects(support(answer));
    }
  });
});

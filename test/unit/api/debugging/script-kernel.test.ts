import assert from "node:assert/strict";
import { ScriptKernel } from "../../../../src/api/debugging/script-kernel.ts";
import type { DispatchResponse } from "../../../../src/api/http/dispatch.ts";
import { until } from "../../../harness/until.ts";
import { empty, fakePlatform, json } from "../fake-platform.ts";

describe("a kernel of a file whose start is canceled", () => {
  it("is ended if the server starts it anyway", async () => {
    const started = Promise.withResolvers<DispatchResponse>();
    const spec = { name: "python3", spec: { display_name: "Python 3", language: "python", argv: [] }, resources: {} };
    const { content, requests } = fakePlatform(({ method, path }) =>
      path.includes("/api/kernelspecs")
        ? json(200, { default: "python3", kernelspecs: { python3: spec } })
        : method === "POST"
          ? started.promise
          : empty(204),
    );
    const told = (): readonly string[] =>
      requests.map(({ method, path }) => `${method} ${path.replace(/^.*\/api\//, "")}`);
    const abort = new AbortController();
    const start = assert.rejects(ScriptKernel.start(content, "report.py", abort.signal), /unwanted/);
    await until("the start", () => told().includes("POST sessions"));
    abort.abort(new Error("unwanted"));
    const kernel = { id: "k1", name: "python3", execution_state: "starting", connections: 0, last_activity: "" };
    started.resolve(json(201, { id: "s1", path: "report.py", name: "", type: "console", kernel }));
    await start;
    assert.deepEqual(told().slice(-2), ["POST sessions", "DELETE sessions/s1"]);
  });
});

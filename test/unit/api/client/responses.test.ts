import assert from "node:assert/strict";
import { listCheckpoints } from "../../../../src/api/catalogue/operations/checkpoints.ts";
import { deleteContent, getContent } from "../../../../src/api/catalogue/operations/contents.ts";
import { updateDataflow } from "../../../../src/api/catalogue/operations/notebooks.ts";
import {
  getSettings,
  getWorkspace,
  searchWorkspaces,
  startInstance,
} from "../../../../src/api/catalogue/operations/workspaces.ts";
import { empty, failureOf, fakePlatform, html, item, json } from "../fake-platform.ts";

describe("responses", () => {
  // Proves 2.5: other fields of a workspace are kept
  it("keep unknown fields and both names of the kernel", async () => {
    for (const field of ["notebookKernel", "jupyterKernel"]) {
      const workspace = { id: "w", [field]: "PYTHON_3_12", surprise: { deep: [1] } };
      const fake = fakePlatform(() => json(200, workspace));
      assert.deepEqual(await fake.platform.call(getWorkspace, { workspaceId: "w" }), workspace);
    }
  });

  // Proves 2.4: limits, user access, and feature flags are objects of any content
  it("accept settings as an object, an array, or a string", async () => {
    for (const settings of [
      { limits: { maxCpu: 8 }, userAccess: { mode: "EVERYONE" }, featureFlags: { accounts: true }, maintenance: {} },
      { limits: [{ limit: 8 }], userAccess: "EVERYONE", featureFlags: ["accounts"], notebookKernels: ["PYTHON_3_9"] },
      { limits: null, userAccess: null, featureFlags: null, jupyterKernels: [{ kernel: "R_4_1" }] },
    ]) {
      const fake = fakePlatform(() => json(200, settings));
      assert.deepEqual(await fake.platform.call(getSettings, {}), settings);
      assert.deepEqual(
        fake.lines.filter((line) => line.startsWith("warn")),
        [],
      );
    }
  });

  it("pass on a wrong optional field, logged once", async () => {
    const fake = fakePlatform(() => json(200, { id: "w", cpu: "many", memory: 8 }));
    for (let nth = 0; nth < 3; nth += 1) {
      assert.deepEqual(await fake.platform.call(getWorkspace, { workspaceId: "w" }), {
        id: "w",
        cpu: "many",
        memory: 8,
      });
    }
    const warnings = fake.lines.filter((line) => line.startsWith("warn"));
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /workspaces\.get: the field cpu/);
  });

  it("pass on wrong optional fields within lists, logged once for all elements", async () => {
    const workspaces = [1, 2, 3].map((nth) => ({ id: `w${nth}`, cpu: "many" }));
    const fake = fakePlatform(() => json(200, { workspaces }));
    assert.deepEqual(await fake.platform.call(searchWorkspaces, { body: {} }), { workspaces });
    assert.equal(fake.lines.filter((line) => line.startsWith("warn")).length, 1);
  });

  it("without a required field are an error that names the field", async () => {
    const fake = fakePlatform(() => json(200, { name: "w" }));
    const failure = await failureOf(fake.platform.call(getWorkspace, { workspaceId: "w" }));
    assert.equal(failure.kind, "retrieval");
    assert.deepEqual(failure.failureCause, { type: "unexpectedResponse", fields: ["id"] });
    assert.match(failure.message, /Can't read workspace w: .*\(id\)/);
    assert.equal(failure.status, 200);
  });

  it("without required content are an error", async () => {
    const fake = fakePlatform(() => empty(200));
    assert.equal(
      (await failureOf(fake.content.call(getContent, { path: "a" }))).failureCause.type,
      "unexpectedResponse",
    );
    assert.equal((await failureOf(fake.platform.call(getWorkspace, { workspaceId: "w" }))).kind, "retrieval");
  });

  it("with a required field of another type are an error that names the type, not a missing field", async () => {
    const fake = fakePlatform(() => json(200, { id: { key: 1 }, name: "w" }));
    const { message } = await failureOf(fake.platform.call(getWorkspace, { workspaceId: "w" }));
    assert.match(message, /fields of the server's response have the wrong type \(id: object\)/);
    const text = fakePlatform(() => json(200, '"w"'));
    const wrong = await failureOf(text.platform.call(getWorkspace, { workspaceId: "w" }));
    assert.match(wrong.message, /the server's response has the wrong type \(string\)/);
  });

  it("without content are an empty list if a list is described", async () => {
    for (const response of [empty(204), empty(200), json(200, "null"), json(200, { total: 0, next: null })]) {
      const fake = fakePlatform(() => response);
      assert.deepEqual(await fake.content.call(listCheckpoints, { path: "a" }), []);
    }
  });

  it("without content are valid if none is described", async () => {
    const fake = fakePlatform(() => empty(204));
    assert.equal(await fake.content.call(deleteContent, { path: "a" }), undefined);
    assert.equal(await fake.platform.call(startInstance, { workspaceId: "w" }), undefined);
  });

  it("in plain text are valid if no format is described", async () => {
    const fake = fakePlatform(() => json(200, "accepted", { "content-type": "text/plain" }));
    assert.equal(await fake.content.call(updateDataflow, { workspaceId: "w", notebookId: "n", body: {} }), "accepted");
  });

  it("that are a web page are an error, even if no format is described", async () => {
    const fake = fakePlatform(() => html(200));
    for (const work of [
      fake.platform.call(getSettings, {}),
      fake.content.call(getContent, { path: "a.py" }),
      fake.content.call(deleteContent, { path: "a.py" }),
      fake.platform.call(startInstance, { workspaceId: "w" }),
    ]) {
      const failure = await failureOf(work);
      assert.equal(failure.failureCause.type, "notJson");
      assert.match(failure.message, /web page/);
      assert.match(failure.message, /Check the address/);
    }
  });

  it("that are truncated are an error", async () => {
    const whole = JSON.stringify(item("a.py", "file", "print(1)"));
    const fake = fakePlatform(() => json(200, whole.slice(0, -9)));
    const failure = await failureOf(fake.content.call(getContent, { path: "a.py" }));
    assert.equal(failure.failureCause.type, "notJson");
    assert.match(failure.message, /isn't valid JSON/);
  });

  it("are returned raw without validation", async () => {
    for (const response of [
      html(500),
      json(404, "no"),
      empty(302, { location: "/hub/user/x" }),
      json(200, { no: "id" }),
    ]) {
      const fake = fakePlatform(() => response);
      assert.deepEqual(await fake.platform.raw(getWorkspace, { workspaceId: "w" }), response);
    }
  });
});

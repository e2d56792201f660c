import assert from "node:assert/strict";
import type { PlatformNotebook } from "../../../src/api/catalogue/models/workspaces.ts";
import * as checkpoints from "../../../src/api/catalogue/operations/checkpoints.ts";
import * as contents from "../../../src/api/catalogue/operations/contents.ts";
import * as notebookOperations from "../../../src/api/catalogue/operations/notebooks.ts";
import { listWithin } from "../../../src/api/families/wrapped-list.ts";
import type { ContractTenant } from "../tenant.ts";
import type { Cases } from "./cases.ts";

async function newFile(tenant: ContractTenant, path: string, content = "text"): Promise<void> {
  const body = { type: "file", format: "text", content } as const;
  await tenant.content().call(contents.updateContent, { path, body });
}

async function readText(tenant: ContractTenant, path: string): Promise<unknown> {
  return (await tenant.content().call(contents.getContent, { path, type: "file", format: "text" })).content;
}

export const contentCases = {
  "contents.get": async (tenant) => {
    const root = await tenant.content().call(contents.getContent, { path: "" });
    assert.deepEqual([root.type, root.path, root.format], ["directory", "", "json"]);
    assert.equal(Array.isArray(root.content) && root.content.length > 3, true);
    const bare = await tenant.content().call(contents.getContent, { path: "", content: 0 });
    assert.deepEqual([bare.content, bare.format], [null, null]);
    await newFile(tenant, "get.txt", "ü\r\n");
    const file = await tenant.content().call(contents.getContent, { path: "get.txt", hash: 1 });
    assert.deepEqual([file.content, file.format, file.type, file.size], ["ü\r\n", "text", "file", 4]);
    assert.match(file.hash ?? "", /^[0-9a-f]{64}$/);
    const encoded = await tenant.content().call(contents.getContent, { path: "get.txt", format: "base64" });
    assert.equal(Buffer.from(String(encoded.content), "base64").toString(), "ü\r\n");
  },
  "contents.create": async (tenant) => {
    const made = await tenant.content().call(contents.createContent, {
      parentPath: "",
      body: { type: "notebook", path: "" },
    });
    assert.deepEqual([made.type, made.path], ["notebook", "Untitled.ipynb"]);
    const folder = await tenant.content().call(contents.createContent, {
      parentPath: "",
      body: { type: "directory", path: "" },
    });
    assert.deepEqual([folder.type, folder.name], ["directory", "Untitled Folder"]);
    const script = await tenant.content().call(contents.createContent, {
      parentPath: "Untitled Folder",
      body: { type: "file", path: "Untitled Folder", ext: ".py" },
    });
    assert.equal(script.path, "Untitled Folder/untitled.py");
    const copy = await tenant.content().call(contents.createContent, {
      parentPath: "copied.py",
      body: { type: "file", path: "", copy_from: "Untitled Folder/untitled.py" },
    });
    assert.equal(copy.path, "copied.py");
  },
  "contents.rename": async (tenant) => {
    await newFile(tenant, "before #1.txt");
    const moved = await tenant.content().call(contents.renameContent, {
      oldPath: "before #1.txt",
      body: { path: "data/after 100%.txt" },
    });
    assert.deepEqual([moved.name, moved.path, moved.content], ["after 100%.txt", "data/after 100%.txt", null]);
    assert.equal(await readText(tenant, "data/after 100%.txt"), "text");
  },
  "contents.update": async (tenant) => {
    const content = { cells: [], metadata: { a: 1 }, nbformat: 4, nbformat_minor: 5 };
    const saved = await tenant.content().call(contents.updateContent, {
      path: "update.ipynb",
      body: { type: "notebook", format: "json", content },
    });
    assert.deepEqual([saved.type, saved.path, saved.content], ["notebook", "update.ipynb", null]);
    assert.deepEqual(JSON.parse(String(await readText(tenant, "update.ipynb"))), content);
    await tenant.content().call(contents.updateContent, {
      path: "update.bin",
      body: { type: "file", format: "base64", content: "/wD+" },
    });
    const back = await tenant.content().call(contents.getContent, { path: "update.bin" });
    assert.deepEqual([back.format, String(back.content).trim()], ["base64", "/wD+"]);
  },
  "contents.delete": async (tenant) => {
    await newFile(tenant, "delete.txt");
    assert.equal(await tenant.content().call(contents.deleteContent, { path: "delete.txt" }), undefined);
    const failure = await tenant.failure(tenant.content().call(contents.getContent, { path: "delete.txt" }));
    assert.equal(failure.kind, "notFound");
  },
  "contents.checkpoints.create": async (tenant) => {
    await newFile(tenant, "made.txt");
    const checkpoint = await tenant.content().call(checkpoints.createCheckpoint, { path: "made.txt" });
    assert.equal(checkpoint.id, "checkpoint");
    assert.match(checkpoint.last_modified ?? "", /^\d{4}-\d\d-\d\dT/);
  },
  "contents.checkpoints.list": async (tenant) => {
    await newFile(tenant, "listed.txt");
    assert.deepEqual(await tenant.content().call(checkpoints.listCheckpoints, { path: "listed.txt" }), []);
    const made = await tenant.content().call(checkpoints.createCheckpoint, { path: "listed.txt" });
    assert.deepEqual(await tenant.content().call(checkpoints.listCheckpoints, { path: "listed.txt" }), [made]);
  },
  "contents.checkpoints.restore": async (tenant) => {
    await newFile(tenant, "restored.txt", "old");
    const { id } = await tenant.content().call(checkpoints.createCheckpoint, { path: "restored.txt" });
    await newFile(tenant, "restored.txt", "new");
    await tenant.content().call(checkpoints.restoreCheckpoint, { path: "restored.txt", checkpointId: id });
    assert.equal(await readText(tenant, "restored.txt"), "old");
  },
  "contents.checkpoints.delete": async (tenant) => {
    await newFile(tenant, "dropped.txt");
    const { id } = await tenant.content().call(checkpoints.createCheckpoint, { path: "dropped.txt" });
    await tenant.content().call(checkpoints.deleteCheckpoint, { path: "dropped.txt", checkpointId: id });
    assert.deepEqual(await tenant.content().call(checkpoints.listCheckpoints, { path: "dropped.txt" }), []);
  },
  "contents.dataflow.update": async (tenant) => {
    const known = async (): Promise<readonly PlatformNotebook[]> => {
      const response = await tenant.platform().call(notebookOperations.searchNotebooks, { body: {} });
      return listWithin<PlatformNotebook>(notebookOperations.searchNotebooks, {}, response, ["notebooks"]);
    };
    const notebook = (await known()).find(({ workspaceId }) => workspaceId === tenant.running.id) ?? assert.fail();
    const input = { workspaceId: tenant.running.id, notebookId: notebook.id ?? assert.fail() };
    const body = { name: "Nightly", cpu: 1, memory: 8 };
    assert.deepEqual(await tenant.content().call(notebookOperations.updateDataflow, { ...input, body }), { ok: true });
    assert.notEqual((await known()).find(({ id }) => id === notebook.id)?.execution, null);
  },
} satisfies Cases;

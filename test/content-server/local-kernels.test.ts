import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { startSamplePlatform } from "../../scripts/start/sample-platform.ts";
import { localKernels } from "../../src/programs/sample-tenant/local-kernels.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { call } from "./client.ts";

describe("kernels of this computer for the sample tenant", () => {
  const path = process.env.PATH;
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-local-"));
  });
  afterEach(async () => {
    process.env.PATH = path;
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it("run on the Jupyter Server of an installed Python, in the workspace's folder, and only with its token", async () => {
    const { python } = await ready(pythonEnvironment);
    process.env.PATH = [dirname(python), path].join(delimiter);
    await writeFile(join(directory, "here.txt"), "here");
    const kernels = await localKernels(join(directory, "state"), () => undefined);
    const address = await kernels.addressOf(directory);
    assert.ok(address !== undefined);
    assert.deepEqual(await kernels.addressOf(directory), address);
    const read = (token: string): Promise<Response> =>
      fetch(`${address.url}api/contents/here.txt`, { headers: { authorization: `token ${token}` } });
    const { content } = (await (await read(address.token)).json()) as { readonly content: string };
    assert.equal(content, "here");
    assert.equal((await read("another")).status, 403);
    kernels.stop();
    await waitFor(
      "the end of the server",
      async () => (await read(address.token).catch(() => undefined)) === undefined,
    );
  });

  it("end with the workspace's instance, whose next one has another server", async () => {
    const { python } = await ready(pythonEnvironment);
    process.env.PATH = [dirname(python), path].join(delimiter);
    const kernels = await localKernels(join(directory, "state"), () => undefined);
    try {
      const { url } = (await kernels.addressOf(directory)) ?? assert.fail("no server");
      await kernels.end(directory);
      const isGone = (): Promise<boolean> =>
        fetch(`${url}api`).then(
          () => false,
          () => true,
        );
      await waitFor("the end of the server", isGone);
      assert.notEqual((await kernels.addressOf(directory))?.url, url);
    } finally {
      kernels.stop();
    }
  });

  it("end when the workspace is stopped, on the platform of npm start", async () => {
    const platform = await startSamplePlatform({ dataDirectory: directory, contentServer: "jupyter" });
    try {
      const { tenant } = platform;
      const [{ id, contentUrl: url } = assert.fail("no workspace")] = tenant.workspaces;
      const server = { url, token: tenant.notebookToken(id), root: tenant.contentRoot(id) };
      const count = async (): Promise<number> => Object.keys((await call(server, "GET", "api/kernels")).json).length;
      assert.equal((await call(server, "POST", "api/kernels", { body: {} })).status, 201);
      assert.equal(await count(), 1);
      await tenant.stopWorkspace(id);
      await tenant.startWorkspace(id);
      assert.equal(await count(), 0);
    } finally {
      await platform.stop();
    }
  });

  it("are unavailable without such a Python, and the tenant's own content server serves the files", async () => {
    process.env.PATH = directory;
    const lines: string[] = [];
    const kernels = await localKernels(join(directory, "state"), (line) => lines.push(line));
    assert.equal(await kernels.addressOf(directory), undefined);
    assert.match(lines[0] ?? "", /no Python with jupyter_server and ipykernel/);
    kernels.stop();
  });
});

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ContentClient } from "../../src/api/client/client.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport } from "../../src/api/http/transport.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import { noJournal } from "../../src/api/kernels/executions/execution-journal.ts";
import { KernelServer } from "../../src/api/kernels/kernel-server.ts";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { until } from "../harness/until.ts";
import { untilInterrupted } from "../harness/until-interrupted.ts";
import { startToolRig, type ToolClient, type ToolRig } from "./tools-rig.ts";

interface CellResult {
  readonly status: string;
  readonly kernel: string;
  readonly charactersLeftOut?: number;
  readonly outputMayBeMissing?: boolean;
  readonly outputs: readonly {
    readonly type: string;
    readonly text?: string;
    readonly name?: string;
    readonly mimeTypes?: readonly string[];
  }[];
}

describe("front door: kernels_run_cell on a real Jupyter Server", () => {
  const transport = createTransport({ sleep: async () => {} });
  const questions: string[] = [];
  let root: string;
  let jupyter: JupyterServer;
  let rig: ToolRig;
  let client: ToolClient;
  let content: ContentClient;
  let server: KernelServer;
  let workspaceId: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "platform-workbench-run-cells-"));
    jupyter = await startJupyterServer({ root, token: "token-of-the-jupyter-server" });
    const address = { url: `${jupyter.url}/`, token: jupyter.token };
    rig = await startToolRig({
      tools: { runCells: true },
      contentServer: { kind: "proxied", addressOf: async () => address },
    });
    workspaceId = rig.tenant.workspaces.find(({ status }) => status === "running")?.id ?? "";
    client = await rig.client("2026-07-28", (question) => {
      questions.push(question);
      return { action: "accept" };
    });
    const base = new URL(address.url);
    content = new Client(
      {
        kind: "notebook",
        base,
        dialect: dialects.documented,
        limits: singleUserLimits,
        credential: new NotebookToken(base.origin, jupyter.token),
      },
      transport,
    );
    server = new KernelServer(async () => content);
  });
  after(async () => {
    await rig.stop();
    await transport.close();
    await jupyter.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });
  beforeEach(() => {
    questions.length = 0;
    rig.signal = new AbortController().signal;
  });

  const call = (given: object) =>
    client.callTool({ name: "kernels_run_cell", arguments: { workspaceId, ...given } }, { timeout: 600_000 });

  async function cell(given: object): Promise<CellResult> {
    const response = await call(given);
    assert.notEqual(response.isError, true, JSON.stringify(response.content));
    const [content] = response.content;
    assert.ok(content?.type === "text");
    return (JSON.parse(content.text) as { result: CellResult }).result;
  }

  async function refused(given: object): Promise<string> {
    const response = await call(given);
    assert.equal(response.isError, true, JSON.stringify(response.structuredContent));
    return JSON.stringify(response.content);
  }

  it("is offered only if the configuration allows it, and is marked as destructive", async () => {
    const tool = (await client.listTools()).tools.find(({ name }) => name === "kernels_run_cell");
    assert.deepEqual(
      [tool?.annotations?.destructiveHint, tool?.annotations?.readOnlyHint, tool?.annotations?.idempotentHint],
      [true, false, false],
    );
    for (const tools of [{}, { runCells: true, readOnly: true }]) {
      const other = await startToolRig({ tools });
      try {
        const { tools: listed } = await (await other.client("2026-07-28")).listTools();
        assert.ok(listed.every(({ name }) => name !== "kernels_run_cell"));
      } finally {
        await other.stop();
      }
    }
  });

  it("asks with the complete code, and runs nothing without confirmation", async () => {
    const code = `open('confirmed', 'w').close()\nprint('${"x".repeat(300)}')`;
    const declining = await rig.client("2026-07-28", (question) => {
      questions.push(question);
      return { action: "decline" };
    });
    const response = await declining.callTool({ name: "kernels_run_cell", arguments: { workspaceId, code } });
    assert.equal(response.isError, true);
    assert.equal(existsSync(join(root, "confirmed")), false);
    assert.deepEqual(questions, [
      `Run code on a kernel of a workspace?\nworkspaceId: ${workspaceId}\ncode:\n| ${code.replace("\n", "\n| ")}`,
    ]);
    assert.deepEqual(await server.kernels(), []);
  });

  it("runs code on a separate kernel, and shuts it down", async () => {
    const code =
      "import sys\nprint('out')\nprint('err', file=sys.stderr)\ndisplay({'text/html': '<b>'}, raw=True)\n1 + 1";
    const { kernel, status, outputs } = await cell({ code });
    assert.deepEqual([kernel, status], ["new", "ok"]);
    assert.deepEqual(outputs, [
      { type: "stdout", text: "out\n" },
      { type: "stderr", text: "err\n" },
      { type: "display", text: "", mimeTypes: ["text/html"] },
      { type: "result", text: "2", mimeTypes: [] },
    ]);
    assert.deepEqual(await server.kernels(), []);
  });

  it("returns pictures as images", async () => {
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100, 7)]).toString("base64");
    const code = `import base64, IPython.display as d; d.display(d.Image(data=base64.b64decode("${png}"), format="png"))`;
    const { content, isError } = await call({ code });
    assert.notEqual(isError, true, JSON.stringify(content));
    assert.deepEqual(content.slice(1), [{ type: "image", mimeType: "image/png", data: png }]);
    assert.match(JSON.stringify(content[0]), /image\/png/);
    assert.ok(!JSON.stringify(content[0]).includes(png));
  });

  it("returns an error of the code as its outcome, without colors", async () => {
    const { status, outputs } = await cell({ code: "1 / 0" });
    assert.deepEqual([status, outputs[0]?.type, outputs[0]?.name], ["error", "error", "ZeroDivisionError"]);
    assert.ok(!JSON.stringify(outputs).includes("\\u001b"));
  });

  it("limits the output, and reports how much is omitted", async () => {
    const { status, outputs, charactersLeftOut } = await cell({ code: "print('x' * 300_000)\nprint('end')" });
    assert.equal(status, "ok");
    assert.ok((outputs[0]?.text?.length ?? 0) <= 20_000);
    assert.equal(charactersLeftOut, 300_001 + 4 - 20_000);
  });

  it("returns no credential of the call, even if it is printed where the output is truncated", async () => {
    const token = rig.tenant.notebookToken(workspaceId);
    const parts = `'${token.slice(0, 10)}' + '${token.slice(10)}'`;
    const { outputs } = await cell({ code: `print('whole', ${parts})\nprint('x' * 19_975 + ${parts})` });
    const text = JSON.stringify(outputs);
    assert.ok(text.includes("whole [redacted]") && !text.includes(token.slice(0, 6)), text.slice(0, 100));
  });

  it("stops code that asks for input", async () => {
    assert.match(await refused({ code: "input()" }), /asks for input/);
    assert.deepEqual(await server.kernels(), []);
  });

  it("shares the variables of a notebook's kernel, which continues if the call is canceled", async () => {
    const path = "shared.ipynb";
    const session = await server.openSession(path, { type: "new", specName: "python3" });
    assert.equal((await cell({ path, code: "shared = 41" })).kernel, "notebook");
    assert.equal((await cell({ path, code: "shared + 1" })).outputs[0]?.text, "42");
    const ending = new AbortController();
    rig.signal = ending.signal;
    // A caller that ends a call receives no more of it.
    call({ path, code: `open('runs', 'w').close()\n${untilInterrupted}` }).catch(() => {});
    await until("the code runs", () => existsSync(join(root, "runs")));
    rig.signal = new AbortController().signal;
    assert.match(await refused({ path, code: "2" }), /still running/);
    ending.abort();
    await until("the code is stopped", async () => (await call({ path, code: "1" })).isError !== true);
    assert.equal((await cell({ path, code: "shared" })).outputs[0]?.text, "41");
    await server.endSession(session.id);
  });

  it("waits for a busy kernel, and runs nothing if the call ends before", async () => {
    const path = "busy.ipynb";
    const session = await server.openSession(path, { type: "new", specName: "python3" });
    const kernelId = session.kernel?.id ?? "";
    const owner = await openKernelConnection({
      client: async () => content,
      kernelId,
      recorder: "off",
      journal: noJournal,
    });
    try {
      const request = { cellId: undefined, cellIndex: 0, sink: { onEvents: () => {} } };
      const code = `open('busy', 'w').close()\n${untilInterrupted}`;
      const [own] = await owner.execute([{ ...request, code }]);
      await until("the kernel is busy", async () => (await server.kernel(kernelId))?.executionState === "busy");
      await until("the code runs", () => existsSync(join(root, "busy")));
      const ending = new AbortController();
      rig.signal = ending.signal;
      rig.proxy.reset();
      const waiting = refused({ path, code: "open('not-run', 'w').close()" });
      const asked = (): boolean => rig.proxy.requests.some((one) => one.path.endsWith(`/api/kernels/${kernelId}`));
      await until("it asks for the kernel's state", asked);
      ending.abort();
      assert.match(await waiting, /the code was not run/);
      rig.signal = new AbortController().signal;
      await owner.cancel(own?.entry.messageId ?? "");
      assert.equal((await own?.ended)?.type, "error");
      assert.equal((await cell({ path, code: "1" })).status, "ok");
      assert.equal(existsSync(join(root, "not-run")), false);
    } finally {
      owner.dispose();
      await server.endSession(session.id);
    }
  });

  it("returns partial output if a message exceeds the limit", async () => {
    const result = await cell({
      code: "print('before', flush=True)\ndisplay({'text/html': 'x' * 9_000_000}, raw=True)",
    });
    assert.equal(result.outputMayBeMissing, true, JSON.stringify(result).slice(0, 1000));
    assert.deepEqual(await server.kernels(), []);
  });

  it("shuts down the kernel that it started if the call is canceled", async () => {
    const ending = new AbortController();
    rig.signal = ending.signal;
    call({ code: "open('runs-alone', 'w').close()\nimport time\ntime.sleep(3600)" }).catch(() => {});
    await until("the code runs", () => existsSync(join(root, "runs-alone")));
    assert.equal((await server.kernels()).length, 1);
    ending.abort();
    await until("the kernel is shut down", async () => (await server.kernels()).length === 0);
  });

  it("rejects code that is too long to be read before a confirmation, and an invalid path", async () => {
    assert.match(await refused({ code: "x".repeat(4001) }), /code/);
    assert.match(await refused({ code: "1", path: "../elsewhere.ipynb" }), /elsewhere/);
    assert.deepEqual(questions, []);
  });
});

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NotebookDocument, NotebookRendererMessaging } from "vscode";
import type { KernelServices, WorkspaceAddress } from "../../../../src/features/kernels/kernel-services.ts";
import { KernelWindow } from "../../../../src/features/kernels/kernel-window.ts";
import { SharedOpenKernels } from "../../../../src/tenants/open-kernels.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { EventEmitter, notebooks, Uri } from "../../../harness/editor-stand-in/vscode.ts";
import { fakePlatform, html, type Responder } from "../../api/fake-platform.ts";

describe("the open notebooks of a workspace", () => {
  let directory: string;
  let logged: string[];
  let requests: number;
  let respond: Responder;
  let tokenChanged: EventEmitter<WorkspaceAddress>;
  let kernels: KernelWindow["kernels"];
  let window: KernelWindow;
  let notebook: NotebookDocument;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-kernels-"));
    [logged, requests, respond] = [[], 0, () => html(404)];
    tokenChanged = new EventEmitter();
    const { content } = fakePlatform((request, nth) => {
      requests += 1;
      return respond(request, nth);
    });
    const services = {
      connections: { content: async () => content, nameOf: () => "Sales" },
      secrets: {
        onDidChange: tokenChanged.event,
        onDidSignOut: new EventEmitter<string>().event,
        notebookToken: async () => ({}),
      },
      lifecycle: { onDidChangeState: new EventEmitter<unknown>().event },
      log: { error: (line: string) => logged.push(line), debug: () => {} },
      storage: Uri.file(directory),
      state: new StandInMemento(),
      windowState: new StandInMemento(),
      openKernels: new SharedOpenKernels(),
    };
    const uri = uriOf("tenant", "workspace", "a/book.ipynb");
    notebook = { uri, notebookType: "jupyter-notebook", metadata: {}, isClosed: false } as unknown as NotebookDocument;
    window = new KernelWindow(services as unknown as KernelServices, {} as NotebookRendererMessaging);
    ({ kernels } = window);
  });
  afterEach(async () => {
    window.dispose();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  it("are logged as a failure if the editor refuses their kernels", async () => {
    const { createNotebookController } = notebooks;
    notebooks.createNotebookController = () => {
      throw new Error("the id exists");
    };
    try {
      await kernels.opened(notebook);
    } finally {
      notebooks.createNotebookController = createNotebookController;
    }
    assert.deepEqual(logged, ["kernels: the id exists"]);
  });

  it("query a server without kernels once, and again after a new token was entered", async () => {
    await kernels.opened(notebook);
    await kernels.opened(notebook);
    assert.equal(requests, 1);
    tokenChanged.fire({ tenantId: "tenant", workspaceId: "workspace" });
    await kernels.opened(notebook);
    assert.equal(requests, 2);
    assert.deepEqual(logged, []);
  });
});

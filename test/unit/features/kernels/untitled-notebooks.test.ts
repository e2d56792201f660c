import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NotebookCell, NotebookDocument, NotebookRendererMessaging, Uri as UriType } from "vscode";
import type { KernelServices } from "../../../../src/features/kernels/kernel-services.ts";
import { KernelWindow } from "../../../../src/features/kernels/kernel-window.ts";
import { notebookPath } from "../../../../src/features/kernels/untitled/save-to-workspace.ts";
import { isSavedFrom, untitledSessionPath } from "../../../../src/features/kernels/untitled/untitled-notebook.ts";
import { SharedOpenKernels } from "../../../../src/tenants/open-kernels.ts";
import { authorityOf, uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { EventEmitter, editor, notebooks, type StandInDocument, Uri } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { fakePlatform, json } from "../../api/fake-platform.ts";

interface Sketch {
  readonly text: string;
  readonly id?: string;
}

function notebookAt(uri: UriType, cells: readonly Sketch[], kernelName?: string): NotebookDocument {
  const notebook = {
    uri,
    notebookType: "jupyter-notebook",
    isNotebook: true,
    isClosed: false,
    metadata: kernelName === undefined ? {} : { metadata: { kernelspec: { name: kernelName } } },
    getCells: () =>
      cells.map(
        ({ text, id }, index) =>
          ({
            index,
            kind: 2,
            document: { getText: () => text, languageId: "python" },
            metadata: id === undefined ? {} : { id },
            outputs: [],
          }) as unknown as NotebookCell,
      ),
  };
  return notebook as unknown as NotebookDocument;
}

describe("untitled notebooks", () => {
  const untitledUri = Uri.parse("untitled:Untitled-1.ipynb?jupyter-notebook") as UriType;
  const savedUri = uriOf("tenant", "workspace", "reports/kept.ipynb");
  const cells = [{ text: "x = 1", id: "a" }, { text: "x" }];
  let directory: string;
  let logged: string[];
  let requests: string[];
  /** Sessions on the server. */
  let sessions: object[];
  let isMoving: boolean;
  let windowState: StandInMemento;
  let signedOut: EventEmitter<string>;
  let window: KernelWindow;
  let kernels: KernelWindow["kernels"];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-untitled-"));
    [logged, requests, isMoving] = [[], [], true];
    sessions = [{ id: "session", path: "Untitled-1-12345678.ipynb", kernel: { id: "kernel", name: "python3" } }];
    windowState = new StandInMemento();
    signedOut = new EventEmitter();
    await windowState.update("kernels.notebooks", {
      [untitledUri.toString()]: {
        kernelId: "kernel",
        sessionId: "session",
        specName: "python3",
        at: 1,
        untitled: { authority: authorityOf("tenant", "workspace"), path: "Untitled-1-12345678.ipynb" },
      },
    });
    const { content } = fakePlatform(({ method, path }) => {
      const [, name = ""] = path.split("/api/");
      requests.push(`${method} ${name}`);
      if (method === "PATCH") {
        return isMoving ? json(200, { id: "session", path: "reports/kept.ipynb" }) : json(403, { message: "no" });
      }
      return method === "DELETE"
        ? json(204, {})
        : name === "sessions"
          ? json(200, sessions)
          : json(200, { id: "kernel" });
    });
    const services = {
      connections: { content: async () => content, nameOf: () => "Sales" },
      secrets: {
        onDidChange: new EventEmitter<unknown>().event,
        onDidSignOut: signedOut.event,
        notebookToken: async () => ({}),
      },
      lifecycle: { onDidChangeState: new EventEmitter<unknown>().event },
      log: { error: (line: string) => logged.push(line), debug: () => {} },
      storage: Uri.file(directory),
      state: new StandInMemento(),
      windowState,
      openKernels: new SharedOpenKernels(),
    };
    window = new KernelWindow(services as unknown as KernelServices, {} as NotebookRendererMessaging);
    ({ kernels } = window);
  });
  afterEach(async () => {
    window.dispose();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const close = (notebook: NotebookDocument): void => editor.close(notebook as unknown as StandInDocument);
  const changes = (): readonly string[] => requests.filter((request) => !request.startsWith("GET"));

  it("get their kernel back when the window restores them", async () => {
    const notebook = notebookAt(untitledUri, cells, "python3");
    await kernels.opened(notebook);
    const kernel = kernels.find(notebook);
    assert.equal(kernel?.path, "Untitled-1-12345678.ipynb");
    assert.equal(kernel.found?.id, "kernel");
    assert.deepEqual([changes(), logged], [[], []]);
  });

  it("don't get the kernel of a lost notebook with the same name, which is shut down", async () => {
    const notebook = notebookAt(untitledUri, [{ text: "" }]);
    await kernels.opened(notebook);
    assert.equal(kernels.find(notebook), undefined);
    assert.deepEqual(changes(), ["DELETE sessions/session"]);
    assert.deepEqual(kernels.sessions.uris, []);
  });

  it("shut down their kernel when they are closed without being saved", async () => {
    const notebook = notebookAt(untitledUri, cells, "python3");
    await kernels.opened(notebook);
    close(notebook);
    await until("the end of the session", () => changes().length === 1);
    assert.deepEqual(changes(), ["DELETE sessions/session"]);
    assert.deepEqual([kernels.sessions.uris, logged], [[], []]);
  });

  it("leave a kernel running that other notebooks use", async () => {
    sessions.push({ id: "other", path: "other.ipynb", kernel: { id: "kernel", name: "python3" } });
    const notebook = notebookAt(untitledUri, cells, "python3");
    await kernels.opened(notebook);
    close(notebook);
    await until("the sessions to be read", () => requests.includes("GET sessions"));
    await kernels.opened(notebookAt(uriOf("tenant", "workspace", "other.ipynb"), [{ text: "1" }]));
    assert.deepEqual([changes(), logged], [[], []]);
  });

  it("keep their kernel when the editor saves them into the workspace, even if it closes them at once", async () => {
    const notebook = notebookAt(untitledUri, cells, "python3");
    await kernels.opened(notebook);
    const saved = notebookAt(savedUri, [cells[0] ?? assert.fail(), { text: "x", id: "added by the save" }], "python3");
    const opening = kernels.opened(saved);
    close(notebook);
    await opening;
    assert.deepEqual(changes(), ["PATCH sessions/session"]);
    const { isSeparate, kernelId, untitled } = kernels.sessions.binding(savedUri) ?? assert.fail();
    assert.deepEqual([isSeparate, kernelId, untitled], [undefined, "kernel", undefined]);
    assert.deepEqual(kernels.sessions.uris, [savedUri.toString()]);
    assert.equal(kernels.find(saved)?.path, "reports/kept.ipynb");
  });

  it("keep their kernel even if the server doesn't rename its session", async () => {
    isMoving = false;
    const notebook = notebookAt(untitledUri, cells, "python3");
    await kernels.opened(notebook);
    await kernels.savedAs(notebook, savedUri);
    close(notebook);
    // A separate session is found by its id.
    assert.equal(kernels.sessions.binding(savedUri)?.isSeparate, true);
    assert.deepEqual(changes(), ["PATCH sessions/session"]);
    assert.equal(logged.length, 1);
  });

  it("don't take their kernel into another workspace", async () => {
    const notebook = notebookAt(untitledUri, cells, "python3");
    await kernels.opened(notebook);
    await kernels.savedAs(notebook, uriOf("tenant", "other", "kept.ipynb"));
    close(notebook);
    await until("the end of the session", () => changes().length === 1);
    assert.deepEqual(changes(), ["DELETE sessions/session"]);
  });

  it("lose their kernel when the user signs out, also in the editor's list, and get it back after signing in", async () => {
    const { createNotebookController } = notebooks;
    const listed = new Set<object>();
    notebooks.createNotebookController = () => {
      const controller = createNotebookController();
      listed.add(controller);
      return Object.assign(controller, { dispose: () => void listed.delete(controller) });
    };
    try {
      const notebook = notebookAt(untitledUri, cells, "python3");
      await kernels.opened(notebook);
      assert.equal(listed.size, 1);
      signedOut.fire("another");
      assert.equal(listed.size, 1);
      signedOut.fire("tenant");
      assert.deepEqual([listed.size, kernels.find(notebook)], [0, undefined]);
      await kernels.opened(notebook);
      assert.equal(kernels.find(notebook)?.found?.id, "kernel");
      assert.deepEqual([changes(), logged], [[], []]);
    } finally {
      notebooks.createNotebookController = createNotebookController;
    }
  });

  it("are recognized by their cells when they are saved", () => {
    const is = (before: readonly Sketch[], after: readonly Sketch[]): boolean =>
      isSavedFrom(notebookAt(untitledUri, before), notebookAt(savedUri, after));
    assert.equal(is(cells, cells), true);
    assert.equal(is([{ text: "x" }], [{ text: "x", id: "new" }]), true);
    assert.equal(is([{ text: "x", id: "a" }], [{ text: "x", id: "b" }]), false);
    assert.equal(is([{ text: "x" }], [{ text: "y" }]), false);
    assert.equal(is([{ text: "x" }], [{ text: "x" }, { text: "y" }]), false);
    assert.equal(is([{ text: "" }], [{ text: "" }]), false);
  });

  it("have sessions with paths of their own in the workspace's root", () => {
    const [one, other] = [untitledSessionPath(untitledUri), untitledSessionPath(untitledUri)];
    assert.match(one, /^Untitled-1-[0-9a-f]{8}\.ipynb$/);
    assert.notEqual(one, other);
  });

  it("are saved under paths that can be files", () => {
    assert.deepEqual(["a", " b/c.ipynb ", "/d.ipynb", "", "e/", "../f", "g/./h", "\0"].map(notebookPath), [
      "a.ipynb",
      "b/c.ipynb",
      "d.ipynb",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

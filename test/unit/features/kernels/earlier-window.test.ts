import assert from "node:assert/strict";
import type { NotebookDocument, Uri } from "vscode";
import { silentLog } from "../../../../src/api/http/log.ts";
import type { KernelController } from "../../../../src/features/kernels/controllers/kernel-controller.ts";
import type { WorkspaceKernels } from "../../../../src/features/kernels/controllers/workspace-kernels.ts";
import type { KernelServices } from "../../../../src/features/kernels/kernel-services.ts";
import { NotebookKernel } from "../../../../src/features/kernels/notebook-kernel.ts";
import { KernelBindings } from "../../../../src/features/kernels/sessions/kernel-bindings.ts";
import { type ConnectedKernel, KernelSessions } from "../../../../src/features/kernels/sessions/kernel-sessions.ts";
import type { WindowLeases } from "../../../../src/features/kernels/sessions/window-leases.ts";
import { uriOf as uriIn } from "../../../../src/tenants/workspace-uri.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { until } from "../../../harness/until.ts";
import { MemoryJournal } from "../../../kernels/rig.ts";

describe("a notebook whose cells an earlier window ran", () => {
  const bound = { kernelId: "kernel", sessionId: "session", specName: "python3" };
  let bindings: KernelBindings;
  let journal: MemoryJournal;
  let sessions: KernelSessions;
  let resumed: string[];
  let asked: string[];
  /** What the server responds for the kernel. */
  let running: object | undefined;
  let uriOf: (path: string) => Uri;
  let kernelIn: (notebook: NotebookDocument) => NotebookKernel;

  beforeEach(() => {
    uriOf = (path) => uriIn("tenant", "workspace", path);
    bindings = new KernelBindings(new StandInMemento(), { delete: async () => {}, sweep: async () => {} });
    journal = new MemoryJournal();
    [resumed, asked, running] = [[], [], {}];
    sessions = new KernelSessions({
      bindings,
      journals: { of: () => journal },
      services: {} as unknown as KernelServices,
      leases: {} as unknown as WindowLeases,
      presence: { isPresent: true, onChange: () => ({ dispose: () => {} }) },
    });
    const none = { dispose: () => {} };
    const connection = {
      resume: async () => void resumed.push("resumed"),
      resumeLateOutput: async () => void resumed.push("late output"),
      onState: () => none,
      onKernel: () => none,
      onForeign: () => none,
      dispose: () => {},
    };
    sessions.reconnect = async () => ({ connection, session: {}, lease: undefined }) as unknown as ConnectedKernel;
    const controller = {
      spec: { name: "python3" },
      isSelectedFor: () => true,
    } as unknown as KernelController;
    const server = {
      kernel: async (id: string) => {
        asked.push(id);
        return running;
      },
    };
    const workspace = {
      server,
      controllers: new Map([["python3", controller]]),
      controllerOf: () => controller,
    } as unknown as WorkspaceKernels;
    kernelIn = (notebook) =>
      new NotebookKernel(notebook, workspace, {
        sessions,
        trouble: { withRecovery: (_, work) => work() },
        log: { error: (line) => assert.fail(line), debug: silentLog.debug },
        outputDirectory: "",
      });
  });

  const notebook = (uri: Uri): NotebookDocument => ({ uri, isClosed: false }) as unknown as NotebookDocument;
  const written = (sentAt: number, isFinished = true): Promise<void> => {
    const entry = { messageId: "m", cellId: undefined, cellIndex: 0, sourceHash: "h", sentAt, isFinished };
    return journal.replace(bound.kernelId, { sessionId: "s", entries: [entry] });
  };

  it("shows the output of cells that ended before it was open under its new name", async () => {
    const renamed = notebook(uriOf("new/book.ipynb"));
    await written(5);
    sessions.expectRuns(renamed.uri);
    const kernel = kernelIn(renamed);
    await kernel.opened();
    assert.deepEqual(resumed, [], "the session has not moved yet");
    await bindings.set(renamed.uri, bound);
    await kernel.opened();
    await until("it is resumed", () => resumed.length === 1);
    await kernel.opened();
    assert.deepEqual(resumed, ["resumed"]);
  });

  it("shows late output of cells that have ended lately, if their kernel still runs", async () => {
    const opened = async (sentAt: number): Promise<readonly string[]> => {
      await written(sentAt);
      const book = notebook(uriOf("book.ipynb"));
      await bindings.set(book.uri, bound);
      await kernelIn(book).opened();
      await new Promise(setImmediate);
      return resumed.splice(0);
    };
    assert.deepEqual(await opened(Date.now()), ["late output"]);
    running = undefined;
    assert.deepEqual(await opened(Date.now()), []);
    assert.deepEqual(asked, ["kernel", "kernel"]);
  });

  it("shows the state of a kernel that ran nothing lately, with one request", async () => {
    running = { id: "kernel", executionState: "busy" };
    await written(Date.now() - 2 * 24 * 60 * 60_000);
    const book = notebook(uriOf("book.ipynb"));
    await bindings.set(book.uri, bound);
    const kernel = kernelIn(book);
    await kernel.opened();
    assert.deepEqual([kernel.found, resumed, asked], [running, [], ["kernel"]]);
    const other = kernelIn(notebook(uriOf("never run.ipynb")));
    await other.opened();
    assert.deepEqual([other.found, asked.length], [undefined, 1]);
    await kernel.detach();
    await kernel.opened();
    assert.equal(asked.length, 1);
  });

  it("is resumed again after the user has signed out and in", async () => {
    const book = notebook(uriOf("book.ipynb"));
    await written(5, false);
    await bindings.set(book.uri, bound);
    const kernel = kernelIn(book);
    await kernel.opened();
    await until("it is resumed", () => resumed.length === 1);
    kernel.leave();
    assert.equal(kernel.hasLeft, true);
    await kernel.opened();
    await until("it is resumed again", () => resumed.length === 2);
    assert.equal(kernel.hasLeft, false);
  });
});

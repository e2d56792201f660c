import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import type { NotebookDocument, Uri } from "vscode";
import { silentLog } from "../../../../src/api/http/log.ts";
import type { KernelAttachments } from "../../../../src/features/kernels/kernel-attachments.ts";
import type { KernelController } from "../../../../src/features/kernels/kernel-controller.ts";
import type { KernelRenames } from "../../../../src/features/kernels/kernel-renames.ts";
import type { KernelServices } from "../../../../src/features/kernels/kernel-services.ts";
import type { NotebookKernel } from "../../../../src/features/kernels/notebook-kernel.ts";
import { KernelBindings } from "../../../../src/features/kernels/sessions/kernel-bindings.ts";
import type { WorkspaceKernels } from "../../../../src/features/kernels/workspace-kernels.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { EventEmitter, workspace } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { MemoryJournal } from "../../../kernels/rig.ts";

interface Renamed {
  readonly files: readonly { readonly oldUri: Uri; readonly newUri: Uri }[];
}

describe("renaming notebooks that have kernels", () => {
  const will = new EventEmitter<Renamed>();
  const did = new EventEmitter<Renamed>();
  const bound = { kernelId: "kernel", sessionId: "session", specName: "python3" };
  let bindings: KernelBindings;
  let running: NotebookDocument[];
  let done: string[];
  let uriOf: (path: string, tenantId?: string) => Uri;
  let renames: KernelRenames;

  beforeEach(async () => {
    Object.assign(workspace, { onWillRenameFiles: will.event, onDidRenameFiles: did.event });
    const { uriOf: uriIn } = await import("../../../../src/tenants/workspace-uri.ts");
    uriOf = (path, tenantId = "tenant") => uriIn(tenantId, "workspace", path);
    bindings = new KernelBindings(new StandInMemento(), { delete: async () => {}, sweep: async () => {} });
    [running, done] = [[], []];
    // The editor's API is a stand-in here. Only modules that are imported later get it.
    const loaded = await import("../../../../src/features/kernels/kernel-renames.ts");
    renames = new loaded.KernelRenames({
      services: { connections: {}, log: silentLog } as unknown as KernelServices,
      bindings,
      attachments: {
        moved: async (oldUri, newUri) => void done.push(`${oldUri.path} moves to ${newUri.path}`),
      },
      earlier: { expect: (uri) => void done.push(`${uri.path} is expected`) },
      running: () => running,
      opened: async () => assert.fail("no notebook is open"),
      onError: (error) => assert.fail(String(error)),
    });
  });
  afterEach(() => renames.dispose());

  const notebook = (uri: Uri): NotebookDocument => ({ uri }) as unknown as NotebookDocument;

  it("moves their sessions with them, even with their folder, and no others", async () => {
    await bindings.set(uriOf("folder/book.ipynb"), bound);
    await bindings.set(uriOf("folder/sub/other.ipynb"), bound);
    await bindings.set(uriOf("folder2/third.ipynb"), bound);
    await bindings.set(uriOf("folder/book.ipynb", "another"), bound);
    did.fire({ files: [{ oldUri: uriOf("folder"), newUri: uriOf("new") }] });
    did.fire({ files: [{ oldUri: uriOf("folder2/third.ipynb"), newUri: uriOf("fourth.ipynb") }] });
    did.fire({ files: [{ oldUri: uriOf("folder/book.ipynb"), newUri: uriOf("book.ipynb", "third") }] });
    await until("the sessions move", () => done.length === 3);
    assert.deepEqual(done.toSorted(), [
      "/folder/book.ipynb moves to /new/book.ipynb",
      "/folder/sub/other.ipynb moves to /new/sub/other.ipynb",
      "/folder2/third.ipynb moves to /fourth.ipynb",
    ]);
  });

  it("expects running cells before the editor renames their notebook", () => {
    running = [notebook(uriOf("folder/book.ipynb"))];
    will.fire({ files: [{ oldUri: uriOf("folder"), newUri: uriOf("new") }] });
    will.fire({ files: [{ oldUri: uriOf("other.ipynb"), newUri: uriOf("another.ipynb") }] });
    assert.deepEqual(done, ["/new/book.ipynb is expected"]);
  });

  it("shows the output of cells that ended before the notebook was open under its new name", async () => {
    const { EarlierKernels } = await import("../../../../src/features/kernels/earlier-kernels.ts");
    const resumed: string[] = [];
    const journal = new MemoryJournal();
    const kernel = { resume: async () => void resumed.push("resumed") } as unknown as NotebookKernel;
    const controller = { spec: { name: "python3" }, isSelectedFor: () => true } as unknown as KernelController;
    const earlier = new EarlierKernels({
      bindings,
      attachments: { bound: async () => ({}) } as unknown as KernelAttachments,
      journals: { of: () => journal },
      log: silentLog as unknown as KernelServices["log"],
      workspaceOf: () => ({ controllers: new Map([["python3", controller]]) }) as unknown as WorkspaceKernels,
      known: () => undefined,
      kernelOf: () => kernel,
    });
    const renamed = notebook(uriOf("new/book.ipynb"));
    const entry = { messageId: "m", cellId: undefined, cellIndex: 0, sourceHash: "h", sentAt: 5, isFinished: true };
    await journal.replace(bound.kernelId, { sessionId: "s", entries: [entry] });
    earlier.expect(renamed.uri);
    await earlier.opened(renamed);
    assert.deepEqual(resumed, [], "the session has not moved yet");
    await bindings.set(renamed.uri, bound);
    await earlier.opened(renamed);
    await until("it is resumed", () => resumed.length === 1);
    earlier.closed(renamed);
    await earlier.opened(renamed);
    assert.deepEqual(resumed, ["resumed"]);
  });

  it("shows late output of cells that have ended lately, if their kernel still runs", async () => {
    const { EarlierKernels } = await import("../../../../src/features/kernels/earlier-kernels.ts");
    const resumed: string[] = [];
    const journal = new MemoryJournal();
    const kernel = { resumeLateOutput: async () => void resumed.push("late output") } as unknown as NotebookKernel;
    const controller = { spec: { name: "python3" }, isSelectedFor: () => true } as unknown as KernelController;
    const asked: string[] = [];
    let running: object | undefined = {};
    const server = {
      kernel: async (id: string) => {
        asked.push(id);
        return running;
      },
    };
    const opened = async (sentAt: number, isFinished = true): Promise<readonly string[]> => {
      const earlier = new EarlierKernels({
        bindings,
        attachments: { bound: async () => ({}) } as unknown as KernelAttachments,
        journals: { of: () => journal },
        log: silentLog as unknown as KernelServices["log"],
        workspaceOf: () => ({ server, controllers: new Map([["python3", controller]]) }) as unknown as WorkspaceKernels,
        known: () => undefined,
        kernelOf: () => kernel,
      });
      const entry = { messageId: "m", cellId: undefined, cellIndex: 0, sourceHash: "h", sentAt, isFinished };
      await journal.replace(bound.kernelId, { sessionId: "s", entries: [entry] });
      const book = notebook(uriOf("book.ipynb"));
      await bindings.set(book.uri, bound);
      await earlier.opened(book);
      await new Promise(setImmediate);
      return resumed.splice(0);
    };
    assert.deepEqual(await opened(Date.now()), ["late output"]);
    running = undefined;
    assert.deepEqual(await opened(Date.now()), []);
    assert.deepEqual(asked, ["kernel", "kernel"]);
    running = {};
    assert.deepEqual(await opened(Date.now() - 2 * 24 * 60 * 60_000), []);
    assert.deepEqual(asked, ["kernel", "kernel"]);
  });
});

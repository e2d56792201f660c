import assert from "node:assert/strict";
import type { NotebookDocument, Uri } from "vscode";
import { silentLog } from "../../../../src/api/http/log.ts";
import { KernelRenames } from "../../../../src/features/kernels/kernel-renames.ts";
import type { KernelServices } from "../../../../src/features/kernels/kernel-services.ts";
import type { NotebookKernel } from "../../../../src/features/kernels/notebook-kernel.ts";
import { KernelBindings } from "../../../../src/features/kernels/sessions/kernel-bindings.ts";
import type { KernelSessions } from "../../../../src/features/kernels/sessions/kernel-sessions.ts";
import { uriOf as uriIn } from "../../../../src/tenants/workspace-uri.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { EventEmitter, workspace } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

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
  const uriOf = (path: string, tenantId = "tenant"): Uri => uriIn(tenantId, "workspace", path);
  let renames: KernelRenames;

  beforeEach(() => {
    Object.assign(workspace, { onWillRenameFiles: will.event, onDidRenameFiles: did.event });
    bindings = new KernelBindings(new StandInMemento(), { delete: async () => {}, sweep: async () => {} });
    [running, done] = [[], []];
    const sessions = {
      get uris() {
        return bindings.uris;
      },
      move: async (oldUri: Uri, newUri: Uri) => void done.push(`${oldUri.path} moves to ${newUri.path}`),
      expectRuns: (uri: Uri) => void done.push(`${uri.path} is expected`),
    };
    const kernels = {
      sessions: sessions as unknown as KernelSessions,
      get all() {
        return running.map((notebook) => ({ notebook, running: [{}] }) as unknown as NotebookKernel);
      },
      opened: async () => assert.fail("no notebook is open"),
    };
    renames = new KernelRenames(kernels, { connections: {}, log: silentLog } as unknown as KernelServices);
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
});

import assert from "node:assert/strict";
import { mock } from "node:test";
import type { DebuggingServices } from "../../../../src/features/debugging/debugging-services.ts";
import { KernelDebugging } from "../../../../src/features/debugging/kernel-debugging.ts";
import { debug, EventEmitter, window } from "../../../harness/editor-stand-in/vscode.ts";

describe("the debugger of a notebook", () => {
  it("starts once if it is started again while the kernel is being connected", async () => {
    const connected = Promise.withResolvers<void>();
    const kernel = { language: "python", isFollowing: false, connect: () => connected.promise };
    const debugging = new KernelDebugging({
      openKernels: { find: () => kernel, onEvent: new EventEmitter<never>().event },
      secrets: { onDidSignOut: new EventEmitter<never>().event },
    } as unknown as DebuggingServices);
    const starting = mock.method(debug, "startDebugging");
    Reflect.set(window, "activeNotebookEditor", { notebook: { getCells: () => [] } });
    try {
      const start = async (): Promise<unknown> =>
        debugging.commands()["platformWorkbench.debugNotebook"]({ setErrorContext: () => {} }, undefined, []);
      const first = start();
      await assert.rejects(start, /The notebook is being debugged/);
      connected.resolve();
      await first;
      assert.equal(starting.mock.callCount(), 1);
      // The editor has started it. Whether it still runs is known from its session.
      await start();
    } finally {
      Reflect.set(window, "activeNotebookEditor", undefined);
      starting.mock.restore();
      debugging.dispose();
    }
  });
});

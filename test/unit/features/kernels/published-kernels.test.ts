import assert from "node:assert/strict";
import type { Companion } from "../../../../src/api/companion/companion.ts";
import type { NotebookConnection, NotebookKernelEvent } from "../../../../src/features/kernels/notebook-connection.ts";
import type { NotebookKernels } from "../../../../src/features/kernels/notebook-kernels.ts";
import { PublishedKernels } from "../../../../src/features/kernels/published-kernels.ts";
import { SharedOpenKernels } from "../../../../src/tenants/open-kernels.ts";
import { EventEmitter } from "../../../harness/editor-stand-in/vscode.ts";

type Restarted = Extract<NotebookKernelEvent, { readonly type: "kernel" }>["event"];

describe("the program in the kernel of a notebook", () => {
  it("is another one for those who hear first that the kernel was restarted", async () => {
    const restarts = new EventEmitter<Restarted>();
    const status = Buffer.from(JSON.stringify({ state: "installed", python: "3.12.1" })).toString("hex");
    const connection = {
      kernelId: "k",
      state: { type: "connected" },
      ready: async () => ({ languageName: "python", implementation: "ipython" }),
      evaluate: async () => `'${status}'`,
      onPush: () => ({ dispose: () => {} }),
      onState: () => ({ dispose: () => {} }),
      onKernel: (listener: (event: Restarted) => void) => restarts.event(listener),
    } as unknown as NonNullable<NotebookConnection["connected"]>["connection"];
    const notebook = {};
    const kernel = { notebook, connection, workspace: { address: {} } };
    const events = new EventEmitter<{ kernel: typeof kernel; event: NotebookKernelEvent }>();
    // The notebook hears of its kernel before the program does, which is installed later.
    restarts.event((event) => events.fire({ kernel, event: { type: "kernel", event, isFollowing: false } }));
    const kernels = { onEvent: events.event, find: () => kernel } as unknown as NotebookKernels;
    const shared = new SharedOpenKernels();
    const published = new PublishedKernels(kernels, shared);
    const program = (): Promise<Companion> => published.find(notebook as never)?.program() ?? assert.fail();
    const first = await program();
    assert.equal(await program(), first);
    const asked: Promise<Companion>[] = [];
    shared.onEvent(() => void asked.push(program()));
    restarts.fire({ type: "restarted", isAutomatic: false, running: [] });
    const [next] = await Promise.all(asked);
    assert.notEqual(first.end, undefined);
    assert.equal(next?.end, undefined);
    assert.equal(await program(), next);
    published.dispose();
  });
});

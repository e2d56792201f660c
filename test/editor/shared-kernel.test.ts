import assert from "node:assert/strict";
import * as vscode from "vscode";
import { leaseFilesIn } from "../../src/tenants/lease-files.ts";
import { isDone, openNotebook, saveAfterRun, kernelTenant as tenant, textOf } from "./kernel-notebooks.ts";
import { watchedMessages } from "./kernel-responses.ts";
import { exists, leaseDirectory, make, sessions, waitFor } from "./kernel-server.ts";
import { ask } from "./outside.ts";
import { until } from "./time.ts";

describe("two notebooks on one kernel", () => {
  let watched: ReturnType<typeof watchedMessages>;

  beforeEach(() => {
    watched = watchedMessages();
  });
  afterEach(async () => {
    watched.restore();
    await ask(tenant, { type: "clearFaults" });
    for (const notebook of vscode.workspace.notebookDocuments) {
      // The editor may still be closing one that the test has closed.
      if (!notebook.isClosed) await notebook.save();
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("run cells on it, even concurrently and while the connection is lost, each with its own output", async () => {
    const work = `print('waits', flush=True)\n${waitFor("shared go")}x += 1\nprint('first', x, flush=True)\nopen('shared done', 'w').close()`;
    const [first, second] = await openTwo(["x = 1\nprint('first', x)", work], [add("second"), add("again")]);
    await run(second, 0);
    await until("the second notebook's cell", () => isDone(second.cellAt(0)));
    assert.deepEqual([textOf(first.cellAt(0)), textOf(second.cellAt(0))], ["first 1\n", "second 11\n"]);

    await run(first, 1);
    await until("the first notebook's cell to begin", () => textOf(first.cellAt(1)) === "waits\n");
    await received(() => run(second, 1));
    await ask(tenant, {
      type: "fault",
      rule: { match: { path: `${tenant.contentPath}api/kernels` }, action: { kind: "cut", when: "before" } },
    });
    await ask(tenant, { type: "cutWebSockets" });
    await make("shared go");
    await until("the kernel to go on", () => exists("shared done"));
    await ask(tenant, { type: "clearFaults" });
    const [one, other] = [first.cellAt(1), second.cellAt(1)];
    await until("both cells to end", () => isDone(one) && isDone(other));
    assert.deepEqual([textOf(one), textOf(other)], ["waits\nfirst 12\n", "again 22\n"]);
    assert.deepEqual(
      [first, second].map((notebook) =>
        notebook
          .getCells()
          .map(({ executionSummary }) => [executionSummary?.executionOrder, executionSummary?.success]),
      ),
      [
        [
          [1, true],
          [3, true],
        ],
        [
          [2, true],
          [4, true],
        ],
      ],
    );
    assert.deepEqual([textOf(first.cellAt(0)), textOf(second.cellAt(0))], ["first 1\n", "second 11\n"]);
    assert.deepEqual(questions(), []);
  });

  it("are both named before the kernel restarts, shuts down, or is replaced", async () => {
    const [first, second, kernelId] = await openTwo(["x = 1"], []);
    const commands = ["restartKernel", "shutDownKernel", "changeKernel"];
    const original = vscode.window.showQuickPick;
    Reflect.set(
      vscode.window,
      "showQuickPick",
      async (items: PromiseLike<readonly { readonly choice?: { type: string } }[]>) =>
        (await items).find(({ choice }) => choice?.type === "new"),
    );
    try {
      for (const [index, command] of commands.entries()) {
        const running = vscode.commands.executeCommand(`platformWorkbench.${command}`);
        const question = await until(`the question of ${command}`, () => watched.messages[index]);
        assert.ok(question.text.includes(second.uri.path.slice(1)), question.text);
        assert.equal(
          question.detail,
          `Also used by ${first.uri.path.slice(1)}\n\nIts variables are lost, and running cells end.`,
        );
        question.response(undefined);
        await running;
      }
    } finally {
      Reflect.set(vscode.window, "showQuickPick", original);
    }
    assert.equal(await connections(kernelId), 2);
  });

  it("keep the kernel for their window until both are closed", async () => {
    const [first, second, kernelId] = await openTwo(["x = 1\nprint('first', x)"], [add("second"), add("again")]);
    const leases = leaseFilesIn(await leaseDirectory());
    await run(second, 0);
    await until("the second notebook's cell", () => isDone(second.cellAt(0)));
    const window = await leases.acquire(kernelId, "another window", 600_000);
    assert.notEqual(window, "another window");
    await close(first);
    await until("the first notebook to be disconnected", async () => (await connections(kernelId)) === 1);
    assert.equal(await leases.acquire(kernelId, "another window", 600_000), window);
    await run(second, 1);
    await until("a cell after that", () => isDone(second.cellAt(1)));
    assert.equal(textOf(second.cellAt(1)), "again 21\n");
    assert.deepEqual(questions(), []);
    await close(second);
    await until(
      "the kernel to be free",
      async () => (await leases.acquire(kernelId, "another window", 600_000)) === "another window",
    );
    await leases.release(kernelId, "another window");
  });

  const questions = (): readonly string[] =>
    watched.messages.map(({ text }) => text).filter((text) => /is using|took over|Shut down/.test(text));

  /** Opens two notebooks, runs the first cell of the first one, and gives its kernel to the other one. */
  async function openTwo(
    ...sources: readonly [readonly string[], readonly string[]]
  ): Promise<readonly [vscode.NotebookDocument, vscode.NotebookDocument, string]> {
    const [first, second] = [await openKept(...sources[0]), await openKept(...sources[1])];
    await run(first, 0);
    await until("the first notebook's cell", () => isDone(first.cellAt(0)));
    const path = first.uri.path.slice(1);
    const original = vscode.window.showQuickPick;
    Reflect.set(vscode.window, "showQuickPick", async (items: PromiseLike<readonly vscode.QuickPickItem[]>) =>
      (await items).find(({ description }) => description === path),
    );
    try {
      await vscode.commands.executeCommand("platformWorkbench.changeKernel");
    } finally {
      Reflect.set(vscode.window, "showQuickPick", original);
    }
    const found = await sessions();
    const [one, other] = [first, second].map(
      ({ uri }) => found.find((session) => session.path === uri.path.slice(1))?.kernel.id,
    );
    assert.ok(one !== undefined);
    assert.equal(other, one);
    return [first, second, one];
  }
});

const add = (word: string): string => `x += 10\nprint('${word}', x)`;

/** Opens a notebook in an editor that stays open when the next one opens. */
async function openKept(...sources: readonly string[]): Promise<vscode.NotebookDocument> {
  const notebook = await openNotebook(...sources);
  await vscode.commands.executeCommand("workbench.action.keepEditor");
  return notebook;
}

function run({ uri }: vscode.NotebookDocument, index: number): Thenable<unknown> {
  const ranges = [{ start: index, end: index + 1 }];
  return vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: uri });
}

/** Pings are shorter, messages longer. */
const pingBytes = 100;

/** Runs the work and waits until the server has received the message that it sends to a kernel. */
async function received(work: () => PromiseLike<unknown>): Promise<void> {
  const bytes = async (): Promise<number> => Number(await ask(tenant, { type: "webSocketBytes" }));
  const before = await bytes();
  await work();
  await until("the message to pass the proxy", async () => (await bytes()) - before > pingBytes);
  // The server reads in order: when it answers this, it has read the message.
  await sessions();
}

/** Saves the notebook, all of whose cells have run, and closes its editor. */
async function close(notebook: vscode.NotebookDocument): Promise<void> {
  await saveAfterRun(notebook);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const own = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputNotebook && input.uri.toString() === notebook.uri.toString(),
  );
  await vscode.window.tabGroups.close(own);
  await until("the notebook to be closed", () => notebook.isClosed);
}

/** The number of clients that are connected to a kernel. */
async function connections(kernelId: string): Promise<number> {
  const session = (await sessions()).find(({ kernel }) => kernel.id === kernelId);
  return session?.kernel.connections ?? 0;
}

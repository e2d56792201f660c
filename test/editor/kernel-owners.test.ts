import assert from "node:assert/strict";
import * as vscode from "vscode";
import { leaseFilesIn } from "../../src/tenants/lease-files.ts";
import { isDone, openNotebook, ran, runAll, saveAfterRun, shownNotebook, textOf } from "./kernel-notebooks.ts";
import { type ShownMessage, statusItem, watchedMessages } from "./kernel-responses.ts";
import { leaseDirectory } from "./kernel-server.ts";
import { OtherKernelClient } from "./other-kernel-client.ts";
import { until } from "./time.ts";

const controllers: vscode.NotebookController[] = [];
const createController = vscode.notebooks.createNotebookController;
// Before the first notebook opens, because the extension creates them with it.
Reflect.set(vscode.notebooks, "createNotebookController", (...given: Parameters<typeof createController>) => {
  const created = createController(...given);
  controllers.push(created);
  return created;
});

describe("a kernel that another client uses", () => {
  const clients: OtherKernelClient[] = [];
  let watched: ReturnType<typeof watchedMessages>;

  beforeEach(() => {
    watched = watchedMessages();
  });
  afterEach(async () => {
    watched.restore();
    for (const client of clients.splice(0)) {
      client.close();
    }
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const otherClient = async (notebook: vscode.NotebookDocument): Promise<OtherKernelClient> => {
    const client = await OtherKernelClient.of(notebook);
    clients.push(client);
    return client;
  };
  const about = (text: RegExp): readonly ShownMessage[] => watched.messages.filter((one) => text.test(one.text));
  const questions = (): readonly ShownMessage[] => about(/ is using the kernel of /);

  /** The other client hears of this window's runs on its own connection, which may be later than the window. */
  const seesRuns = async (client: OtherKernelClient, ...codes: readonly string[]): Promise<void> => {
    await until("the other client to see the runs", () => client.seen.length >= codes.length);
    assert.deepEqual(client.seen, codes);
  };

  /** Runs the cells of the notebook, and answers the question that follows. */
  const runAnd = async (response: string | undefined, notebook: vscode.NotebookDocument): Promise<void> => {
    const before = questions().length;
    await runAll(notebook);
    (await until("the question", () => questions()[before])).response(response);
  };

  it("is taken over: cells run with its variables, without further questions", async () => {
    const notebook = await openNotebook("x + 1");
    const other = await otherClient(notebook);
    await other.run("x = 41");
    await runAnd("Take Over", notebook);
    await until("the cell to end", () => isDone(notebook.cellAt(0)));
    assert.equal(textOf(notebook.cellAt(0)), "42");
    assert.match(
      questions()[0]?.text ?? "",
      /^JupyterLab or another window is using the kernel of kernel \d+\.ipynb\.$/,
    );
    await runAll(notebook);
    await until("the second run", () => notebook.cellAt(0).executionSummary?.executionOrder === 3);
    await until("the cell to end", () => isDone(notebook.cellAt(0)));
    await seesRuns(other, "x + 1", "x + 1");
    assert.equal(questions().length, 1);
  });

  it("is followed: other clients' runs show in the cells with the same code, and nothing is sent", async () => {
    const notebook = await openNotebook("print('one')", "print('two')", "1 / 0");
    const other = await otherClient(notebook);
    await runAnd("Follow", notebook);
    await otherRunShows(other, notebook.cellAt(1), "two\n");
    assert.equal(await other.run("print('in no cell')"), "in no cell\n");
    await other.run("1 / 0");
    await until("the failed cell", () => isDone(notebook.cellAt(2)));
    assert.equal(notebook.cellAt(2).executionSummary?.success, false);
    assert.match(textOf(notebook.cellAt(2)), /ZeroDivisionError/);
    const orders = notebook.getCells().map(({ executionSummary }) => executionSummary?.executionOrder ?? 0);
    assert.equal(orders[2], (orders[1] ?? 0) + 2);
    assert.deepEqual(notebook.cellAt(0).outputs, []);
    for (const [index, command] of ["interruptKernel", "restartKernel", "shutDownKernel"].entries()) {
      void vscode.commands.executeCommand(`platformWorkbench.${command}`);
      await until("the error", () => about(/only following the kernel of kernel \d+\.ipynb/)[index]);
    }
    assert.equal(await other.run("print('still runs')"), "still runs\n");
    assert.deepEqual(other.seen, []);
    assert.equal(questions().length, 1);
  });

  it("is followed: the next of several cells with the same code shows a run, until the kernel restarts", async () => {
    const code = "import time\nprint('began', flush=True)\ntime.sleep(globals().get('seconds', 0))";
    const notebook = await openNotebook("print('ready')", code, code);
    const other = await otherClient(notebook);
    await runAnd("Follow", notebook);
    await otherRunShows(other, notebook.cellAt(0), "ready\n");
    await other.run(code);
    await until("the first cell with the code", () => shows(notebook.cellAt(1), "began\n"));
    await other.run("seconds = 600");
    const running = other.run(code);
    await until("the second cell to begin", () => textOf(notebook.cellAt(2)) === "began\n");
    await other.restart();
    await running;
    await until("the second cell to end", () => isDone(notebook.cellAt(2)));
    const successes = notebook.getCells().map(({ executionSummary }) => executionSummary?.success);
    assert.deepEqual(successes, [true, true, false]);
  });

  it("is taken over after it was followed; dismissing the question changes nothing", async () => {
    const notebook = await openNotebook("print('mine')", "print('theirs')");
    const other = await otherClient(notebook);
    await runAnd("Follow", notebook);
    await otherRunShows(other, notebook.cellAt(1), "theirs\n");
    await runAnd(undefined, notebook);
    await otherRunShows(other, notebook.cellAt(0), "mine\n");
    assert.deepEqual(other.seen, []);
    await runAnd("Take Over", notebook);
    await seesRuns(other, "print('mine')", "print('theirs')");
    assert.equal(questions().length, 3);
  });

  it("is not affected by a window that starts and keeps a separate kernel", async () => {
    const notebook = await openNotebook(
      "import os\ny = globals().get('y', 0) + 1\nprint('x' in globals(), y, os.getcwd())",
    );
    const other = await otherClient(notebook);
    const folder = await other.run("import os\nx = 1\nprint(os.getcwd(), end='')");
    await runAnd("Start My Own Kernel", notebook);
    await until("the first run", () => shows(notebook.cellAt(0), `False 1 ${folder}\n`));
    await saveAfterRun(notebook);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("the notebook to be closed", () => notebook.isClosed);
    const again = await shownNotebook(notebook.uri);
    await runAll(again);
    await until("the second run", () => shows(again.cellAt(0), `False 2 ${folder}\n`));
    assert.equal(questions().length, 1);
    assert.deepEqual(other.seen, []);
  });

  it("is shown in the notebook's kernel while it is followed, and taken over in the kernel's actions", async () => {
    const notebook = await openNotebook("print('shown')");
    const other = await otherClient(notebook);
    const following = (): number =>
      controllers.filter(({ label }) => label === "Python 3 (ipykernel) (Following)").length;
    await runAnd("Follow", notebook);
    await until("the kernel's name", () => following() === 1);
    const original = vscode.window.showQuickPick;
    const offered: string[] = [];
    Reflect.set(vscode.window, "showQuickPick", async (items: readonly vscode.QuickPickItem[]) => {
      offered.push(...items.map(({ label }) => label));
      return items[0];
    });
    try {
      await vscode.commands.executeCommand("platformWorkbench.showKernelActions");
    } finally {
      Reflect.set(vscode.window, "showQuickPick", original);
    }
    assert.deepEqual(offered, ["Take Over", "Change Kernel…"]);
    assert.equal(following(), 0);
    await ran(notebook);
    assert.equal(textOf(notebook.cellAt(0)), "shown\n");
    await seesRuns(other, "print('shown')");
    assert.equal(questions().length, 1);
  });

  it("is reported when the other client shuts it down, and the next run starts a new one", async () => {
    // Before the server shuts down a kernel, it interrupts the kernel, which would end the cell.
    const endless = "import time, signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\ntime.sleep(600)";
    const notebook = await openNotebook("x = 1", "print('x' in globals())", endless);
    const other = await otherClient(notebook);
    await runAnd("Take Over", notebook);
    await until("the last cell to begin", () => other.seen.length === 3);
    await other.shutDown();
    const told = await until("the message", () => about(/was shut down by another client/)[0]);
    assert.match(told.text, /Running or queued: cell 3 \(import time, signal\)\.$/);
    const [, second, third] = notebook.getCells();
    assert.ok(second !== undefined && third !== undefined);
    await until("the cell to end with the kernel", () => isDone(third));
    assert.equal(third.executionSummary?.success, false);
    await statusItem(third, /The kernel ended before the cell finished\./);
    assert.equal(textOf(second), "True\n");
    const ranges = [{ start: 1, end: 2 }];
    await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: notebook.uri });
    await until("the run on the new kernel", () => shows(second, "False\n"));
    assert.equal(questions().length, 1);
  });

  it("is checked before cells are sent if another window has taken it over", async () => {
    const notebook = await openNotebook("print(globals().get('whose', 'mine'))");
    await ran(notebook);
    const cell = notebook.cellAt(0);
    assert.equal(textOf(cell), "mine\n");
    const other = await otherClient(notebook);
    const leases = leaseFilesIn(await leaseDirectory());
    await leases.takeOver(other.kernelId, "another window", 600_000);
    await runAnd("Follow", notebook);
    const [told] = about(/took over the kernel/);
    assert.match(told?.text ?? "", /^Another window took over the kernel of kernel \d+\.ipynb\./);
    await other.run("whose = 'theirs'");
    await otherRunShows(other, cell, "theirs\n");
    assert.deepEqual(other.seen, []);
    await other.run("whose = 'mine again'");
    await runAnd("Take Over", notebook);
    await until("the window's own run", () => shows(cell, "mine again\n"));
    await seesRuns(other, "print(globals().get('whose', 'mine'))");
    assert.notEqual(await leases.acquire(other.kernelId, "another window", 600_000), "another window");
    assert.equal(questions().length, 2);
  });
});

/**
 * Another client runs the cell's code until the cell shows it, because the window may not be connected to the kernel
 * yet.
 */
async function otherRunShows(other: OtherKernelClient, cell: vscode.NotebookCell, text: string): Promise<void> {
  let runAgainAt = 0;
  await until("the other client's output", async () => {
    if (!shows(cell, text) && Date.now() >= runAgainAt) {
      await other.run(cell.document.getText());
      runAgainAt = Date.now() + 2_000;
    }
    return shows(cell, text);
  });
}

function shows(cell: vscode.NotebookCell, text: string): boolean {
  return textOf(cell) === text && isDone(cell);
}

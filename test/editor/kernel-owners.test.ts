import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Client } from "../../src/api/client/client.ts";
import { singleUserLimits } from "../../src/api/http/answer-limits.ts";
import { NotebookToken } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { createTransport } from "../../src/api/http/transport.ts";
import { openKernelConnection } from "../../src/api/kernels/connection/open-connection.ts";
import type { ExecutionEvent } from "../../src/api/kernels/executions/executions.ts";
import { KernelServer } from "../../src/api/kernels/kernel-server.ts";
import { addressOf, scheme } from "../../src/tenants/workspace-uri.ts";
import {
  isDone,
  openNotebook,
  runAll,
  shownNotebook,
  kernelTenant as tenant,
  textOf,
  until,
} from "./kernel-notebooks.ts";

/** Another client of a notebook's kernel, as JupyterLab is. */
interface OtherClient {
  /** Code that other clients than this one ran, in order. */
  readonly seen: readonly string[];
  /** Runs code and gives what it printed. */
  run(code: string): Promise<string>;
  /** Restarts the kernel. */
  restart(): Promise<void>;
}

/** Answers to the questions of modal dialogs, and what was asked. */
interface Answers {
  next: string | undefined;
  readonly asked: string[];
  /** Errors that were shown meanwhile. */
  readonly errors: string[];
}

describe("a kernel that another client uses", () => {
  const disposables: (() => unknown)[] = [];
  let answers: Answers;

  /** Opens the session of the notebook and connects to its kernel. */
  const otherClient = async ({ uri }: vscode.NotebookDocument): Promise<OtherClient> => {
    const transport = createTransport();
    const base = new URL(tenant.contentUrl);
    const credential = new NotebookToken(base.origin, tenant.secrets[1]);
    const client = new Client(
      { kind: "notebook", base, dialect: dialects.documented, credential, limits: singleUserLimits },
      transport,
    );
    const server = new KernelServer(async () => client);
    const session = await server.openSession(addressOf(uri).path, { type: "new", specName: "python3" });
    assert.ok(session.kernel);
    const journal = { read: async () => undefined, write: async () => {}, remove: async () => {} };
    const kernelId = session.kernel.id;
    const connection = await openKernelConnection({ client: async () => client, kernelId, journal, recorder: "off" });
    disposables.push(async () => {
      connection.dispose();
      await transport.close();
    });
    await connection.ready();
    const seen: string[] = [];
    connection.onForeign(({ code }) => void (code === undefined ? undefined : seen.push(code)));
    return {
      seen,
      restart: () => connection.restart(),
      async run(code) {
        const events: ExecutionEvent[] = [];
        const sink = { onEvents: (more: readonly ExecutionEvent[]) => void events.push(...more) };
        const [execution] = await connection.execute([{ code, cellId: undefined, cellIndex: 0, sink }]);
        await execution?.ended;
        return events.map((event) => (event.type === "stream" ? event.text : "")).join("");
      },
    };
  };

  /** Runs the cells of the notebook, and answers the question that follows. */
  const runAnd = async (answer: string | undefined, notebook: vscode.NotebookDocument): Promise<void> => {
    const before = answers.asked.length;
    answers.next = answer;
    await runAll(notebook);
    await until("the question", () => answers.asked.length > before);
  };

  beforeEach(() => {
    const original = vscode.window.showWarningMessage;
    const originalError = vscode.window.showErrorMessage;
    answers = { next: undefined, asked: [], errors: [] };
    const { asked, errors } = answers;
    const replaced = async (question: string, ...items: readonly unknown[]): Promise<unknown> => {
      asked.push(question);
      return items.find((item) => item === answers.next);
    };
    Reflect.set(vscode.window, "showWarningMessage", replaced);
    Reflect.set(vscode.window, "showErrorMessage", async (text: string) => void errors.push(text));
    disposables.push(
      () => Reflect.set(vscode.window, "showWarningMessage", original),
      () => Reflect.set(vscode.window, "showErrorMessage", originalError),
    );
  });

  afterEach(async () => {
    for (const dispose of disposables.splice(0)) {
      await dispose();
    }
    await closeNotebooks();
  });

  it("is taken over: cells run with its variables", async () => {
    const notebook = await openNotebook("x + 1");
    const other = await otherClient(notebook);
    await other.run("x = 41");
    await runAnd("Take Over", notebook);
    await until("the cell to end", () => isDone(notebook.cellAt(0)));
    assert.equal(textOf(notebook.cellAt(0)), "42");
    assert.match(answers.asked[0] ?? "", /^JupyterLab or another window is using the kernel of kernel \d+\.ipynb\.$/);
    await runAll(notebook);
    await until("the second run", () => notebook.cellAt(0).executionSummary?.executionOrder === 3);
    await until("the cell to end", () => isDone(notebook.cellAt(0)));
    assert.equal(answers.asked.length, 1);
  });

  it("is followed: what runs elsewhere shows in the cells with that code, and nothing is sent", async () => {
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
    for (const command of ["interruptKernel", "restartKernel", "shutDownKernel"]) {
      await vscode.commands.executeCommand(`platformWorkbench.${command}`);
      const error = await until("the error", () => answers.errors.shift());
      assert.match(error, /only following the kernel of kernel \d+\.ipynb/);
    }
    assert.equal(await other.run("print('still runs')"), "still runs\n");
    assert.deepEqual(other.seen, []);
    assert.equal(answers.asked.length, 1);
  });

  it("is followed: of cells with the same code the next one shows it, until the kernel is restarted", async () => {
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

  it("is taken over after it was followed; a question that is left unanswered changes nothing", async () => {
    const notebook = await openNotebook("print('mine')", "print('theirs')");
    const other = await otherClient(notebook);
    await runAnd("Follow", notebook);
    await otherRunShows(other, notebook.cellAt(1), "theirs\n");
    await runAnd(undefined, notebook);
    await otherRunShows(other, notebook.cellAt(0), "mine\n");
    assert.deepEqual(other.seen, []);
    await runAnd("Take Over", notebook);
    await until("both cells to be sent", () => other.seen.length === 2);
    assert.deepEqual(other.seen, ["print('mine')", "print('theirs')"]);
    assert.equal(answers.asked.length, 3);
  });

  it("is left alone by a window that starts a kernel of its own, and keeps it", async () => {
    const notebook = await openNotebook(
      "import os\ny = globals().get('y', 0) + 1\nprint('x' in globals(), y, os.getcwd())",
    );
    const other = await otherClient(notebook);
    const folder = await other.run("import os\nx = 1\nprint(os.getcwd(), end='')");
    await runAnd("Start My Own Kernel", notebook);
    await until("the first run", () => isDone(notebook.cellAt(0)));
    assert.equal(textOf(notebook.cellAt(0)), `False 1 ${folder}\n`);
    await closeNotebooks();
    const again = await shownNotebook(notebook.uri);
    await runAll(again);
    await until("the second run", () => textOf(again.cellAt(0)) === `False 2 ${folder}\n`);
    assert.equal(answers.asked.length, 1);
    assert.deepEqual(other.seen, []);
  });

  it("is named in the notebook's kernel while it is followed", async () => {
    await closeNotebooks();
    const controllers: vscode.NotebookController[] = [];
    const original = vscode.notebooks.createNotebookController;
    Reflect.set(vscode.notebooks, "createNotebookController", (...given: Parameters<typeof original>) => {
      const created = original(...given);
      controllers.push(created);
      return created;
    });
    disposables.push(() => Reflect.set(vscode.notebooks, "createNotebookController", original));
    const notebook = await openNotebook("print('shown')");
    const labels = (): readonly string[] =>
      controllers.map(({ label }) => label).filter((label) => label.endsWith("(Following)"));
    await otherClient(notebook);
    await runAnd("Follow", notebook);
    await until("the kernel's name", () => labels().length === 1);
    const acting = vscode.commands.executeCommand("platformWorkbench.showKernelActions");
    await until("the kernel to be taken over", () => {
      void vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      return labels().length === 0;
    });
    await acting;
    await runAll(notebook);
    await until("the cell to end", () => isDone(notebook.cellAt(0)));
    assert.equal(textOf(notebook.cellAt(0)), "shown\n");
    assert.equal(answers.asked.length, 1);
  });
});

/** Another client runs the cell's code until the cell shows it: the window may not be connected to the kernel yet. */
async function otherRunShows(other: OtherClient, cell: vscode.NotebookCell, text: string): Promise<void> {
  for (let tries = 0; tries < 20 && !shows(cell, text); tries += 1) {
    assert.equal(await other.run(cell.document.getText()), text);
    for (let looks = 0; looks < 80 && !shows(cell, text); looks += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  await until("the other client's output", () => shows(cell, text));
}

function shows(cell: vscode.NotebookCell, text: string): boolean {
  return textOf(cell) === text && isDone(cell);
}

/** Closes all notebooks without saving them: what a cell put out last may still be on its way into them. */
async function closeNotebooks(): Promise<void> {
  for (const limit = Date.now() + 60_000; Date.now() < limit; ) {
    if (vscode.workspace.notebookDocuments.every(({ uri }) => uri.scheme !== scheme)) {
      return;
    }
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("The notebooks did not close.");
}

import assert from "node:assert/strict";
import { realpath, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import {
  isDone,
  openNotebook,
  openNotebookWith,
  ran,
  runAll,
  saveAfterRun,
  shownNotebook,
  kernelTenant as tenant,
  textOf,
} from "./kernel-notebooks.ts";
import {
  cellStatus,
  enter,
  type ShownMessage,
  select,
  statusItem,
  watchedBoxes,
  watchedMessages,
} from "./kernel-responses.ts";
import { exists, make, sessions, waitFor } from "./kernel-server.ts";
import { ask, onDisk } from "./outside.ts";
import { until } from "./time.ts";

const extension = "platform-workbench.platform-workbench";

describe("sessions of kernels", () => {
  let watched: ReturnType<typeof watchedMessages>;
  let typing: ReturnType<typeof watchedBoxes>;

  beforeEach(() => {
    watched = watchedMessages();
    typing = watchedBoxes();
  });
  afterEach(async () => {
    watched.restore();
    typing.restore();
    await ask(tenant, { type: "clearFaults" });
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const about = (text: RegExp): readonly ShownMessage[] => watched.messages.filter((one) => text.test(one.text));
  const message = (text: RegExp): Promise<ShownMessage> => until(`the message ${text}`, () => about(text)[0]);

  /** The box in which a cell asks for input. If the window is not active, a notification opens it. */
  function asked(index: number): Promise<vscode.InputBox> {
    return until(`the input box ${index + 1}`, () => {
      about(/is waiting for input/)
        .at(-1)
        ?.response("Enter Input");
      return typing.boxes[index];
    });
  }

  it("asks for input() and for a password, which the output does not show", async () => {
    const notebook = await openNotebook(
      "name = input('Your name: ')\nprint('Hello', name)",
      "import getpass\nword = getpass.getpass('Your password: ')\nprint(len(word))",
    );
    await runAll(notebook);
    const [first, second] = [notebook.cellAt(0), notebook.cellAt(1)];
    const name = await asked(0);
    assert.deepEqual([name.prompt, name.password, name.ignoreFocusOut], ["Your name: ", false, true]);
    await enter(name, "Ada", () => isDone(first));
    assert.equal(textOf(first), "Your name: Ada\nHello Ada\n");
    const word = await asked(1);
    assert.deepEqual([word.prompt, word.password], ["Your password: ", true]);
    await enter(word, "secret word", () => isDone(second));
    assert.equal(textOf(second), "Your password: ········\n11\n");
  });

  it("opens the cell from a notification, and a closed input box from the cell's status bar", async () => {
    const notebook = await openNotebook("1", `${waitFor("ask")}print('Hello', input('Your name: '))`);
    await vscode.commands.executeCommand("workbench.action.keepEditor");
    const cell = notebook.cellAt(1);
    await runAll(notebook);
    await vscode.commands.executeCommand("workbench.action.files.newUntitledFile");
    await until("another editor in front", () => vscode.window.activeNotebookEditor === undefined);
    await make("ask");
    const told = await message(/is waiting for input/);
    assert.match(told.text, /^Cell 2 of kernel \d+\.ipynb is waiting for input\.$/);
    assert.deepEqual(typing.boxes, []);
    told.response("Enter Input");
    const closed = await until("the box", () => typing.boxes[0]);
    const editor = vscode.window.activeNotebookEditor;
    assert.equal(editor?.notebook, notebook);
    assert.deepEqual(editor.selections, [new vscode.NotebookRange(1, 2)]);
    closed.hide();
    const item = await statusItem(cell, /Enter input…/);
    assert.equal(item.tooltip, "The cell is waiting for input: Your name: ");
    const again = await until("the box again", () => {
      if (typing.boxes.length === 1) {
        void select(item);
      }
      return typing.boxes[1];
    });
    await enter(again, "Ada", () => isDone(cell));
    assert.equal(textOf(cell), "Your name: Ada\nHello Ada\n");
    await until("the item to go", async () => !(await hasStatus(cell, /Enter input/)));
  });

  it("restarts on confirmation: running cells end with a message, and variables are cleared", async () => {
    const notebook = await openNotebook(
      "x = 5\nprint('began')\nimport time\ntime.sleep(600)",
      "print('x' in globals())",
    );
    await runAll(notebook);
    const [running, next] = [notebook.cellAt(0), notebook.cellAt(1)];
    await until("the cell to begin", () => textOf(running) === "began\n");
    const restarting = vscode.commands.executeCommand("platformWorkbench.restartKernel");
    const question = await message(/^Restart the kernel of kernel \d+\.ipynb\?$/);
    assert.equal(question.detail, "Its variables are lost, and running cells end.");
    question.response("Restart");
    await restarting;
    await until("the cell to end", () => isDone(running));
    assert.equal(running.executionSummary?.success, false);
    await statusItem(running, /The kernel ended before the cell finished\./);
    // A kernel that ends may complain on stderr about the request that it hasn't begun, which belongs to the next cell.
    assert.doesNotMatch(textOf(next), /True|False/);
    assert.equal(next.executionSummary?.executionOrder, undefined);
    const ranges = [{ start: 1, end: 2 }];
    await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: notebook.uri });
    await until("the next run", () => isDone(next));
    assert.equal(textOf(next), "False\n");
    assert.equal(next.executionSummary?.executionOrder, 1);
    // Users get no message about the end of a kernel that they requested.
    assert.deepEqual(about(/kernel/), [question]);
  });

  it("restarts and runs all cells; dismissing the question changes nothing", async () => {
    const notebook = await openNotebook("runs = globals().get('runs', 0) + 1\nprint(runs)", "runs * 10");
    await ran(notebook);
    await ran(notebook);
    await until("the second run", () => textOf(notebook.cellAt(1)) === "20" && notebook.getCells().every(isDone));
    const leaving = vscode.commands.executeCommand("platformWorkbench.restartKernelAndRunAll");
    (await message(/^Restart the kernel/)).response(undefined);
    await leaving;
    assert.equal(textOf(notebook.cellAt(0)), "2\n");
    const restarting = vscode.commands.executeCommand("platformWorkbench.restartKernelAndRunAll");
    const question = await until("the question again", () => about(/^Restart the kernel/)[1]);
    assert.equal(question.detail, "Its variables are lost.");
    question.response("Restart");
    await restarting;
    await until("the new run", () => textOf(notebook.cellAt(1)) === "10" && notebook.getCells().every(isDone));
    assert.equal(textOf(notebook.cellAt(0)), "1\n");
    assert.deepEqual(
      notebook.getCells().map(({ executionSummary }) => executionSummary?.executionOrder),
      [1, 2],
    );
  });

  it("saves the execution counts that cells show after each of several restarts", async () => {
    const notebook = await openNotebook("import time\nprint(time.time_ns())", "1", "print(time.time_ns())");
    await ran(notebook);
    const last = notebook.cellAt(2);
    for (let restarts = 0; restarts < 4; restarts += 1) {
      const before = textOf(last);
      const restarting = vscode.commands.executeCommand("platformWorkbench.restartKernelAndRunAll");
      (await until("the question", () => about(/^Restart the kernel/)[restarts])).response("Restart");
      await restarting;
      await until("the run", () => textOf(last) !== before && notebook.getCells().every(isDone));
      // Not saveAfterRun: the metadata may not have the counts yet.
      await notebook.save();
      const shown = notebook.getCells().map(({ executionSummary }) => executionSummary?.executionOrder);
      const { cells } = JSON.parse((await onDisk(tenant, notebook.uri.path.slice(1))).toString());
      const saved = cells.map((cell: { readonly execution_count: unknown }) => cell.execution_count);
      assert.deepEqual(saved, shown, `restart ${restarts}`);
      assert.deepEqual(shown, [1, 2, 3], `restart ${restarts}`);
    }
  });

  /** Closes the notebook's editor, and opens it again. No cell has run in the new document. */
  async function reopened(notebook: vscode.NotebookDocument): Promise<vscode.NotebookDocument> {
    await saveAfterRun(notebook);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("the notebook to close", () => notebook.isClosed);
    return shownNotebook(notebook.uri);
  }

  it("restarts the kernel of a reopened notebook, and runs all cells", async () => {
    const before = await openNotebook("runs = globals().get('runs', 0) + 1\nprint(runs)");
    await ran(before);
    const notebook = await reopened(before);
    const restarting = vscode.commands.executeCommand("platformWorkbench.restartKernelAndRunAll");
    const question = await message(/^Restart the kernel of kernel \d+\.ipynb\?$/);
    assert.equal(question.detail, "Its variables are lost.");
    question.response("Restart");
    await restarting;
    const cell = notebook.cellAt(0);
    await until(
      "the new run",
      () => cell.executionSummary?.executionOrder === 1 && isDone(cell),
      () => JSON.stringify([cell.executionSummary, textOf(cell), watched.messages.map(({ text }) => text)]),
    );
    assert.equal(textOf(cell), "1\n");
  });

  it("shuts down the kernel of a reopened notebook", async () => {
    const before = await openNotebook("1");
    await ran(before);
    const { uri } = await reopened(before);
    const shuttingDown = vscode.commands.executeCommand("platformWorkbench.shutDownKernel");
    (await message(/^Shut down the kernel of/)).response("Shut Down");
    await shuttingDown;
    let left: unknown;
    const hasEnded = async (): Promise<boolean> => {
      const all = await sessions();
      left = all;
      return all.every(({ path }) => path !== uri.path.slice(1));
    };
    await until("the session to end", hasEnded, () => JSON.stringify(left));
    await vscode.commands.executeCommand("platformWorkbench.shutDownKernel");
    await message(/has no running kernel\. To start one, run a cell\./);
  });

  async function renameWhileRunning(mark: string): Promise<void> {
    const notebook = await openNotebook(`print('before')\n${waitFor(mark)}print('after')`);
    await runAll(notebook);
    await until("the cell to begin", () => textOf(notebook.cellAt(0)) === "before\n");
    const oldPath = notebook.uri.path.slice(1);
    const newPath = oldPath.replace("kernel", "renamed");
    const before = (await sessions()).find(({ path }) => path === oldPath);
    assert.ok(before !== undefined);
    const edit = new vscode.WorkspaceEdit();
    const newUri = uriOf(tenant.tenantId, tenant.workspaceId, newPath);
    edit.renameFile(notebook.uri, newUri);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until("the session to be renamed", async () => (await sessions()).some(({ path }) => path === newPath));
    const after = await sessions();
    assert.deepEqual(
      after.filter(({ path }) => path === newPath).map(({ id, kernel }) => [id, kernel.id]),
      [[before.id, before.kernel.id]],
    );
    assert.ok(after.every(({ path }) => path !== oldPath));
    const renamed = await until("the notebook under its new name", () =>
      vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === newUri.toString()),
    );
    await make(mark);
    // Output that arrives before the recorder was read is added to what the cell shows. The recorder's output replaces
    // both.
    const isWhole = (): boolean => isDone(renamed.cellAt(0)) && textOf(renamed.cellAt(0)) === "before\nafter\n";
    await until("the cell to end with all of its output", isWhole);
    await saveAfterRun(renamed);
    assert.deepEqual(JSON.parse((await onDisk(tenant, newPath)).toString()).cells[0].outputs, [
      { name: "stdout", output_type: "stream", text: ["before\n", "after\n"] },
    ]);
    assert.equal(await exists(oldPath), false);
  }

  it("renames the session on the server with the notebook, and its cell continues", () =>
    renameWhileRunning("renamed"));

  it("also does so if the notebook opens under its new name before the session is renamed", async () => {
    const match = { method: "PATCH", path: `${tenant.contentPath}api/sessions` };
    await ask(tenant, { type: "fault", rule: { match, action: { kind: "latency", milliseconds: 2_000 } } });
    await renameWhileRunning("renamed-late");
  });

  it("asks once for a new token when it expires during a run, which continues without losing output", async () => {
    const steps = ["print('before')", waitFor("go"), "print('meanwhile', flush=True)", "open('gone', 'w')"];
    const notebook = await openNotebook([...steps, waitFor("end"), "print('after')"].join("\n"), "print('next')");
    await runAll(notebook);
    const [cell, next] = [notebook.cellAt(0), notebook.cellAt(1)];
    await until("the cell to begin", () => textOf(cell) === "before\n");
    await ask(tenant, {
      type: "fault",
      rule: {
        match: { path: tenant.contentPath },
        action: { kind: "response", status: 403, body: JSON.stringify({ message: "Forbidden", reason: null }) },
      },
    });
    await ask(tenant, { type: "cutWebSockets" });
    const told = await message(/^The notebook token for .* is no longer valid\. Running cells continue/);
    await statusItem(cell, /The notebook token is no longer valid/);
    await make("go");
    await until("the cell to go on", () => exists("gone"));
    told.response("Enter New Token");
    const box = await until("the box for the token", () => typing.boxes[0]);
    assert.equal(box.password, true);
    await ask(tenant, { type: "clearFaults" });
    await enter(box, tenant.secrets[1], () => textOf(cell).includes("meanwhile"));
    await make("end");
    await until("both cells to end", () => isDone(cell) && isDone(next));
    assert.equal(textOf(cell), "before\nmeanwhile\nafter\n");
    assert.equal(textOf(next), "next\n");
    assert.deepEqual(
      [cell, next].map(({ executionSummary }) => [executionSummary?.executionOrder, executionSummary?.success]),
      [
        [1, true],
        [2, true],
      ],
    );
    assert.deepEqual(
      about(/token/).map(({ text }) => text),
      [told.text],
    );
    assert.equal(typing.boxes.length, 1);
    assert.equal(await hasStatus(cell, /Output may be missing/), false);
  });

  /** Creates an untitled notebook as a user does, on the workspace's Python kernel. */
  async function untitled(source: string): Promise<vscode.NotebookDocument> {
    const before = vscode.window.activeNotebookEditor?.notebook;
    await vscode.commands.executeCommand("ipynb.newUntitledIpynb");
    const notebook = await until("an untitled notebook", () => {
      const shown = vscode.window.activeNotebookEditor?.notebook;
      return shown !== before && shown?.isUntitled === true && shown;
    });
    const id = `${tenant.workspaceId}.${tenant.tenantId}/python3`;
    await vscode.commands.executeCommand("notebook.selectKernel", { id, extension });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), source);
    assert.ok(await vscode.workspace.applyEdit(edit));
    return notebook;
  }

  it("runs untitled notebooks in the workspace's root; one that is saved keeps its kernel, and the other's ends", async () => {
    const madeUp = async () => (await sessions()).filter(({ path }) => /^Untitled-\d+-[0-9a-f]{8}\.ipynb$/.test(path));
    const other = await untitled("import os\nx = 'other'\nprint(os.getcwd())");
    await ran(other);
    const notebook = await untitled("x = 'saved'");
    await ran(notebook);
    assert.equal(textOf(other.cellAt(0)), `${await realpath(tenant.root)}\n`);
    assert.equal(new Set((await madeUp()).map(({ kernel }) => kernel.id)).size, 2);
    const { showInputBox } = vscode.window;
    await writeFile(`${tenant.root}/taken.ipynb`, "{}");
    const typed = ["taken", "kept untitled.ipynb"];
    const problems: unknown[] = [];
    const show = async ({ value, validateInput }: vscode.InputBoxOptions): Promise<string | undefined> => {
      problems.push(await validateInput?.(value ?? ""));
      return typed.shift();
    };
    Reflect.set(vscode.window, "showInputBox", show);
    try {
      await vscode.commands.executeCommand("platformWorkbench.saveToWorkspace");
    } finally {
      Reflect.set(vscode.window, "showInputBox", showInputBox);
    }
    assert.deepEqual(problems, [undefined, "taken.ipynb already exists. Enter another name."]);
    assert.equal(notebook.isClosed, true);
    const saved = await until("the saved notebook", () => {
      const shown = vscode.window.activeNotebookEditor?.notebook;
      return shown?.uri.path === "/kept untitled.ipynb" && shown;
    });
    assert.equal(saved.isDirty, false);
    assert.equal(saved.cellAt(0).executionSummary?.executionOrder, 1);
    assert.equal((await sessions()).filter(({ path }) => path === "kept untitled.ipynb").length, 1);
    const edit = new vscode.WorkspaceEdit();
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "print(x)", "python");
    edit.set(saved.uri, [vscode.NotebookEdit.insertCells(1, [added])]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until("the kernel to be selected", async () => (await madeUp()).length === 1);
    const ranges = [{ start: 1, end: 2 }];
    await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: saved.uri });
    await until("the run", () => isDone(saved.cellAt(1)));
    assert.equal(textOf(saved.cellAt(1)), "saved\n");
    assert.ok(await saved.save());
    await vscode.window.showNotebookDocument(other);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await until("the other kernel to end", async () => (await madeUp()).length === 0);
    assert.deepEqual(about(/kernel/), []);
  });

  it("runs a kernel of another language, and writes it to the notebook", async () => {
    const kernelspec = { name: "bash", display_name: "Bash", language: "bash" };
    const notebook = await openNotebookWith(
      { kernelspec },
      'greeting=hello\necho "$greeting"',
      'echo "$greeting again"; ls nowhere',
    );
    await runAll(notebook);
    await until("the cells to end", () => notebook.getCells().every(isDone));
    assert.equal(textOf(notebook.cellAt(0)), "hello\n");
    assert.match(textOf(notebook.cellAt(1)), /^hello again\n.*nowhere/s);
    assert.deepEqual(
      notebook.getCells().map(({ executionSummary }) => executionSummary?.executionOrder),
      [1, 2],
    );
    await saveAfterRun(notebook);
    const { metadata } = JSON.parse((await onDisk(tenant, notebook.uri.path.slice(1))).toString());
    assert.equal(metadata.kernelspec.name, "bash");
    assert.equal(metadata.language_info.name, "bash");
  });
});

async function hasStatus(cell: vscode.NotebookCell, text: RegExp): Promise<boolean> {
  return (await cellStatus(cell)).some((item) => text.test(item.text));
}

import assert from "node:assert/strict";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { untilInterrupted } from "../harness/until-interrupted.ts";
import {
  executionTimes,
  isDone,
  openNotebook,
  ran,
  runAll,
  saveAfterRun,
  shownNotebook,
  kernelTenant as tenant,
  textOf,
} from "./kernel-notebooks.ts";
import { statusItem } from "./kernel-responses.ts";
import { make, waitFor } from "./kernel-server.ts";
import { onDisk } from "./outside.ts";
import { until } from "./time.ts";

describe("running notebooks on a kernel", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("shows output, results, and order", async () => {
    const notebook = await openNotebook("print('one')\nprint('two')", "6 * 7");
    await ran(notebook);
    assert.equal(textOf(notebook.cellAt(0)), "one\ntwo\n");
    assert.equal(textOf(notebook.cellAt(1)), "42");
    assert.deepEqual(
      notebook.getCells().map(({ executionSummary }) => [executionSummary?.executionOrder, executionSummary?.success]),
      [
        [1, true],
        [2, true],
      ],
    );
  });

  it("shows an error with its traceback, and doesn't run the cells after it", async () => {
    const notebook = await openNotebook("1 / 0", "print('not run')");
    await runAll(notebook);
    await until("the first cell to fail", () => isDone(notebook.cellAt(0)));
    assert.equal(notebook.cellAt(0).executionSummary?.success, false);
    const [output] = notebook.cellAt(0).outputs;
    const item = output?.items[0];
    assert.equal(item?.mime, "application/vnd.code.notebook.error");
    const error: { readonly name: string; readonly message: string; readonly stack: string } = JSON.parse(
      new TextDecoder().decode(item.data),
    );
    assert.deepEqual([error.name, error.message], ["ZeroDivisionError", "division by zero"]);
    assert.match(error.stack, /ZeroDivisionError/);
    assert.deepEqual(notebook.cellAt(1).outputs, []);
    assert.equal(notebook.cellAt(1).executionSummary?.success, undefined);
  });

  it("runs the cells after an error in a cell that is tagged raises-exception", async () => {
    const notebook = await openNotebook("raise ValueError('expected')", "print('after')");
    const [first] = notebook.getCells();
    assert.ok(first !== undefined);
    const edit = new vscode.WorkspaceEdit();
    const metadata = { ...first.metadata, metadata: { tags: ["raises-exception"] } };
    edit.set(notebook.uri, [vscode.NotebookEdit.updateCellMetadata(0, metadata)]);
    await vscode.workspace.applyEdit(edit);
    await ran(notebook);
    assert.deepEqual(
      notebook.getCells().map(({ executionSummary }) => executionSummary?.success),
      [false, true],
    );
    assert.equal(textOf(notebook.cellAt(1)), "after\n");
  });

  it("saves the state of widgets on demand", async () => {
    const notebook = await openNotebook("import ipywidgets\nslider = ipywidgets.IntSlider(value=7)\nslider");
    await ran(notebook);
    await vscode.commands.executeCommand("platformWorkbench.saveWidgetState");
    const saved = JSON.parse((await onDisk(tenant, notebook.uri.path.slice(1))).toString());
    const { state } = saved.metadata.widgets["application/vnd.jupyter.widget-state+json"];
    const sliders = Object.values(state).filter(
      (model) => Reflect.get(Object(model), "model_name") === "IntSliderModel",
    );
    assert.deepEqual(
      sliders.map((model) => Reflect.get(Object(model), "state").value),
      [7],
    );
  });

  it("shows a progress bar's updates in one line, and clears on the next output", async () => {
    const notebook = await openNotebook(
      "import time\nfor n in range(2000):\n    print(f'\\r{n}', end='')",
      "from IPython.display import clear_output\nprint('old')\nclear_output(wait=True)\nprint('new')",
    );
    await ran(notebook);
    assert.equal(textOf(notebook.cellAt(0)), "1999");
    assert.equal(textOf(notebook.cellAt(1)), "new\n");
  });

  it("updates a display in another cell, and shows late output of a thread in its own cell", async () => {
    const notebook = await openNotebook(
      "from IPython.display import display\nshown = display('before', display_id=True)",
      [
        "import contextvars, threading, time",
        "def late():",
        "    time.sleep(0.5)",
        "    print('late')",
        "threading.Thread(target=contextvars.copy_context().run, args=(late,)).start()",
      ].join("\n"),
      "shown.update('after')",
    );
    await ran(notebook);
    await until("the update", () => textOf(notebook.cellAt(0)) === "'after'");
    await until("the late output", () => textOf(notebook.cellAt(1)) === "late\n");
    await until("the cell to be as it was", () => notebook.cellAt(1).executionSummary?.success === true);
    assert.equal(notebook.cellAt(1).executionSummary?.executionOrder, 2);
  });

  it("interrupts a running cell, and drops queued ones", async () => {
    const notebook = await openNotebook(`print('began')\n${untilInterrupted}`, "print('not run')");
    await runAll(notebook);
    await until("the cell to begin", () => textOf(notebook.cellAt(0)).startsWith("began"));
    await vscode.commands.executeCommand("notebook.cancelExecution", {
      ranges: [{ start: 0, end: 2 }],
      document: notebook.uri,
    });
    await until("the interrupt", () => isDone(notebook.cellAt(0)));
    assert.match(textOf(notebook.cellAt(0)), /KeyboardInterrupt/);
    assert.deepEqual(notebook.cellAt(1).outputs, []);
  });

  it("runs in the notebook's folder, and keeps variables for later runs", async () => {
    const notebook = await openNotebook("import os\nx = 5\nprint(os.path.realpath(os.getcwd()))");
    await ran(notebook);
    assert.equal(textOf(notebook.cellAt(0)).trim(), await realpath(tenant.root));
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, [
      vscode.NotebookEdit.insertCells(1, [
        new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "x + 1", "python"),
      ]),
    ]);
    await vscode.workspace.applyEdit(edit);
    await vscode.commands.executeCommand("notebook.cell.execute", {
      ranges: [{ start: 1, end: 2 }],
      document: notebook.uri,
    });
    await until("the second run", () => isDone(notebook.cellAt(1)));
    assert.equal(textOf(notebook.cellAt(1)), "6");
  });

  it("shows the output of a cell that ran while its notebook was closed", async () => {
    await closeAndReopenWhileItRuns();
  });

  it("also shows it if another notebook of the workspace stayed open", async () => {
    const other = await openNotebook("1");
    await vscode.commands.executeCommand("workbench.action.keepEditor");
    await closeAndReopenWhileItRuns();
    assert.ok(!other.isClosed);
  });

  it("shows output once after a notebook was reopened, even if the recorder doesn't have the beginning of its cells", async () => {
    // As if the recorder had been installed while the cells ran.
    const forget = [
      "import sys",
      "parts = sys.modules['_platform_workbench_recorder'].read.__closure__",
      "ring = next(part.cell_contents for part in parts if type(part.cell_contents).__name__ == 'deque')",
      "beginnings = [b'execute_input', b'\"status\"']",
      "kept = [entry for entry in ring if not any(kind in entry[3][0] for kind in beginnings)]",
      "ring.clear()",
      "ring.extend(kept)",
    ].join("\n");
    const running = `print('before')\n${forget}\n${waitFor("continued")}\nprint('after')`;
    const first = await openNotebook("print('first')\n7", running);
    await runAll(first);
    await until("the output before", () => textOf(first.cellAt(1)) === "before\n");
    await saveAfterRun(first, first.cellAt(1));
    await until("the notebook to be active", () => vscode.window.activeNotebookEditor?.notebook === first);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await until("the notebook to be closed", () => first.isClosed);
    const again = await shownNotebook(first.uri);
    await statusItem(again.cellAt(1), /missing/);
    await make("continued");
    await until("the cell to end", () => isDone(again.cellAt(1)));
    assert.deepEqual(again.getCells().map(textOf), ["first\n|7", "before\n|after\n"]);
  });

  it("saves outputs, counts, the kernel, and the language like Jupyter, and times if the settings say so", async () => {
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels");
    const notebook = await openNotebook("print('saved')\n7");
    await settings.update("recordTimes", true, vscode.ConfigurationTarget.Global);
    try {
      await ran(notebook);
    } finally {
      await settings.update("recordTimes", undefined, vscode.ConfigurationTarget.Global);
    }
    assert.ok(executionTimes(notebook.cellAt(0)) !== undefined);
    await saveAfterRun(notebook);
    const saved = JSON.parse((await onDisk(tenant, notebook.uri.path.slice(1))).toString());
    assert.equal(saved.metadata.kernelspec.name, "python3");
    assert.equal(saved.metadata.language_info.name, "python");
    const [cell] = saved.cells;
    assert.equal(cell.execution_count, 1);
    assert.deepEqual(cell.outputs, [
      { name: "stdout", output_type: "stream", text: ["saved\n"] },
      { data: { "text/plain": ["7"] }, execution_count: 1, metadata: {}, output_type: "execute_result" },
    ]);
    assert.deepEqual(Object.keys(cell.metadata.execution).toSorted(), [
      "iopub.execute_input",
      "iopub.status.busy",
      "iopub.status.idle",
      "shell.execute_reply",
    ]);
    // Otherwise, a comparison would show changed metadata for each cell that was run, and old times would be wrong.
    await runAll(notebook);
    await until("the second run", () => notebook.cellAt(0).executionSummary?.executionOrder === 2);
    await saveAfterRun(notebook);
    const again = JSON.parse((await onDisk(tenant, notebook.uri.path.slice(1))).toString());
    assert.deepEqual([again.cells[0].execution_count, again.cells[0].metadata], [2, {}]);
  });

  it("shows the beginning and the end of very long output, and saves all of it", async () => {
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels");
    await settings.update("outputLimit", 0.05, vscode.ConfigurationTarget.Global);
    try {
      const notebook = await openNotebook("for n in range(100_000):\n    print('line', n)");
      await ran(notebook);
      const text = textOf(notebook.cellAt(0));
      assert.ok(text.startsWith("line 0\n") && text.endsWith("line 99999\n"));
      assert.match(text, /… [\d,.]+ characters of output aren't shown here …/);
      assert.ok(text.length < 200_000);
      await vscode.commands.executeCommand("platformWorkbench.openFullOutput", notebook.cellAt(0));
      const full = vscode.window.activeTextEditor?.document;
      assert.equal(full?.lineCount, 100_001);
      assert.equal(full?.lineAt(50_000).text, "line 50000");
    } finally {
      await settings.update("outputLimit", undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

async function closeAndReopenWhileItRuns(): Promise<void> {
  const first = await openNotebook(
    "import time\nfor n in range(8):\n    print('tick', n)\n    time.sleep(1)\nprint('done')",
  );
  await runAll(first);
  await until("the cell to begin", () => textOf(first.cellAt(0)).includes("tick 1"));
  await until("the notebook to be active", () => vscode.window.activeNotebookEditor?.notebook === first);
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  await until("the notebook to be closed", () => first.isClosed);
  const again = await shownNotebook(first.uri);
  await until("all output", () => textOf(again.cellAt(0)).endsWith("done\n"));
  const ticks = Array.from({ length: 8 }, (_, tick) => `tick ${tick}\n`).join("");
  assert.equal(textOf(again.cellAt(0)), `${ticks}done\n`);
  await until("the cell to end", () => isDone(again.cellAt(0)));
  assert.equal(again.cellAt(0).executionSummary?.executionOrder, 1);
}

describe("a terminal of a workspace", () => {
  it("starts in the folder of the menu, and displays much output as fast as the editor can", async () => {
    await mkdir(`${tenant.root}/terminal folder`, { recursive: true });
    const before = new Set(vscode.window.terminals);
    const folder = uriOf(tenant.tenantId, tenant.workspaceId, "terminal folder");
    await vscode.commands.executeCommand("platformWorkbench.openTerminalInFolder", folder);
    const terminal = vscode.window.terminals.find((candidate) => !before.has(candidate));
    assert.ok(terminal !== undefined && "pty" in terminal.creationOptions);
    assert.ok(terminal.name.startsWith(tenant.workspaceName), terminal.name);
    const { pty } = terminal.creationOptions;
    let output = "";
    const listener = pty.onDidWrite((text) => {
      output += text;
    });
    const responses: string[] = [];
    const [question, response] = [/\p{Cc}\[\?73\d\d\$p/gu, /\p{Cc}\[\?73\d\d;0\$y/gu];
    const handleInput = pty.handleInput?.bind(pty);
    pty.handleInput = (data) => {
      responses.push(...(data.match(response) ?? []));
      handleInput?.(data);
    };
    try {
      terminal.sendText("pwd; seq 1 200000; echo do''ne");
      const seen = (): string => JSON.stringify(output.slice(-1000));
      await until("all output", () => output.includes("done\r\n"), seen);
      assert.ok(output.includes(`${await realpath(tenant.root)}/terminal folder\r\n`), output.slice(0, 1000));
      const shown = output.replace(question, "");
      assert.ok(shown.includes(Array.from({ length: 200_000 }, (_, index) => `${index + 1}\r\n`).join("")));
      // The editor's own terminal has answered each question about what it has displayed.
      const questions = output.match(question)?.length ?? 0;
      assert.ok(questions > 10, String(questions));
      await until(
        "the editor to respond",
        () => responses.length === questions,
        () => `${responses.length} of ${questions}`,
      );
      terminal.sendText("exit");
      await until("the terminal to close", () => !vscode.window.terminals.includes(terminal));
    } finally {
      listener.dispose();
      terminal.dispose();
    }
  });

  it("completes and describes a name of a script and of a notebook, and opens the source of a library", async () => {
    await writeFile(`${tenant.root}/language.py`, "import json\njson.du\n");
    const uri = uriOf(tenant.tenantId, tenant.workspaceId, "language.py");
    await vscode.window.showTextDocument(uri);
    try {
      const item = await until("the completion", async () => {
        const list = await vscode.commands.executeCommand<vscode.CompletionList>(
          "vscode.executeCompletionItemProvider",
          uri,
          new vscode.Position(1, 7),
          undefined,
          100,
        );
        return list.items.find(({ label }) => label === "dumps");
      });
      assert.equal(item.kind, vscode.CompletionItemKind.Function);
      const { documentation } = item;
      assert.ok(documentation instanceof vscode.MarkdownString);
      assert.match(documentation.value, /dumps\(obj[\s\S]*Serialize/);

      const cells = ["import json", "json.du"].map((source) => ({
        cell_type: "code",
        metadata: {},
        outputs: [],
        source,
      }));
      const text = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 });
      await writeFile(`${tenant.root}/language.ipynb`, text);
      const notebook = await vscode.workspace.openNotebookDocument(
        uriOf(tenant.tenantId, tenant.workspaceId, "language.ipynb"),
      );
      const inCell = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        notebook.cellAt(1).document.uri,
        new vscode.Position(0, 7),
      );
      assert.ok(inCell.items.some(({ label }) => label === "dumps"));

      const [definition] = await vscode.commands.executeCommand<vscode.Location[]>(
        "vscode.executeDefinitionProvider",
        uri,
        new vscode.Position(1, 2),
      );
      assert.equal(definition?.uri.scheme, "platform-library");
      const source = await vscode.workspace.openTextDocument(definition.uri);
      assert.equal(source.languageId, "python");
      assert.match(source.getText(), /^def dumps\(/m);
    } finally {
      await vscode.commands.executeCommand("platformWorkbench.endCompanion", {
        tenantId: tenant.tenantId,
        workspaceId: tenant.workspaceId,
      });
    }
  });
});

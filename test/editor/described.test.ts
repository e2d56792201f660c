import assert from "node:assert/strict";
import { access, mkdir, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { ask, onDisk, requestsOf, tenantNamed } from "./outside.ts";
import { inNoTime, pass, until } from "./time.ts";

const digits = '"big":9007199254740993,"one":1.0';

function book(source: string): string {
  const cell = { cell_type: "code", id: "a1", metadata: {}, execution_count: null, source, outputs: [] };
  return `{"cells":[${JSON.stringify(cell)}],"metadata":{${digits}},"nbformat":4,"nbformat_minor":5}`;
}

describe("a platform that implements only the API description, and the requests of each action", () => {
  const tenant = tenantNamed("described");
  const at = (path: string): vscode.Uri => uriOf(tenant.tenantId, tenant.workspaceId, `described/${path}`);
  const place = (path: string): string => `${tenant.root}/described/${path}`;
  const { fs } = vscode.workspace;

  /** The requests of an action, without the watcher's requests for the folder, which has no ETag here. */
  async function counted(work: () => PromiseLike<unknown>): Promise<readonly string[]> {
    const requests = await inNoTime(async () => {
      await ask(tenant, { type: "quiet", milliseconds: 500 });
      await ask(tenant, { type: "reset" });
      await work();
      await ask(tenant, { type: "quiet", milliseconds: 700 });
      return requestsOf(tenant);
    });
    return requests
      .filter((request) => request !== "GET contents/described 200")
      .map((request) => request.replace("contents/described/", ""));
  }

  async function typed(uri: vscode.Uri, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), text);
    await vscode.workspace.applyEdit(edit);
  }

  async function withCell(notebook: vscode.NotebookDocument, source: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, source, "python");
    edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(notebook.cellCount, [cell])]);
    await vscode.workspace.applyEdit(edit);
  }

  before(async () => {
    await mkdir(place(""), { recursive: true });
    for (const name of ["text.txt", "conflict.txt", "copied.txt"]) await writeFile(place(name), "one\n");
    for (const name of ["book.ipynb", "conflict.ipynb", "copied.ipynb"]) await writeFile(place(name), book("1 + 1"));
    // The address of the content server is requested once, and the list of kernels with the first notebook.
    await fs.readDirectory(at(""));
    await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(at("copied.ipynb")));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("notifications.clearAll");
  });

  it("expanding a folder and every stat of its children: 1", async () => {
    await ask(tenant, { type: "quiet", milliseconds: 500 });
    // Longer than a listing is cached, also while a window opens.
    pass(20_000);
    await inNoTime(async () => {
      await ask(tenant, { type: "reset" });
      const entries = await fs.readDirectory(at(""));
      assert.equal(entries.length, 6);
      for (const [name] of entries) await fs.stat(at(name));
      assert.deepEqual(await requestsOf(tenant), ["GET contents/described 200"]);
    });
  });

  it("opening a text file: 1; saving it: 2", async () => {
    let document: vscode.TextDocument | undefined;
    const opening = await counted(async () => {
      document = await vscode.workspace.openTextDocument(at("text.txt"));
      await vscode.window.showTextDocument(document, { preview: false });
    });
    assert.deepEqual(opening, ["GET text.txt 200"]);
    await typed(at("text.txt"), "zero\n");
    pass(1_500);
    const saving = await counted(async () => assert.equal(await document?.save(), true));
    assert.deepEqual(saving, ["GET text.txt 200", "PUT text.txt 200"]);
    assert.equal((await onDisk(tenant, "described/text.txt")).toString(), "zero\none\n");
  });

  it("opening a notebook: 1; saving it: 2; the digits of its metadata are preserved", async () => {
    const text = Buffer.from(await fs.readFile(at("book.ipynb"))).toString();
    assert.equal(text.includes(digits), true, text);
    let notebook: vscode.NotebookDocument | undefined;
    const opening = await counted(async () => {
      notebook = await vscode.workspace.openNotebookDocument(at("book.ipynb"));
      await vscode.window.showNotebookDocument(notebook, { preview: false });
    });
    assert.deepEqual(opening, ["GET book.ipynb 200"]);
    assert.ok(notebook !== undefined);
    assert.equal(notebook.cellAt(0).document.getText(), "1 + 1");
    await withCell(notebook, "2 + 2");
    pass(1_500);
    const saving = await counted(async () => assert.equal(await notebook?.save(), true));
    assert.deepEqual(saving, ["GET book.ipynb 200", "PUT book.ipynb 200"]);
    assert.match((await onDisk(tenant, "described/book.ipynb")).toString(), /2 \+ 2/);
  });

  it("a change on the server blocks the save of a file and a notebook, and is not overwritten", async () => {
    const document = await vscode.workspace.openTextDocument(at("conflict.txt"));
    await vscode.window.showTextDocument(document, { preview: false });
    await typed(document.uri, "#");
    await writeFile(place("conflict.txt"), "theirs, and longer\n");
    pass(1_300);
    assert.equal(await document.save(), false);
    assert.equal(document.isDirty, true);
    assert.equal((await onDisk(tenant, "described/conflict.txt")).toString(), "theirs, and longer\n");
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await until("the reverted text", () => document.getText() === "theirs, and longer\n");

    const notebook = await vscode.workspace.openNotebookDocument(at("conflict.ipynb"));
    await vscode.window.showNotebookDocument(notebook, { preview: false });
    await withCell(notebook, "mine");
    await writeFile(place("conflict.ipynb"), book("theirs and longer"));
    pass(1_300);
    assert.equal(await notebook.save(), false);
    assert.match((await onDisk(tenant, "described/conflict.ipynb")).toString(), /theirs and longer/);
    assert.equal(notebook.cellCount, 2);
  });

  it("creating a file with content: 3; a folder: 2; copying: 4, after 1 that the server rejects; renaming and deleting: 1", async () => {
    await fs.readDirectory(at(""));
    const methods = async (work: () => PromiseLike<unknown>): Promise<string> =>
      (await counted(work)).map((request) => request.split(" ")[0]).join(" ");
    assert.equal(await methods(() => fs.writeFile(at("new.py"), Buffer.from("x = 1\n"))), "POST PATCH PUT");
    assert.equal(await methods(() => fs.createDirectory(at("folder"))), "POST PATCH");
    assert.equal(await methods(() => fs.copy(at("copied.txt"), at("copy.txt"))), "POST GET POST PATCH PUT");
    assert.equal(await methods(() => fs.copy(at("copied.ipynb"), at("copy.ipynb"))), "GET POST PATCH PUT");
    assert.equal((await onDisk(tenant, "described/copy.txt")).toString(), "one\n");
    const copy = (await onDisk(tenant, "described/copy.ipynb")).toString();
    assert.match(copy, /1 \+ 1/);
    assert.match(copy, /9007199254740993/);
    assert.equal(await methods(() => fs.rename(at("new.py"), at("renamed.py"))), "PATCH");
    assert.equal(await methods(() => fs.delete(at("renamed.py"), { recursive: true })), "DELETE");
    await assert.rejects(access(place("renamed.py")), { code: "ENOENT" });
  });
});

import assert from "node:assert/strict";
import { utimes, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { serverVersionOf } from "../../src/file-system/merge/server-version.ts";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { fileTenants, onDisk } from "./outside.ts";
import { pass, until } from "./time.ts";

for (const tenant of fileTenants) {
  describe(`11. conflicts on tenant ${tenant.tenantId}`, () => {
    const at = (name: string): vscode.Uri => uriOf(tenant.tenantId, tenant.workspaceId, `conflicts/${name}`);
    const path = (name: string): string => `${tenant.root}/conflicts/${name}`;

    before(() => vscode.workspace.fs.createDirectory(uriOf(tenant.tenantId, tenant.workspaceId, "conflicts")));
    afterEach(async () => {
      await vscode.commands.executeCommand("workbench.action.files.revert");
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.commands.executeCommand("notifications.clearAll");
    });

    async function edited(name: string, text: string): Promise<vscode.TextDocument> {
      await writeFile(path(name), text);
      const document = await vscode.workspace.openTextDocument(at(name));
      await vscode.window.showTextDocument(document, { preview: false });
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), "#");
      await vscode.workspace.applyEdit(edit);
      return document;
    }

    const theirs: Readonly<Record<string, (name: string) => Promise<void>>> = {
      "with another size": (name) => writeFile(path(name), "theirs, and longer\n"),
      "of the same size": (name) => writeFile(path(name), "theirs\n"),
      "of the same size within the same moment": async (name) => {
        const moment = new Date("2026-03-01T12:00:00Z");
        await writeFile(path(name), "theirs\n");
        await utimes(path(name), moment, moment);
      },
    };
    for (const [what, change] of Object.entries(theirs)) {
      for (const wait of [0, 1_300]) {
        it(`a change ${what}, ${wait} ms after the edit, stops the save; nothing is overwritten`, async () => {
          const name = `${what.replace(/\W+/g, "-")}-${wait}.txt`;
          await writeFile(path(name), "ours!!\n");
          const moment = new Date("2026-03-01T12:00:00Z");
          await utimes(path(name), moment, moment);
          const document = await vscode.workspace.openTextDocument(at(name));
          await vscode.window.showTextDocument(document, { preview: false });
          const edit = new vscode.WorkspaceEdit();
          edit.insert(document.uri, new vscode.Position(0, 0), "#");
          await vscode.workspace.applyEdit(edit);
          await change(name);
          pass(wait);
          assert.equal(await document.save(), false);
          assert.equal(document.isDirty, true);
          const kept = (await onDisk(tenant, `conflicts/${name}`)).toString();
          assert.match(kept, /^theirs/);
          assert.equal(document.getText(), "#ours!!\n");
          await vscode.commands.executeCommand("workbench.action.files.revert");
          await until("the server's version in the editor", () => document.getText() === kept && !document.isDirty);
          const again = new vscode.WorkspaceEdit();
          again.insert(document.uri, new vscode.Position(0, 0), "+");
          await vscode.workspace.applyEdit(again);
          pass(1_300);
          assert.equal(await document.save(), true, "after Accept Server the next save goes through");
          assert.equal((await onDisk(tenant, `conflicts/${name}`)).toString(), `+${kept}`);
        });
      }
    }

    it("comparing does not make the next save overwrite", async () => {
      const document = await edited("compared.txt", "ours!!\n");
      await writeFile(path("compared.txt"), "theirs\n");
      pass(1_300);
      assert.equal(await document.save(), false);
      // What the editor's Compare does: it reads the file while the editor holds unsaved changes.
      await vscode.workspace.fs.readFile(document.uri);
      pass(6_000);
      assert.equal(await document.save(), false);
      assert.equal((await onDisk(tenant, "conflicts/compared.txt")).toString(), "theirs\n");
    });

    it("the server's version opens beside the editor's, read-only, and is not taken for what is edited", async () => {
      const document = await edited("beside.txt", "ours!!\n");
      await writeFile(path("beside.txt"), "theirs\n");
      const beside = serverVersionOf(document.uri);
      await vscode.commands.executeCommand("vscode.diff", beside, document.uri, "beside.txt: Server ↔ Yours");
      const theirs = await vscode.workspace.openTextDocument(beside);
      assert.equal(theirs.getText(), "theirs\n");
      assert.equal(document.getText(), "#ours!!\n");
      await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(beside, Buffer.from("x"))));
      pass(1_300);
      assert.equal(await document.save(), false);
      assert.equal((await onDisk(tenant, "conflicts/beside.txt")).toString(), "theirs\n");
      await vscode.window.showTextDocument(document);
    });

    it("a save without a change on the server in between is no conflict, however often", async () => {
      const document = await edited("plain.txt", "one\n");
      for (let round = 0; round < 4; round += 1) {
        assert.equal(await document.save(), true);
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), `${round}`);
        await vscode.workspace.applyEdit(edit);
      }
      pass(1_300);
      assert.equal(await document.save(), true);
      assert.equal((await onDisk(tenant, "conflicts/plain.txt")).toString(), "3210#one\n");
    });

    it("a notebook changed on the server stops its save", async () => {
      const book = (source: string): string =>
        JSON.stringify({
          cells: [{ cell_type: "code", id: "a1", metadata: {}, execution_count: null, source, outputs: [] }],
          metadata: { kernelspec: { name: "python3", display_name: "Python 3" } },
          nbformat: 4,
          nbformat_minor: 5,
        });
      await writeFile(path("book.ipynb"), book("one"));
      const notebook = await vscode.workspace.openNotebookDocument(at("book.ipynb"));
      await vscode.window.showNotebookDocument(notebook);
      const edit = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "mine", "python");
      edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(1, [cell])]);
      await vscode.workspace.applyEdit(edit);
      await writeFile(path("book.ipynb"), book("two"));
      pass(1_300);
      assert.equal(await notebook.save(), false);
      assert.match((await onDisk(tenant, "conflicts/book.ipynb")).toString(), /two/);
      assert.equal(notebook.cellCount, 2);
    });
  });
}

import assert from "node:assert/strict";
import { utimes, writeFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import * as vscode from "vscode";
import { serverVersionOf } from "../../src/file-system/merge/server-version.ts";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { notebookText } from "./notebook-text.ts";
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
        it(`a change ${what}, ${wait} ms after the edit, blocks the save and is not overwritten`, async () => {
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

    it("a comparison doesn't make the next save overwrite", async () => {
      const document = await edited("compared.txt", "ours!!\n");
      await writeFile(path("compared.txt"), "theirs\n");
      pass(1_300);
      assert.equal(await document.save(), false);
      // Does what the editor's Compare does: it reads the file while the editor has unsaved changes.
      await vscode.workspace.fs.readFile(document.uri);
      pass(6_000);
      assert.equal(await document.save(), false);
      assert.equal((await onDisk(tenant, "conflicts/compared.txt")).toString(), "theirs\n");
    });

    it("opens the server's version read-only next to the editor's, without changing the base version", async () => {
      const document = await edited("beside.txt", "ours!!\n");
      await writeFile(path("beside.txt"), "theirs\n");
      const beside = serverVersionOf(document.uri);
      await vscode.commands.executeCommand("vscode.diff", beside, document.uri, "beside.txt: Server ↔ Yours");
      const theirs = await vscode.workspace.openTextDocument(beside);
      assert.equal(theirs.getText(), "theirs\n");
      assert.equal(document.getText(), "#ours!!\n");
      const writing = Promise.resolve(vscode.workspace.fs.writeFile(beside, Buffer.from("x")));
      await assert.rejects(writing, { code: "NoPermissions" });
      pass(1_300);
      assert.equal(await document.save(), false);
      assert.equal((await onDisk(tenant, "conflicts/beside.txt")).toString(), "theirs\n");
      await vscode.window.showTextDocument(document);
    });

    it("reports no conflict for repeated saves without a change on the server", async () => {
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

    it("a merge with the same content changes and opens nothing, and the save succeeds", async () => {
      const document = await edited("same.txt", "ours!!\n");
      const later = new Date(Date.now() + 60_000);
      await utimes(path("same.txt"), later, later);
      await vscode.commands.executeCommand("platformWorkbench.mergeWithServer", document.uri);
      assert.equal(document.getText(), "#ours!!\n");
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      assert.deepEqual(
        tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff).map(({ label }) => label),
        [],
      );
      pass(1_300);
      assert.equal(await document.save(), true);
      assert.equal((await onDisk(tenant, "conflicts/same.txt")).toString(), "#ours!!\n");
    });

    // It has nothing to do with the server, and a comparison of this length takes the editor seconds.
    if (tenant.tenantId === "embedded") {
      it("merges two files of 100,000 lines, and prints how long the extension host is blocked", async () => {
        const lines = Array.from({ length: 100_000 }, (_, line) => `row ${line}, ${line % 20}\n`);
        const oursAt = (line: number): boolean => line % 1_000 === 0;
        const theirsAt = (line: number): boolean => line % 1_000 === 500;
        await writeFile(path("long.csv"), lines.join(""));
        const document = await vscode.workspace.openTextDocument(at("long.csv"));
        const shown = await vscode.window.showTextDocument(document, { preview: false });
        await shown.edit((edit) => {
          for (let line = 0; line < lines.length; line += 1) {
            if (oursAt(line)) edit.replace(document.lineAt(line).range, `ours ${line}`);
          }
        });
        const theirs = lines.map((line, at) => (theirsAt(at) ? `theirs ${at}\n` : line));
        await writeFile(path("long.csv"), theirs.join(""));
        const merged = theirs.map((line, at) => (oursAt(at) ? `ours ${at}\n` : line)).join("");
        const delay = monitorEventLoopDelay({ resolution: 5 });
        delay.enable();
        const started = performance.now();
        await vscode.commands.executeCommand("platformWorkbench.mergeWithServer", document.uri);
        const took = performance.now() - started;
        delay.disable();
        console.log(
          `      ${Math.round(took)} ms, longest block of the extension host ${Math.round(delay.max / 1e6)} ms`,
        );
        assert.equal(document.getText(), merged);
        assert.equal(document.isDirty, true);
      });
    }

    async function editedNotebookText(name: string): Promise<vscode.NotebookDocument> {
      await writeFile(path(name), notebookText("one"));
      const notebook = await vscode.workspace.openNotebookDocument(at(name));
      await vscode.window.showNotebookDocument(notebook);
      const edit = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "mine", "python");
      edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(1, [cell])]);
      await vscode.workspace.applyEdit(edit);
      return notebook;
    }

    it("a change on the server blocks the save of a notebook", async () => {
      const notebook = await editedNotebookText("book.ipynb");
      await writeFile(path("book.ipynb"), notebookText("two"));
      pass(1_300);
      assert.equal(await notebook.save(), false);
      assert.match((await onDisk(tenant, "conflicts/book.ipynb")).toString(), /two/);
      assert.equal(notebook.cellCount, 2);
    });

    it("Overwrite names the replaced version; canceling changes nothing, confirming writes the notebook", async () => {
      const notebook = await editedNotebookText("replaced.ipynb");
      await writeFile(path("replaced.ipynb"), notebookText("two"));
      pass(1_300);
      assert.equal(await notebook.save(), false);
      const asked: string[] = [];
      const original = vscode.window.showWarningMessage;
      const overwrite = async (response: string | undefined): Promise<void> => {
        Reflect.set(vscode.window, "showWarningMessage", async (message: string, { detail = "" }) => {
          asked.push(`${message}\n${detail}`);
          return response;
        });
        try {
          // The argument of the link in the editor's message.
          const argument = { file: notebook.uri.toString() };
          await vscode.commands.executeCommand("platformWorkbench.overwriteServerVersion", argument);
        } finally {
          Reflect.set(vscode.window, "showWarningMessage", original);
        }
      };
      const saved = async (): Promise<string> => (await onDisk(tenant, "conflicts/replaced.ipynb")).toString();
      await overwrite(undefined);
      assert.match(await saved(), /two/);
      assert.equal(notebook.isDirty, true);
      await overwrite("Overwrite");
      assert.match(await saved(), /"one[\s\S]*mine/);
      assert.doesNotMatch(await saved(), /two/);
      assert.equal(notebook.isDirty, false);
      assert.equal(asked.length, 2);
      for (const question of asked) {
        assert.match(question, /^Overwrite the server's version of replaced\.ipynb with yours\?\n/);
        assert.match(question, /\nconflicts\/replaced\.ipynb, \d+ bytes, changed .*20\d\d/);
      }
    });
  });
}

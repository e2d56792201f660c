import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { fileTenants, onDisk } from "./outside.ts";

const notebook = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "a1",
   "metadata": {},
   "outputs": [],
   "source": [
    "x = 1"
   ]
  }
 ],
 "metadata": {
  "identifier": 9007199254740993,
  "negative": -9223372036854775808,
  "ratio": 1.0,
  "small": 1e-07
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

for (const tenant of fileTenants) {
  describe(`a notebook's numbers through the text editor on tenant ${tenant.tenantId}`, () => {
    const uri = uriOf(tenant.tenantId, tenant.workspaceId, "numbers.ipynb");
    after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

    it("64-bit integers and 1.0 survive opening, editing, and saving, twice", async () => {
      // It is created outside the editor, which has just seen that the file does not exist.
      await vscode.workspace.fs.readDirectory(uriOf(tenant.tenantId, tenant.workspaceId));
      await writeFile(`${tenant.root}/numbers.ipynb`, notebook);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      assert.equal(document.getText(), notebook);
      for (const [from, to] of [
        ["x = 1", "x = 12"],
        ["x = 12", "x = 123"],
      ] as const) {
        const edit = new vscode.WorkspaceEdit();
        const start = document.positionAt(document.getText().indexOf(from));
        edit.replace(uri, new vscode.Range(start, start.translate(0, from.length)), to);
        await vscode.workspace.applyEdit(edit);
        assert.equal(await document.save(), true);
        const saved = (await onDisk(tenant, "numbers.ipynb")).toString();
        assert.match(saved, new RegExp(`"${to}"`));
        assert.match(saved, /"identifier": 9007199254740993,/);
        assert.match(saved, /"negative": -9223372036854775808,/);
        assert.match(saved, /"ratio": 1\.0,/);
        assert.match(saved, /"small": 1e-07/);
        assert.equal(saved.trimEnd(), document.getText().trimEnd());
      }
    });
  });
}

/** A notebook with the Unicode line separators, which do not break lines in JSON, in all places that have text. */
const separated = JSON.stringify({
  cells: [
    { cell_type: "markdown", id: "a", metadata: { name: "x\u2028y" }, source: ["one\n", "two\u2028three\u2029four"] },
    {
      cell_type: "code",
      id: "b",
      metadata: {},
      execution_count: 1,
      source: ["text = 'a\u2028b'"],
      outputs: [{ output_type: "stream", name: "stdout", text: ["a\u2028b\n", "c\u2029"] }],
    },
  ],
  metadata: { title: "\u2029z" },
  nbformat: 4,
  nbformat_minor: 5,
});

for (const tenant of fileTenants) {
  describe(`Unicode line separators on tenant ${tenant.tenantId}`, () => {
    after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));
    const at = (path: string): vscode.Uri => uriOf(tenant.tenantId, tenant.workspaceId, path);

    it("stay in all places of a notebook that is edited and saved, and in a text", async () => {
      // Otherwise, the editor asks in a dialog whether to remove them, as soon as it shows them.
      const editor = vscode.workspace.getConfiguration("editor");
      await editor.update("unusualLineTerminators", "off", vscode.ConfigurationTarget.Global);
      try {
        await vscode.workspace.fs.readDirectory(at(""));
        await writeFile(`${tenant.root}/separated.ipynb`, separated);
        await writeFile(`${tenant.root}/separated.txt`, "one\u2028two\u2029three\n");
        const notebook = await vscode.workspace.openNotebookDocument(at("separated.ipynb"));
        await vscode.window.showNotebookDocument(notebook);
        const cells = new vscode.WorkspaceEdit();
        cells.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), "zero\u2028\n");
        await vscode.workspace.applyEdit(cells);
        assert.equal(await notebook.save(), true);
        const saved = JSON.parse((await onDisk(tenant, "separated.ipynb")).toString());
        const textOf = (text: string | readonly string[]): string => [text].flat().join("");
        assert.deepEqual(
          [saved.metadata.title, saved.cells[0].metadata.name, textOf(saved.cells[0].source)],
          ["\u2029z", "x\u2028y", "zero\u2028\none\ntwo\u2028three\u2029four"],
        );
        assert.deepEqual(
          [textOf(saved.cells[1].source), textOf(saved.cells[1].outputs[0].text)],
          ["text = 'a\u2028b'", "a\u2028b\nc\u2029"],
        );
        const document = await vscode.workspace.openTextDocument(at("separated.txt"));
        await vscode.window.showTextDocument(document);
        const text = new vscode.WorkspaceEdit();
        text.insert(document.uri, new vscode.Position(0, 0), "zero\u2028");
        await vscode.workspace.applyEdit(text);
        assert.equal(await document.save(), true);
        assert.equal((await onDisk(tenant, "separated.txt")).toString(), "zero\u2028one\u2028two\u2029three\n");
      } finally {
        await editor.update("unusualLineTerminators", undefined, vscode.ConfigurationTarget.Global);
      }
    });
  });
}

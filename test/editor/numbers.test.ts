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

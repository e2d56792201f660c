import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { ask, fileTenants, onDisk, requestsOf } from "./outside.ts";
import { inNoTime, pass } from "./time.ts";

const methods = (requests: readonly string[]): readonly string[] =>
  requests.map((request) => request.split(" ")[0] ?? "");
/**
 * Reveals the opened file in the Explorer, which then reads the file's folders. On a busy machine, this can happen
 * late.
 */
async function revealed(): Promise<void> {
  await vscode.commands.executeCommand("workbench.files.action.showActiveFileInExplorer");
  await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
}

describe("requests per user action", () => {
  for (const tenant of fileTenants) {
    describe(`on tenant ${tenant.tenantId}`, () => {
      const at = (path: string): vscode.Uri => uriOf(tenant.tenantId, tenant.workspaceId, path);
      /** The requests of an action and its effects, counted after no more requests arrive. */
      function counted(work: () => PromiseLike<unknown>): Promise<readonly string[]> {
        return inNoTime(async () => {
          await ask(tenant, { type: "quiet", milliseconds: 500 });
          await ask(tenant, { type: "reset" });
          await work();
          await ask(tenant, { type: "quiet", milliseconds: 700 });
          // The editor keeps a notebook that another suite opened for minutes, and its folder is watched.
          return (await requestsOf(tenant)).filter((request) => !request.includes("contents/conflicts"));
        });
      }
      /** The same immediately after the folder was listed. */
      async function countedAfterListing(work: () => PromiseLike<unknown>): Promise<readonly string[]> {
        return inNoTime(async () => {
          // After a change in this window, the first read uses the cache, regardless of its age. The next one sends a
          // request.
          await vscode.workspace.fs.readDirectory(at("costs"));
          pass(6_000);
          await vscode.workspace.fs.readDirectory(at("costs"));
          return counted(work);
        });
      }

      before(async () => {
        await vscode.workspace.fs.createDirectory(at("costs"));
        const notebook = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };
        for (const name of ["text.txt", "text2.txt", "closed.txt", "closed2.txt"]) {
          await writeFile(`${tenant.root}/costs/${name}`, "one\n");
        }
        for (const name of ["book.ipynb", "book2.ipynb", "book3.ipynb", "first.ipynb"]) {
          await writeFile(`${tenant.root}/costs/${name}`, JSON.stringify(notebook));
        }
        // A server is asked for its kernels once, with the first notebook.
        await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(at("costs/first.ipynb")));
        await vscode.commands.executeCommand("workbench.action.closeAllEditors");
        pass(2_600);
        await vscode.workspace.fs.readDirectory(at("costs"));
      });

      after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

      it("opening a text file: 1; saving it: 2", async () => {
        let document: vscode.TextDocument | undefined;
        const opening = await counted(async () => {
          document = await vscode.workspace.openTextDocument(at("costs/text.txt"));
          await vscode.window.showTextDocument(document, { preview: false });
        });
        assert.deepEqual(opening, ["GET contents/costs/text.txt 200"]);
        assert.ok(document !== undefined);
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), "zero\n");
        await vscode.workspace.applyEdit(edit);
        await revealed();
        pass(1_500);
        const saving = await counted(async () => assert.ok(await document?.save()));
        assert.deepEqual(saving, ["GET contents/costs/text.txt 200", "PUT contents/costs/text.txt 200"]);
        assert.equal((await onDisk(tenant, "costs/text.txt")).toString(), "zero\none\n");
      });

      it("opening a notebook: 1; saving it: 2", async () => {
        let notebook: vscode.NotebookDocument | undefined;
        const opening = await counted(async () => {
          notebook = await vscode.workspace.openNotebookDocument(at("costs/book.ipynb"));
          await vscode.window.showNotebookDocument(notebook, { preview: false });
        });
        assert.deepEqual(opening, ["GET contents/costs/book.ipynb 200"]);
        assert.ok(notebook !== undefined);
        const edit = new vscode.WorkspaceEdit();
        const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "1 + 1", "python");
        edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [cell])]);
        await vscode.workspace.applyEdit(edit);
        await revealed();
        pass(1_500);
        const saving = await counted(async () => assert.ok(await notebook?.save()));
        assert.deepEqual(saving, ["GET contents/costs/book.ipynb 200", "PUT contents/costs/book.ipynb 200"]);
        assert.match((await onDisk(tenant, "costs/book.ipynb")).toString(), /1 \+ 1/);
      });

      it("opening from a folder that was listed long ago, even by a command: 1", async () => {
        const open = (name: string) => () => vscode.commands.executeCommand("vscode.open", at(`costs/${name}`));
        const notebook = (name: string) => async () => {
          await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(at(`costs/${name}`)));
        };
        await vscode.workspace.fs.readDirectory(at("costs"));
        pass(5_500);
        for (const [name, opening] of [
          ["book2.ipynb", open("book2.ipynb")],
          ["text2.txt", open("text2.txt")],
          ["book3.ipynb", notebook("book3.ipynb")],
        ] as const) {
          assert.deepEqual(await counted(opening), [`GET contents/costs/${name} 200`]);
        }
      });

      it("expanding a folder and every stat of its children: 1", async () => {
        pass(2_600);
        const expanding = await counted(async () => {
          const entries = await vscode.workspace.fs.readDirectory(at("costs"));
          assert.equal(entries.length, 8);
          for (const [name] of entries.filter(([entry]) => entry.startsWith("closed"))) {
            await vscode.workspace.fs.stat(at(`costs/${name}`));
          }
        });
        assert.deepEqual(expanding, ["GET contents/costs 200"]);
      });

      it("creating a file with content: 3; empty: 2; a folder: 2", async () => {
        const file = await countedAfterListing(() =>
          vscode.workspace.fs.writeFile(at("costs/new.py"), Buffer.from("x = 1\n")),
        );
        assert.deepEqual(methods(file), ["POST", "PATCH", "PUT"], file.join("\n"));
        const empty = await countedAfterListing(() =>
          vscode.workspace.fs.writeFile(at("costs/empty.py"), new Uint8Array()),
        );
        assert.deepEqual(methods(empty), ["POST", "PATCH"], empty.join("\n"));
        const edit = new vscode.WorkspaceEdit();
        edit.createFile(at("costs/explorer.py"), { contents: Buffer.from("y = 1\n") });
        const asExplorer = await countedAfterListing(() => vscode.workspace.applyEdit(edit));
        assert.deepEqual(methods(asExplorer), ["POST", "PATCH", "PUT"], asExplorer.join("\n"));
        const folder = await countedAfterListing(() => vscode.workspace.fs.createDirectory(at("costs/folder")));
        assert.deepEqual(methods(folder), ["POST", "PATCH"], folder.join("\n"));
      });

      it("renaming: at most 2; copying a file: at most 2; deleting a folder: 1", async () => {
        const renaming = await countedAfterListing(() =>
          vscode.workspace.fs.rename(at("costs/new.py"), at("costs/folder/renamed.py")),
        );
        assert.ok(renaming.length <= 2 && methods(renaming).at(-1) === "PATCH", renaming.join("\n"));
        const copying = await countedAfterListing(() =>
          vscode.workspace.fs.copy(at("costs/empty.py"), at("costs/copy.py")),
        );
        assert.deepEqual(methods(copying), ["POST"], copying.join("\n"));
        const deleting = await countedAfterListing(() =>
          vscode.workspace.fs.delete(at("costs/folder"), { recursive: true }),
        );
        assert.deepEqual(methods(deleting), ["DELETE"], deleting.join("\n"));
      });

      it("switching back to an open tab: at most 1", async () => {
        await vscode.window.showTextDocument(at("costs/text.txt"), { preview: false });
        await vscode.window.showTextDocument(at("costs/copy.py"), { preview: false });
        pass(2_000);
        const switching = await counted(() => vscode.window.showTextDocument(at("costs/text.txt"), { preview: false }));
        assert.ok(switching.length <= 1, switching.join("\n"));
      });
    });
  }
});

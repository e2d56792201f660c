import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import type { RecordedRequest } from "../harness/proxy.ts";
import { notebookText } from "./notebook-text.ts";
import { ask, fileTenants, type OutsideTenant } from "./outside.ts";
import { pass, until } from "./time.ts";

function insert(uri: vscode.Uri, text: string): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), text);
  return vscode.workspace.applyEdit(edit);
}

async function looksOf(tenant: OutsideTenant): Promise<readonly RecordedRequest[]> {
  const recorded = (await ask(tenant, { type: "requests" })) as readonly RecordedRequest[];
  return recorded.filter(({ headers }) => headers["if-none-match"] !== undefined);
}

for (const tenant of fileTenants) {
  describe(`watching on tenant ${tenant.tenantId}`, () => {
    const at = (name: string): vscode.Uri => uriOf(tenant.tenantId, tenant.workspaceId, `watched/${name}`);
    const path = (name: string): string => `${tenant.root}/watched/${name}`;
    const events: string[] = [];
    let watcher: vscode.FileSystemWatcher;

    before(async () => {
      await mkdir(path(""), { recursive: true });
      for (const name of ["clean.txt", "dirty.txt", "gone.txt", "closed.txt"]) {
        await writeFile(path(name), "one\n");
      }
      await writeFile(path("book.ipynb"), notebookText("one"));
      pass(2_600);
      await vscode.workspace.fs.readDirectory(at(""));
      watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(at(""), "*"));
      const take = (type: string) => (uri: vscode.Uri) => {
        if (uri.authority === at("").authority && uri.path.startsWith("/watched/")) {
          events.push(`${type} ${uri.path.slice("/watched/".length)}`);
        }
      };
      watcher.onDidCreate(take("created"));
      watcher.onDidChange(take("changed"));
      watcher.onDidDelete(take("deleted"));
    });
    /** Another client of the server creates a file. */
    async function createElsewhere(name: string): Promise<void> {
      const response = await fetch(`${tenant.contentUrl}api/contents/watched/${name}`, {
        method: "PUT",
        headers: { authorization: `token ${tenant.secrets[1]}` },
        body: JSON.stringify({ type: "file", format: "text", content: `${name}\n` }),
      });
      assert.equal(response.status, 201);
    }

    /**
     * Waits for the next poll of the folder, which finds a new file. All other events of that poll have been reported
     * by then.
     */
    async function untilLookedAgain(name: string): Promise<void> {
      await createElsewhere(name);
      await until(`the event of ${name}`, () => events.includes(`created ${name}`));
    }

    after(async () => {
      watcher.dispose();
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    });

    it("shows other clients' changes: clean editors reload, a dirty one keeps its changes, and each event is reported once", async () => {
      const [clean, gone] = await Promise.all(
        ["clean.txt", "gone.txt"].map((name) => vscode.workspace.openTextDocument(at(name))),
      );
      const notebook = await vscode.workspace.openNotebookDocument(at("book.ipynb"));
      await vscode.window.showNotebookDocument(notebook, { preview: false });
      for (const name of ["clean.txt", "gone.txt", "dirty.txt"]) {
        await vscode.window.showTextDocument(at(name), { preview: false });
      }
      const dirty = await vscode.workspace.openTextDocument(at("dirty.txt"));
      await insert(dirty.uri, "mine ");
      await until("the unsaved changes", () => dirty.isDirty);
      events.length = 0;
      await writeFile(path("clean.txt"), "two\n");
      await writeFile(path("dirty.txt"), "two, theirs\n");
      await writeFile(path("book.ipynb"), notebookText("two"));
      await writeFile(path("closed.txt"), "two\n");
      await writeFile(path("new.txt"), "new\n");
      await rm(path("gone.txt"));
      await until("the clean text", () => clean?.getText() === "two\n");
      await until("the clean notebook", () => notebook.cellAt(0).document.getText() === "two");
      assert.equal(clean?.isDirty, false);
      assert.equal(notebook.isDirty, false);
      assert.equal(dirty.getText(), "mine one\n");
      assert.equal(dirty.isDirty, true);
      assert.equal(gone?.isClosed, false, "a deleted file's editor stays");
      await until("all events", () => events.length >= 6);
      await untilLookedAgain("last.txt");
      assert.deepEqual(events.toSorted(), [
        "changed book.ipynb",
        "changed clean.txt",
        "changed closed.txt",
        "changed dirty.txt",
        "created last.txt",
        "created new.txt",
        "deleted gone.txt",
      ]);
      assert.equal(await dirty.save(), false, "the unsaved changes overwrite nothing");
      await vscode.window.showTextDocument(dirty);
      await vscode.commands.executeCommand("workbench.action.files.revert");
      await vscode.commands.executeCommand("notifications.clearAll");
    });

    it("reports its own changes once", async () => {
      events.length = 0;
      await ask(tenant, { type: "reset" });
      await vscode.workspace.fs.writeFile(at("own.txt"), Buffer.from("own\n"));
      await vscode.workspace.fs.writeFile(at("clean.txt"), Buffer.from("three\n"));
      await vscode.workspace.fs.delete(at("new.txt"));
      await untilLookedAgain("end.txt");
      assert.deepEqual(events.toSorted(), [
        "changed clean.txt",
        "created end.txt",
        "created own.txt",
        "deleted new.txt",
      ]);
    });

    if (tenant.tenantId === "embedded") {
      it("polls only existing, opened folders, and gets no body while nothing changes", async () => {
        // Regardless of how many other folders are polled, this one is polled again within 10 s.
        const isNothingNew = async (): Promise<boolean> =>
          (await looksOf(tenant)).some(({ path: asked, status }) => asked.endsWith("/watched") && status === 304);
        await until("a look at the folder that finds nothing new", isNothingNew);
        const looks = await looksOf(tenant);
        for (const { method, path: asked, status, receivedBytes } of looks) {
          assert.equal(method, "GET");
          assert.match(decodeURIComponent(asked), /\/api\/contents(\/[^./][^/]*)?$/);
          assert.ok(status === 304 ? receivedBytes === 0 : status === 200, `${asked} ${status}`);
        }
      });
    }

    if (tenant.tenantId === "jupyter") {
      it("shows changes that the server reports after one listing of the folder", async () => {
        events.length = 0;
        await ask(tenant, { type: "reset" });
        await createElsewhere("pushed.txt");
        await until("the event", () => events.includes("created pushed.txt"));
        const looks = (await looksOf(tenant)).filter(({ path: asked }) => asked.endsWith("/watched"));
        assert.equal(looks.length, 1);
      });
    }
  });
}

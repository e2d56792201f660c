// Runs inside the extension host of a real editor: performs a user's actions, and writes their costs to a file.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../../src/tenants/workspace-uri.ts";
import { ask, outside } from "../../editor/outside.ts";
import type { RecordedRequest } from "../../harness/proxy.ts";
import type { ActionCosts } from "../actions.ts";

const roundTrip = Number(process.env.PLATFORM_WORKBENCH_BENCH_ROUND_TRIP ?? "0");
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Waits until everything that an action causes has been sent and answered. */
const settled = (): Promise<void> => pause(700 + 4 * roundTrip);

describe(`costs of actions at ${roundTrip} ms`, function () {
  this.timeout(120_000);
  const [tenant] = outside.tenants;
  assert.ok(tenant !== undefined);
  const { tenantId, workspaceId, root } = tenant;
  const at = (path: string): vscode.Uri => uriOf(tenantId, workspaceId, path);
  const costs: Record<string, ActionCosts> = {};
  const fs = vscode.workspace.fs;

  /** Requests of the watcher are not part of an action. */
  async function sent(): Promise<readonly RecordedRequest[]> {
    const recorded = (await ask(tenant ?? assert.fail(), { type: "requests" })) as readonly RecordedRequest[];
    return recorded.filter(({ headers }) => headers["if-none-match"] === undefined);
  }

  async function measure(name: string, action: () => PromiseLike<unknown>): Promise<void> {
    await ask(tenant ?? assert.fail(), { type: "reset" });
    const started = performance.now();
    await action();
    const seconds = (performance.now() - started) / 1000;
    await settled();
    const requests = await sent();
    costs[name] = { requests: requests.length, seconds, sent: requests.map(({ method, path }) => `${method} ${path}`) };
  }

  after(async () => {
    await writeFile(process.env.PLATFORM_WORKBENCH_BENCH_FILE ?? assert.fail(), JSON.stringify(costs));
  });

  it("opens the window", async () => {
    await vscode.extensions.getExtension("platform-workbench.platform-workbench")?.activate();
    await pause(8_000);
    const requests = await sent();
    const [first] = requests;
    const ends = requests.map(({ at: begun, milliseconds }) => begun + milliseconds);
    const seconds = first === undefined ? 0 : (Math.max(...ends) - first.at) / 1000;
    const shown = requests.map(({ method, path }) => `${method} ${path}`);
    costs.openWindow = { requests: requests.length, seconds, sent: shown };
  });

  it("opens and saves", async () => {
    const notebook = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await mkdir(`${root}/bench/tree`, { recursive: true });
    await writeFile(`${root}/bench/text.txt`, "one\n");
    await writeFile(`${root}/bench/book.ipynb`, JSON.stringify(notebook));
    await writeFile(`${root}/bench/first.ipynb`, JSON.stringify(notebook));
    for (let folder = 0; folder < 5; folder += 1) {
      await mkdir(`${root}/bench/tree/${folder}`);
      for (let file = 0; file < 20; file += 1) {
        await writeFile(`${root}/bench/tree/${folder}/${file}.txt`, "text\n");
      }
    }
    await pause(2_600);
    await measure("expandFolder", () => fs.readDirectory(at("bench")));
    let document: vscode.TextDocument | undefined;
    await measure("openFile", async () => {
      document = await vscode.workspace.openTextDocument(at("bench/text.txt"));
      await vscode.window.showTextDocument(document, { preview: false });
    });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(at("bench/text.txt"), new vscode.Position(0, 0), "zero\n");
    await vscode.workspace.applyEdit(edit);
    await pause(1_500);
    await measure("save", async () => assert.ok(await document?.save()));
    // The first notebook ever also requests the workspace's kernels.
    await vscode.commands.executeCommand("vscode.open", at("bench/first.ipynb"));
    // As a user does some time after the folder was shown, by a link or a command: the most expensive case.
    await pause(5_500);
    await measure("openNotebook", () => vscode.commands.executeCommand("vscode.open", at("bench/book.ipynb")));
    const book = vscode.window.activeNotebookEditor?.notebook;
    const cells = new vscode.WorkspaceEdit();
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "1 + 1", "python");
    cells.set(at("bench/book.ipynb"), [vscode.NotebookEdit.insertCells(0, [cell])]);
    await vscode.workspace.applyEdit(cells);
    await pause(1_500);
    await measure("saveNotebook", async () => assert.ok(await book?.save()));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("creates, renames, copies and deletes", async () => {
    await fs.readDirectory(at("bench"));
    await measure("createFile", () => fs.writeFile(at("bench/new.py"), Buffer.from("x = 1\n")));
    await measure("createFolder", () => fs.createDirectory(at("bench/folder")));
    await measure("rename", () => fs.rename(at("bench/new.py"), at("bench/folder/renamed.py")));
    await measure("copyFile", () => fs.copy(at("bench/text.txt"), at("bench/copy.txt")));
    await measure("deleteTree", () => fs.delete(at("bench/tree"), { recursive: true }));
  });
});

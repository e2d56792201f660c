import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { type Fault, faults } from "../faults/faults.ts";
import type { FaultMatch } from "../harness/proxy.ts";
import { ask, onDisk, requestsOf, tenantNamed } from "./outside.ts";
import { until } from "./time.ts";

const tenant = tenantNamed("jupyter");
/** Faults that end by themselves: a response that never arrives takes as long as the request's time limit. */
const chosen = faults.filter(({ action }) => action.kind !== "hang");

interface Bearer {
  readonly fault: Fault;
  readonly path: string;
  readonly save: () => Thenable<boolean>;
  readonly document: vscode.TextDocument | vscode.NotebookDocument;
}

const book = (source: string): string =>
  JSON.stringify({
    cells: [{ cell_type: "code", execution_count: null, id: "a1", metadata: {}, outputs: [], source: [source] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  });

/** All faults at once, each for its own file: in real editors and a real extension host, with a real Jupyter Server. */
describe("saving in the editor under every fault", () => {
  const at = (path: string): vscode.Uri => uriOf(tenant.tenantId, tenant.workspaceId, path);

  before(async () => {
    await mkdir(`${tenant.root}/bad-days`, { recursive: true });
  });
  afterEach(async () => {
    await ask(tenant, { type: "clearFaults" });
    await vscode.commands.executeCommand("notifications.clearAll");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  async function strike({ fault, path }: Bearer, method: "GET" | "PUT"): Promise<void> {
    const file: FaultMatch = { method, path: `${tenant.contentPath}api/contents/${path}` };
    const tries = method === "GET" && fault.extent === "request" ? [1, 2, 3, 4] : [1];
    const match = fault.extent === "onward" ? file : { ...file, nth: tries };
    await ask(tenant, { type: "fault", rule: { name: fault.name, match, action: fault.action } });
  }

  /**
   * Saves everything with its fault and again without it. Typed text is never lost, and nothing on the server is
   * damaged.
   */
  async function saveAll(
    bearers: readonly Bearer[],
    method: "GET" | "PUT",
    states: { readonly old: string; readonly edited: string },
    contentOf: (path: string) => Promise<string>,
  ): Promise<void> {
    for (const bearer of bearers) await strike(bearer, method);
    // A failed save is repeated automatically, which changes the state of a document later.
    const ends = await Promise.all(
      bearers.map(async ({ save, document }) => ({ isSaved: await save(), isDirty: document.isDirty })),
    );
    const problems: string[] = [];
    for (const [index, { fault, path }] of bearers.entries()) {
      const { isSaved = false, isDirty = true } = ends[index] ?? {};
      const there = await contentOf(path);
      const isSound = isSaved ? there === states.edited : there === states.edited || there === states.old;
      if (!isSound)
        problems.push(`${fault.name}: told ${isSaved ? "saved" : "not saved"}, and the server has ${there}`);
      if (isDirty === isSaved) problems.push(`${fault.name}: saved is ${isSaved}, dirty ${isDirty}`);
      const mustPass = fault.passes === "always" || (fault.passes === "reads" && method === "GET");
      if (mustPass && !isSaved) problems.push(`${fault.name}: nothing was wrong in the end, and it was not saved`);
    }
    await ask(tenant, { type: "clearFaults" });
    // From here, requests that arrived under a fault are not recorded.
    await ask(tenant, { type: "reset" });
    for (const { fault, path, document, save } of bearers) {
      // While the editor prepares an automatic save, it ignores others of the same document, without waiting for it. And a
      // save that waits for one that began under the fault fails with it.
      await until(`${fault.name}: a save after it was over`, async () => !document.isDirty || (await save()));
      const there = await contentOf(path);
      if (there !== states.edited) problems.push(`${fault.name}: after it was over the server has ${there}`);
    }
    const writes = (await requestsOf(tenant)).filter((line) => line.startsWith("PUT "));
    for (const { fault, path } of bearers) {
      const own = writes.filter((line) => line.startsWith(`PUT contents/${path} `));
      const isOnce = own.length <= 1 && own.every((line) => line.endsWith(" 200"));
      if (!isOnce) problems.push(`${fault.name}: after it was over it was sent as ${own.join(", ")}`);
    }
    assert.deepEqual(problems, []);
  }

  for (const method of ["GET", "PUT"] as const) {
    it(`a text file, at the ${method === "GET" ? "check of the server before the save" : "save itself"}`, async () => {
      const bearers: Bearer[] = [];
      for (const [index, fault] of chosen.entries()) {
        const path = `bad-days/${method}-${index}.txt`;
        await writeFile(`${tenant.root}/${path}`, "old\n");
        const document = await vscode.workspace.openTextDocument(at(path));
        const edit = new vscode.WorkspaceEdit();
        edit.replace(document.uri, new vscode.Range(0, 0, 1, 0), "edited here\n");
        await vscode.workspace.applyEdit(edit);
        bearers.push({ fault, path, document, save: () => document.save() });
      }
      const contentOf = async (path: string): Promise<string> => (await onDisk(tenant, path)).toString();
      await saveAll(bearers, method, { old: "old\n", edited: "edited here\n" }, contentOf);
    });
  }

  it("a notebook, at the save itself", async () => {
    const bearers: Bearer[] = [];
    for (const [index, fault] of chosen.entries()) {
      const path = `bad-days/book-${index}.ipynb`;
      await writeFile(`${tenant.root}/${path}`, book("old"));
      const notebook = await vscode.workspace.openNotebookDocument(at(path));
      const edit = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "edited here", "python");
      edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(0, 1), [cell])]);
      await vscode.workspace.applyEdit(edit);
      bearers.push({ fault, path, document: notebook, save: () => notebook.save() });
    }
    const contentOf = async (path: string): Promise<string> => {
      const read: unknown = JSON.parse((await onDisk(tenant, path)).toString());
      const { cells } = read as { readonly cells: readonly { readonly source: string | readonly string[] }[] };
      return cells.map(({ source }) => [source].flat().join("")).join("\n--\n");
    };
    await saveAll(bearers, "PUT", { old: "old", edited: "edited here" }, contentOf);
  });

  it("another extension's read of an open file doesn't hide someone else's save", async () => {
    const path = "bad-days/read-by-others.txt";
    await writeFile(`${tenant.root}/${path}`, "one\n");
    const document = await vscode.workspace.openTextDocument(at(path));
    await vscode.window.showTextDocument(document, { preview: false });
    // Of the same size, which the editor itself considers unchanged.
    await writeFile(`${tenant.root}/${path}`, "two\n");
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(at(path))).toString(), "two\n");
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), "mine\n");
    await vscode.workspace.applyEdit(edit);
    const isSaved = await document.save();
    const there = (await onDisk(tenant, path)).toString();
    // Either the editor has shown it by then, or the save is rejected.
    assert.deepEqual([isSaved, there], isSaved ? [true, "two\nmine\n"] : [false, "two\n"]);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });
});

// The editor's providers of language features, with a companion whose replies the test gives.
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import type { Companion } from "../../../../src/api/companion/companion.ts";
import { CompanionOperationError, CompanionUnavailableError } from "../../../../src/api/companion/errors.ts";
import { isProvided } from "../../../../src/features/language/availability.ts";
import { completionItems, describedItem } from "../../../../src/features/language/completion.ts";
import { LanguageRequests } from "../../../../src/features/language/language-requests.ts";
import { definitionAt, outlineOf, symbolTree } from "../../../../src/features/language/navigation.ts";
import { Problems } from "../../../../src/features/language/problems.ts";
import { renamedPlace, renameEdit } from "../../../../src/features/language/renaming.ts";
import type { ExtensionLog } from "../../../../src/tenants/extension-log.ts";
import { libraryOf, libraryUri } from "../../../../src/tenants/library-uri.ts";
import type { OpenKernel } from "../../../../src/tenants/open-kernels.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import type { WorkspaceEdit } from "../../../harness/editor-stand-in/edits.ts";
import { type Diagnostic, diagnostics, StandInText } from "../../../harness/editor-stand-in/languages.ts";
import {
  CancellationTokenSource,
  EventEmitter,
  editor,
  extensions,
  nextMessage,
  Position,
  Range,
  Uri,
  workspace,
} from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";

const place = { tenantId: "acme", workspaceId: "sales" };

interface Sent {
  readonly operation: string;
  readonly parameters: {
    readonly document: { readonly kind: string; readonly path: string; readonly cells: readonly string[] };
    readonly position?: { readonly cell: number; readonly line: number; readonly character: number };
    readonly name?: string;
    readonly unsaved?: readonly { readonly path: string; readonly text: string }[];
  };
  readonly signal: AbortSignal;
}

/** A companion that replies with `reply`, and that isn't running before it was needed. */
class Rig {
  readonly sent: Sent[] = [];
  isRunning = false;
  reply: (sent: Sent) => unknown = () => new Promise(() => {});
  readonly changed = new EventEmitter<typeof place>();
  readonly logged: string[] = [];
  kernel: OpenKernel | undefined;
  readonly #companion = {
    request: async (
      operation: { readonly name: string },
      parameters: Sent["parameters"],
      { signal }: { readonly signal: AbortSignal },
    ) => {
      const sent = { operation: operation.name, parameters, signal };
      this.sent.push(sent);
      const aborted = new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      return await Promise.race([this.reply(sent), aborted]);
    },
  } as unknown as Companion;
  readonly companions = {
    get: async (): Promise<Companion> => {
      this.isRunning = true;
      return this.#companion;
    },
    running: (): Companion | undefined => (this.isRunning ? this.#companion : undefined),
    onDidChange: this.changed.event,
  };
  readonly requests = new LanguageRequests({
    companions: this.companions,
    openKernels: { find: () => this.kernel },
    log: { debug: (line: string) => this.logged.push(line) } as unknown as ExtensionLog,
  });
}

function script(text: string, path = "jobs/main.py"): vscode.TextDocument & StandInText {
  return new StandInText(uriOf(place.tenantId, place.workspaceId, path), text) as never;
}

/** The cells of a notebook of the workspace that is open. */
function notebook(...cells: readonly (readonly [text: string, language: string])[]): readonly vscode.TextDocument[] {
  const uri = uriOf(place.tenantId, place.workspaceId, "a.ipynb");
  const documents = cells.map(
    ([text, language], index) =>
      new StandInText(uri.with({ scheme: "vscode-notebook-cell", fragment: `c${index}` }), text, language),
  );
  const open = { uri, getCells: () => documents.map((document) => ({ document })) };
  Object.defineProperty(workspace, "notebookDocuments", { configurable: true, get: () => [open] });
  return documents as never;
}

const token = new CancellationTokenSource().token as unknown as vscode.CancellationToken;
const at = (line: number, character: number): vscode.Position => new Position(line, character) as vscode.Position;
const range = (startLine: number, startCharacter: number, endLine: number, endCharacter: number) => ({
  startLine,
  startCharacter,
  endLine,
  endCharacter,
});
const names = (...items: readonly (readonly [name: string, type: string])[]) => ({
  items: items.map(([name, type]) => ({ name, type })),
  replaced: 2,
  isComplete: true,
  kind: "names",
});

const replacedIn = (edit: vscode.WorkspaceEdit | undefined): WorkspaceEdit => edit as unknown as WorkspaceEdit;
const isPreviewed = (edit: vscode.WorkspaceEdit | undefined): boolean =>
  replacedIn(edit).changes.some(({ uri }) => uri.toString() === "platform-preview:nothing");

describe("language features of remote documents", () => {
  const notebooks = Object.getOwnPropertyDescriptor(workspace, "notebookDocuments");
  const texts = Object.getOwnPropertyDescriptor(workspace, "textDocuments");
  const opening = workspace.openTextDocument;
  let rig: Rig;

  beforeEach(() => {
    rig = new Rig();
  });
  afterEach(() => {
    if (notebooks !== undefined) Object.defineProperty(workspace, "notebookDocuments", notebooks);
    if (texts !== undefined) Object.defineProperty(workspace, "textDocuments", texts);
    workspace.openTextDocument = opening;
    extensions.getExtension = () => undefined;
    editor.configure("platformWorkbench.languageFeatures", "auto");
    diagnostics.clear();
  });

  it("complete what the editor has, and describe the selected item", async () => {
    rig.reply = ({ operation }) =>
      operation === "language.complete"
        ? names(["dumps", "function"], ["_private", "function"], ["indent=", "param"])
        : { signatures: ["dumps(obj)"], documentation: "```Serializes```" };
    const document = script("import json\njson.du");
    const list = await completionItems(rig.requests, document, at(1, 7), token, { triggerCharacter: "." });
    assert.deepEqual(
      list?.items.map(({ label, sortText, range: place }) => [label, sortText, place]),
      [
        ["dumps", "1dumps", new Range(at(1, 5), at(1, 7))],
        ["_private", "2_private", new Range(at(1, 5), at(1, 7))],
        ["indent=", "0indent=", new Range(at(1, 5), at(1, 7))],
      ],
    );
    const sent = rig.sent[0]?.parameters;
    assert.deepEqual(sent?.document, { kind: "script", path: "jobs/main.py", cells: ["import json\njson.du"] });
    assert.deepEqual(sent?.position, { cell: 0, line: 1, character: 7 });

    const [item] = list?.items ?? [];
    assert.ok(item !== undefined);
    await describedItem(rig.requests, item, token);
    // What a docstring contains can't end its block.
    assert.equal(
      (item.documentation as vscode.MarkdownString).value,
      "```python\ndumps(obj)\n```\n\n````text\n```Serializes```\n````",
    );
    assert.equal(rig.sent[1]?.parameters.name, "dumps");
  });

  it("send the code cells of a notebook in order, with the position in its cell", async () => {
    rig.reply = () => names();
    const cells = notebook(["import os", "python"], ["# Title", "markdown"], ["os.p", "python"]);
    const [, , last] = cells;
    assert.ok(last !== undefined);
    await completionItems(rig.requests, last, at(0, 4), token, { triggerCharacter: undefined });
    const sent = rig.sent[0]?.parameters;
    assert.deepEqual(sent?.document, { kind: "notebook", path: "a.ipynb", cells: ["import os", "os.p"] });
    assert.deepEqual(sent?.position, { cell: 1, line: 0, character: 4 });
  });

  it("add what the live value in the kernel has, and don't wait for a slow kernel", async () => {
    const asked: unknown[] = [];
    let reply: () => unknown = () => ({
      members: [
        { name: "month", type: "property" },
        { name: "head", type: "function" },
      ],
    });
    const program = async () => ({
      request: async (_operation: unknown, parameters: unknown) => {
        asked.push(parameters);
        return reply();
      },
    });
    rig.kernel = { program, connection: { state: { type: "connected" } }, isFollowing: false } as unknown as OpenKernel;
    rig.reply = () => ({ ...names(["head", "function"], ['known"', "statement"]), replaced: 1 });
    const complete = async (text: string): Promise<vscode.CompletionItem[] | undefined> => {
      const [cell] = notebook([text, "python"]);
      assert.ok(cell !== undefined);
      const context = { triggerCharacter: undefined };
      return (await completionItems(rig.requests, cell, at(0, text.length), token, context))?.items;
    };
    const [, , added, ...others] = (await complete("x = sales['a'].m")) ?? [];
    assert.deepEqual([added?.label, added?.range, others], ["month", new Range(at(0, 15), at(0, 16)), []]);
    assert.deepEqual(asked.splice(0), [{ expression: "sales['a']", kind: "attribute" }]);
    await complete("print(données.मूल्य.मू");
    assert.deepEqual(asked.splice(0), [{ expression: "données.मूल्य", kind: "attribute" }]);
    await complete('print(data["kn');
    assert.deepEqual(asked.splice(0), [{ expression: "data", kind: "key" }]);
    for (const text of ["f().m", "m", '"a".m', "x[y].m", "1.m", "a[0"]) await complete(text);
    assert.deepEqual(asked, []);

    reply = () => new Promise(() => {});
    assert.equal((await complete("sales.m"))?.length, 2);
    rig.kernel = undefined;
    assert.equal((await complete("sales.m"))?.length, 2);
  });

  it("complete a quote only after a bracket, and a slash only in a path", async () => {
    rig.reply = () => ({ ...names(["a", "statement"]), kind: "string" });
    const labels = async (text: string, triggerCharacter: string): Promise<readonly unknown[] | undefined> => {
      const list = await completionItems(rig.requests, script(text), at(0, text.length), token, { triggerCharacter });
      return list?.items.map(({ label }) => label);
    };
    assert.equal(await labels("print('", "'"), undefined);
    assert.equal(rig.sent.length, 0);
    assert.deepEqual(await labels("table['", "'"), ["a"]);
    assert.equal(await labels("x /", "/"), undefined);
    rig.reply = () => ({ ...names(["data/", "folder"]), kind: "paths" });
    assert.deepEqual(await labels("open('a/", "/"), ["data/"]);
  });

  it("cancel the request when the editor does, and have no result if it fails", async () => {
    const source = new CancellationTokenSource();
    const completing = completionItems(rig.requests, script("x"), at(0, 1), source.token as vscode.CancellationToken, {
      triggerCharacter: undefined,
    });
    await until("the request", () => rig.sent.length === 1);
    source.cancel();
    assert.equal(await completing, undefined);
    assert.ok(rig.sent[0]?.signal.aborted);
    assert.deepEqual(rig.logged, []);

    rig.companions.get = async () => {
      throw new CompanionUnavailableError("off", "It is off.");
    };
    const context = { triggerCharacter: undefined };
    assert.equal(await completionItems(rig.requests, script("x"), at(0, 1), token, context), undefined);
    assert.equal(rig.logged.length, 1);
  });

  it("start no companion for what the editor requests by itself", async () => {
    rig.reply = () => ({ symbols: [] });
    assert.equal(await outlineOf(rig.requests, script("x = 1"), token), undefined);
    assert.equal(rig.sent.length, 0);
    assert.ok(!rig.isRunning);
    await rig.companions.get();
    assert.deepEqual(await outlineOf(rig.requests, script("x = 1"), token), []);
  });

  it("lead to cells, files of the workspace, and sources of libraries, but to no path outside", async () => {
    const cells = notebook(["x = 1", "python"], ["# Title", "markdown"], ["x", "python"]);
    const [first, , last] = cells;
    assert.ok(first !== undefined && last !== undefined);
    const location = (kind: string, path: string, cell = 0) => ({ kind, path, cell, range: range(0, 0, 0, 1) });
    rig.reply = () => ({
      locations: [
        location("document", "", 1),
        location("document", "", 9),
        location("workspace", "lib/a b.py"),
        location("workspace", "../other/x.py"),
        location("library", "/usr/lib/python3/json/__init__.py"),
      ],
    });
    const found = await definitionAt(rig.requests, first, at(0, 0), token);
    assert.deepEqual(
      found?.map(({ uri }) => uri.toString()),
      [
        last.uri.toString(),
        uriOf("acme", "sales", "lib/a b.py").toString(),
        "platform-library://sales.acme/usr/lib/python3/json/__init__.py",
      ],
    );
  });

  it("address the source of a library on any system", () => {
    for (const path of ["/usr/lib/a b%.py", "C:/Python/Lib/json.py"]) {
      assert.deepEqual(libraryOf(libraryUri(place, path)), { place: { ...place }, path });
    }
    assert.equal(libraryOf(libraryUri(place, "C:\\Python\\a.py"))?.path, "C:/Python/a.py");
  });

  it("nest the outline, and keep names within their symbols", () => {
    const symbol = (name: string, parent: number | null, whole = range(0, 0, 9, 0)) => ({
      name,
      type: "function" as const,
      isMember: parent !== null,
      parent,
      cell: 0,
      range: whole,
      selection: range(1, 0, 1, 3),
    });
    const tree = symbolTree([symbol("a", null), symbol("b", 0), symbol("c", 7), symbol("d", null, range(5, 0, 6, 0))]);
    assert.deepEqual(
      tree.map(({ name, children }) => [name, children.map((child) => child.name)]),
      [
        ["a", ["b"]],
        ["c", []],
        ["d", []],
      ],
    );
    assert.deepEqual(tree[2]?.range, tree[2]?.selectionRange);
  });

  it("rename in this document, and in other files after a preview in which all of them are selected", async () => {
    const other = script("from main import pen\n", "jobs/other.py");
    workspace.openTextDocument = async () => other as never;
    rig.reply = () => ({
      name: "pen",
      place: { cell: 0, range: range(0, 0, 0, 3) },
      locations: [
        { kind: "document", path: "", cell: 0, range: range(0, 0, 0, 3) },
        { kind: "workspace", path: "jobs/other.py", cell: 0, range: range(0, 17, 0, 20) },
      ],
      isComplete: false,
      isLocal: false,
      notebooks: [],
    });
    const document = script("pen = 1");
    const prepared = await renamedPlace(rig.requests, document, at(0, 1), token);
    assert.deepEqual(prepared, { range: new Range(at(0, 0), at(0, 3)), placeholder: "pen" });
    const warned = nextMessage();
    const edit = await renameEdit(rig.requests, document, at(0, 1), "ink", token);
    assert.deepEqual(
      replacedIn(edit).replaced.map(({ uri, text, needsConfirmation }) => [uri, text, needsConfirmation]),
      [
        [document.uri.toString(), "ink", false],
        [other.uri.toString(), "ink", false],
      ],
    );
    assert.ok(isPreviewed(edit));
    assert.match((await warned).text, /^pen may be used in more files/);

    other.change("import main\n\n# changed since, and not saved\n");
    await assert.rejects(
      renameEdit(rig.requests, document, at(0, 1), "ink", token),
      /jobs\/other\.py has changed meanwhile/,
    );
    rig.reply = () => {
      throw new CompanionOperationError("library", "The name is defined in a library.");
    };
    await assert.rejects(renamedPlace(rig.requests, document, at(0, 1), token), /a library defines can't be renamed/);
  });

  it("send the unsaved texts of other scripts, but not too many, and name the notebooks that a rename leaves", async () => {
    const other = Object.assign(script("x = 1\nprint(pen)\n", "jobs/other.py"), { isDirty: true });
    const saved = script("pen", "jobs/saved.py");
    const elsewhere = Object.assign(new StandInText(uriOf("acme", "other", "a.py"), "pen"), { isDirty: true });
    const own = Object.assign(script("pen = 1"), { isDirty: true });
    const open: unknown[] = [other, saved, elsewhere, own];
    Object.defineProperty(workspace, "textDocuments", { configurable: true, get: () => open });
    const found = { name: "pen", place: { cell: 0, range: range(0, 0, 0, 3) }, locations: [], isComplete: true };
    rig.reply = () => ({ ...found, isLocal: false, notebooks: ["a.ipynb", "../b.ipynb"] });
    const rename = () => renameEdit(rig.requests, own, at(0, 1), "ink", token);
    const warned = nextMessage();
    const edit = await rename();
    assert.ok(edit !== undefined && !isPreviewed(edit));
    assert.equal((await warned).text, "Notebooks that use pen aren't changed: a.ipynb");
    const unsaved = [{ path: "jobs/other.py", text: "x = 1\nprint(pen)\n" }];
    assert.deepEqual(rig.sent.at(-1)?.parameters.unsaved, unsaved);
    await definitionAt(rig.requests, own, at(0, 1), token);
    assert.deepEqual(rig.sent.at(-1)?.parameters.unsaved, unsaved);

    const large = Object.assign(script(`${"#".repeat(2_000_000)}pen`, "jobs/large.py"), { isDirty: true });
    open.unshift(large);
    rig.reply = () => ({ ...found, isLocal: false, notebooks: [] });
    large.change("#".repeat(2_000_000));
    other.change("pencil = 1\n");
    assert.ok((await rename()) !== undefined);
    assert.deepEqual(rig.sent.at(-1)?.parameters.unsaved, [{ path: "jobs/large.py", text: "#".repeat(2_000_000) }]);
    other.change("x = 1\nprint(pen)\n");
    await assert.rejects(rename(), /jobs\/other\.py has unsaved changes/);
    rig.reply = () => ({ ...found, isLocal: true, notebooks: [] });
    assert.ok((await rename()) !== undefined);
  });

  it("report the problems of the text that was checked, and of no later one", async () => {
    await rig.companions.get();
    const document = script("print(");
    const checks: ((problems: readonly object[]) => void)[] = [];
    rig.reply = ({ operation }) =>
      operation === "language.check"
        ? new Promise((resolve) => checks.push((problems) => resolve({ problems })))
        : { prepared: 0 };
    const problem = {
      cell: 0,
      range: range(0, 5, 0, 6),
      message: "never closed",
      severity: "error",
      code: "",
      source: "Python",
    };
    const shown = (): readonly Diagnostic[] => diagnostics.get(document.uri.toString()) ?? [];
    const problems = new Problems(rig.requests, rig.companions);
    problems.update(document);
    await until("the check", () => checks.length === 1);
    document.change("print()");
    problems.update(document);
    checks[0]?.([problem]);
    await until("the second check", () => checks.length === 2);
    assert.deepEqual(shown(), []);
    checks[1]?.([{ ...problem, severity: "warning", code: "F401", source: "Ruff" }]);
    await until("the problem", () => shown().length === 1);
    assert.deepEqual(
      shown().map(({ message, severity, source, code }) => [message, severity, source, code]),
      [["never closed", 1, "Ruff", "F401"]],
    );
    // Prepared once, not after each change.
    assert.equal(rig.sent.filter(({ operation }) => operation === "language.prepare").length, 1);
    problems.close(document);
    assert.deepEqual(shown(), []);
    problems.dispose();
  });

  it("check nothing without a companion", () => {
    const problems = new Problems(rig.requests, rig.companions);
    problems.update(script("print("));
    problems.dispose();
    assert.deepEqual(rig.sent, []);
  });

  it("add nothing where another extension does", () => {
    const [cell] = notebook(["x", "python"]);
    const document = script("x");
    assert.ok(cell !== undefined);
    const provided = (): readonly boolean[] => [isProvided(document), isProvided(cell)];
    const install = (...ids: readonly string[]): void => {
      extensions.getExtension = (id) => (ids.includes(id) ? {} : undefined);
    };
    assert.deepEqual(provided(), [true, true]);
    install("ms-python.vscode-pylance");
    assert.deepEqual(provided(), [true, false]);
    editor.showFolders(document.uri as never);
    assert.deepEqual(provided(), [false, false]);
    editor.showFolders(Uri.file("/home") as never, document.uri as never);
    assert.deepEqual(provided(), [true, false]);
    editor.configure("python.languageServer", "None");
    assert.deepEqual(provided(), [true, true]);
    editor.configure("python.languageServer", undefined);
    install("ms-pyright.pyright");
    assert.deepEqual(provided(), [false, false]);
    editor.configure("platformWorkbench.languageFeatures", "on");
    assert.deepEqual(provided(), [true, true]);
    install();
    editor.configure("platformWorkbench.languageFeatures", "off");
    assert.deepEqual(provided(), [false, false]);
    editor.showFolders();
  });
});

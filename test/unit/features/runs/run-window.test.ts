import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as vscode from "vscode";
import type { RunServices } from "../../../../src/features/runs/run-services.ts";
import { RunWindow } from "../../../../src/features/runs/run-window.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { editor } from "../../../harness/editor-stand-in/vscode.ts";
import { until } from "../../../harness/until.ts";
import { contentPathOf, fakePlatform, item, json } from "../../api/fake-platform.ts";

/** A view that nobody sees. */
const hidden = { isVisible: () => false, redraw: () => {} };

describe("the list of runs of a server whose Jupyter Scheduler fails", () => {
  it("has the runs, and the reason below them", async () => {
    const run = {
      ...item("report 2026-11-29 07.00.ipynb", "notebook"),
      size: 10,
      last_modified: "2026-11-29T07:00:00Z",
    };
    const { content: client } = fakePlatform((request) =>
      request.path.includes("/scheduler/jobs")
        ? json(500, { message: "database is locked", reason: null })
        : request.path.includes("/api/sessions")
          ? json(200, [])
          : contentPathOf(request) === ""
            ? json(200, item("", "directory", [run]))
            : json(200, { ...run, content: { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 } }),
    );
    const warnings: string[] = [];
    const services = {
      connections: { content: async () => client },
      secrets: { onDidSignOut: () => ({ dispose: () => {} }) },
      log: { warn: (text: string) => warnings.push(text) },
      windowState: new StandInMemento(),
    } as unknown as RunServices;
    const window = new RunWindow(services, hidden);
    const notebook = { uri: uriOf("acme", "4f7c21aa", "report.ipynb") };
    Object.assign(vscode.window, { activeNotebookEditor: { notebook } });
    for (const _ of [1, 2]) {
      const rows = await window.elements();
      assert.deepEqual(
        rows.map(({ row: { contextValue, label } }) => contextValue ?? label),
        ["run.ended", "Can't list the jobs of Jupyter Scheduler: database is locked (500). Try again later."],
      );
    }
    assert.equal(warnings.length, 1);
    window.dispose();
    Object.assign(vscode.window, { activeNotebookEditor: undefined });
  });
});

describe("looks at runs at the same time", () => {
  const path = "report 2026-11-29 07.00.ipynb";
  const kernel = { id: "k1", name: "python3", execution_state: "busy", connections: 0, last_activity: "" };
  let run: ReturnType<typeof item> & { readonly last_modified: string };
  let sessions: readonly object[];
  let gate: Promise<void>;
  let asked: number;
  let record: { status: string; source: string; parameters: object; cell: number; cells: number };
  /** What was drawn again. */
  let drawn: unknown[];
  let window: RunWindow;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    [sessions, gate, asked, drawn] = [[], Promise.resolve(), 0, []];
    run = { ...item(path, "notebook"), size: 10, last_modified: "2026-11-29T07:00:00Z" };
    record = { status: "running", source: "report.ipynb", parameters: {}, cell: 1, cells: 2 };
    const { content: client } = fakePlatform((request) =>
      request.path.includes("/scheduler/")
        ? json(404, {})
        : request.path.includes("/api/sessions")
          ? json(200, sessions)
          : contentPathOf(request) === ""
            ? json(200, item("", "directory", [run]))
            : json(200, {
                ...run,
                content: { cells: [], metadata: { platform_workbench_run: record }, nbformat: 4, nbformat_minor: 5 },
              }),
    );
    const content = async () => {
      asked += 1;
      await gate;
      return client;
    };
    const services = {
      connections: { content },
      secrets: { onDidSignOut: () => ({ dispose: () => {} }) },
      log: { warn: (text: string) => assert.fail(text) },
      files: { refresh: () => {} },
      windowState: new StandInMemento(),
    } as unknown as RunServices;
    window = new RunWindow(services, { isVisible: () => true, redraw: (elements) => drawn.push(elements) });
  });
  afterEach(() => {
    window.dispose();
    mock.timers.reset();
    Object.assign(vscode.window, { activeNotebookEditor: undefined });
  });

  const activate = (name: string): void => {
    const notebook = { uri: uriOf("acme", "4f7c21aa", name) };
    Object.assign(vscode.window, { activeNotebookEditor: { notebook } });
  };
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  };

  it("report the end of a run once", async () => {
    const before = editor.messages.length;
    const slow = Promise.withResolvers<void>();
    gate = slow.promise;
    window.add({ tenantId: "acme", workspaceId: "4f7c21aa", path });
    for (const looks of [1, 2]) {
      // Whatever changes in the view begins another look.
      await window.elements();
      mock.timers.tick(15_000);
      assert.equal(asked, looks);
    }
    slow.resolve();
    await until("the message", () => editor.messages.length > before);
    await turns();
    assert.equal(editor.messages.length, before + 1);
  });

  it("continue for the notebook that is shown, also if the list of another one arrives later", async () => {
    const slow = Promise.withResolvers<void>();
    gate = slow.promise;
    activate("other.ipynb");
    const earlier = window.elements();
    gate = Promise.resolve();
    sessions = [{ id: "s1", path, name: "", type: "notebook", kernel }];
    activate("report.ipynb");
    const elements = await window.elements();
    assert.equal(elements.length, 1);
    slow.resolve();
    assert.deepEqual(await earlier, elements);
    const before = asked;
    mock.timers.tick(15_000);
    await until("the next look", () => asked > before);
    await turns();
    assert.deepEqual(drawn, []);
  });

  it("draw only the row that has changed", async () => {
    sessions = [{ id: "s1", path, name: "", type: "notebook", kernel }];
    activate("report.ipynb");
    const [element] = await window.elements();
    assert.equal(element?.row.description, "code cell 1 of 2");
    [record, run] = [
      { ...record, cell: 2 },
      { ...run, last_modified: "2026-11-29T07:01:00Z" },
    ];
    mock.timers.tick(15_000);
    await until("the change", () => drawn.length > 0);
    assert.deepEqual(drawn, [[element]]);
    assert.equal(element.row.description, "code cell 2 of 2");
    assert.equal((await window.elements())[0], element);
  });
});

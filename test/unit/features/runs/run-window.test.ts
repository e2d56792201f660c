import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { RunServices } from "../../../../src/features/runs/run-services.ts";
import { RunWindow } from "../../../../src/features/runs/run-window.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { StandInMemento } from "../../../harness/editor-stand-in/memory.ts";
import { contentPathOf, fakePlatform, item, json } from "../../api/fake-platform.ts";

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
    const window = new RunWindow(services, () => {});
    const notebook = { uri: uriOf("acme", "4f7c21aa", "report.ipynb") };
    Object.assign(vscode.window, { activeNotebookEditor: { notebook } });
    for (const _ of [1, 2]) {
      const rows = await window.rows();
      assert.deepEqual(
        rows.map(({ contextValue, label }) => contextValue ?? label),
        ["run.ended", "Can't list the jobs of Jupyter Scheduler: database is locked (500). Try again later."],
      );
    }
    assert.equal(warnings.length, 1);
    window.dispose();
    Object.assign(vscode.window, { activeNotebookEditor: undefined });
  });
});

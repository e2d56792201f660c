import assert from "node:assert/strict";
import type { NotebookDocument } from "vscode";
import type { CellRuns } from "../../../../src/features/kernels/cells/cell-runs.ts";
import { NotebookConnection } from "../../../../src/features/kernels/notebook-connection.ts";

describe("the connection of a notebook", () => {
  let steps: string[];
  let connection: NotebookConnection;

  beforeEach(() => {
    steps = [];
    connection = new NotebookConnection({
      notebook: {} as NotebookDocument,
      runs: {} as CellRuns,
      events: { fire: () => {} },
      log: { error: () => {} },
    });
  });
  const open = (): Promise<never> => {
    steps.push("open");
    return Promise.reject(new Error("not running"));
  };

  it("opens after a restart on the server that is in progress, also after one that failed", async () => {
    for (const isRefused of [false, true]) {
      steps = [];
      const response = Promise.withResolvers<void>();
      const restarting = connection.restart(() => {
        steps.push("restart");
        return response.promise;
      });
      const connecting = connection.connect(open);
      steps.push("respond");
      if (isRefused) {
        response.reject(new Error("refused"));
        await assert.rejects(restarting, /refused/);
      } else {
        response.resolve();
        await restarting;
      }
      await assert.rejects(connecting, /not running/);
      assert.deepEqual(steps, ["restart", "respond", "open"]);
    }
  });

  it("restarts on the server after a connection that was being opened failed", async () => {
    const response = Promise.withResolvers<never>();
    const connecting = connection.connect(() => response.promise);
    const restarting = connection.restart(async () => void steps.push("restart"));
    steps.push("fail");
    response.reject(new Error("not running"));
    await assert.rejects(connecting, /not running/);
    await restarting;
    assert.deepEqual(steps, ["fail", "restart"]);
  });
});

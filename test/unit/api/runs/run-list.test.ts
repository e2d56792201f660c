import assert from "node:assert/strict";
import { namesBeside } from "../../../../src/api/runs/run-list.ts";
import { fakePlatform, item, json } from "../fake-platform.ts";

describe("the names that a run can't have", () => {
  it("are those of the folder's items, and of runs whose notebook doesn't exist yet", async () => {
    const kernel = { id: "k1", name: "python3", execution_state: "busy", connections: 0, last_activity: "" };
    const session = (path: string): object => ({ id: path, path, name: path, type: "notebook", kernel });
    const { content } = fakePlatform((request) =>
      request.path.includes("/api/sessions")
        ? json(200, [session("sub/report 2026-11-29 07.00.ipynb"), session("sub/other.ipynb")])
        : json(200, item("sub", "directory", [item("sub/report.ipynb", "notebook")])),
    );
    assert.deepEqual(
      [...(await namesBeside(content, "sub/report.ipynb"))],
      ["report.ipynb", "report 2026-11-29 07.00.ipynb"],
    );
  });
});

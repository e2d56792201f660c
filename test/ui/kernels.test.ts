import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { pictureFailures } from "./failure-pictures.ts";
import { openTenantWindow, openWorkspaceFolder, type TenantWindow } from "./tenant-window.ts";

const name = "forecast.ipynb";
const ticks = 12;
const slowCell = [
  "import time",
  `for n in range(${ticks}):`,
  "    print('tick', n)",
  "    time.sleep(1)",
  "print('all done')",
].join("\n");

interface SavedCell {
  readonly source: string | readonly string[];
  readonly execution_count: number | null;
  readonly outputs: readonly {
    readonly output_type: string;
    readonly text?: readonly string[];
    readonly data?: object;
  }[];
}

describe("running a notebook of a workspace", function () {
  this.timeout(300_000);
  let window: TenantWindow;
  let jupyter: JupyterServer | undefined;
  let path: string;

  before(async () => {
    window = await openTenantWindow({
      tenant: {
        contentServer: {
          kind: "proxied",
          addressOf: async (workspaceId) => {
            jupyter = await startJupyterServer({
              root: window.tenant.contentRoot(workspaceId),
              token: randomBytes(24).toString("hex"),
            });
            return { url: `${jupyter.url}/`, token: jupyter.token };
          },
        },
      },
    });
    const workspace = window.tenant.workspaces.find((candidate) => candidate.name === "Sales forecasting");
    path = join(window.tenant.contentRoot(workspace?.id ?? ""), name);
  });
  pictureFailures(() => window.workbench);
  after(async () => {
    await window?.close();
    await jupyter?.stop();
  });

  const saved = async (): Promise<readonly SavedCell[]> => JSON.parse(await readFile(path, "utf8")).cells;

  it("runs all cells with one click: a table and a plot", async () => {
    const { workbench } = window;
    await openWorkspaceFolder(window, "Sales forecasting");
    await workbench.explorer.openFile(name);
    const editor = await workbench.editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    await editor.waitForOrder(1, 120);
    await workbench.waitForStatus(/Python 3.*Idle/);
    // A long notebook draws only the cells in sight. The last one but one is the last with code.
    await editor.showCell((await editor.cellCount()) - 2);
    await editor.waitForOrder(4, 60);
    await workbench.screenshot("notebook-run");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(name);
    const outputs = (await saved()).flatMap((cell) => cell.outputs ?? []);
    assert.ok(outputs.some(({ data = {} }) => "text/html" in data));
    assert.ok(outputs.some(({ data = {} }) => "image/png" in data));
  });

  it("loses nothing of a running cell when the window is loaded again", async () => {
    const { workbench } = window;
    const editor = await workbench.editors.notebook(name);
    const count = await editor.cellCount();
    // The last cell is Markdown: the new one goes below the code before it.
    const slow = count - 1;
    await editor.insertCodeCellBelow(slow - 1, slowCell);
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(name);
    await editor.runCell(slow);
    await editor.waitForRendered("tick 2", 60);
    await workbench.reload();
    const again = await workbench.editors.notebook(name);
    await again.showCell(slow);
    await again.waitForRendered("all done", 90);
    await workbench.screenshot("notebook-after-reload");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(name);
    const cell = (await saved()).at(slow);
    assert.deepEqual(
      cell?.outputs.map(({ output_type: type, text = [] }) => [type, text.join("")]),
      [["stream", `${Array.from({ length: ticks }, (_, tick) => `tick ${tick}\n`).join("")}all done\n`]],
    );
    assert.equal(cell?.execution_count, 5);
  });

  it("saves a notebook that is valid", async () => {
    const { python } = await ready(pythonEnvironment);
    const program =
      "import nbformat, sys; nbformat.validate(nbformat.read(sys.argv[1], as_version=nbformat.NO_CONVERT))";
    const checked = spawnSync(python, ["-c", program, path], { encoding: "utf8" });
    assert.equal(checked.status, 0, checked.stderr);
  });
});

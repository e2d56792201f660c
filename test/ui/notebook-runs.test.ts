import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type JupyterServer, startJupyterServer } from "../harness/jupyter-server.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { workspaceNamed } from "./tenant-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const name = "draft.ipynb";
const gate = "hold";
const sources = (parameter: string): readonly string[] => [
  `${parameter} = 3`,
  `import time\nfrom pathlib import Path\nwhile Path("${gate}").exists(): time.sleep(0.05)`,
  `print(${parameter}, "of them")`,
];

describe("runs of a notebook in a window", () => {
  let window: JupyterWindow;
  let restarted: JupyterServer | undefined;

  before(async () => {
    window = await openJupyterWindow({
      files: { [name]: pythonNotebook(sources("months")), [gate]: "" },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
      scheduler: true,
    });
    await window.workbench.explorer.openFile(name);
    await window.workbench.editors.notebook(name);
  });
  after(async () => {
    await window?.close();
    await restarted?.kill();
  });
  reportFailures(() => window.workbench);

  const view = () => window.workbench.sideBar.view("Notebook Runs");
  const descriptions = async (): Promise<readonly string[]> =>
    (await (await view()).tree.rows()).map(({ description }) => description);
  const waitForRows = (what: string, ...patterns: readonly RegExp[]): Promise<unknown> =>
    waitFor(
      what,
      async () => {
        const found = await descriptions();
        return found.length === patterns.length && patterns.every((pattern, index) => pattern.test(found[index] ?? ""));
      },
      { seconds: 120, describe: async () => JSON.stringify(await descriptions()) },
    );
  /** Chooses from the menu of the newest run. */
  const choose = async (command: string): Promise<void> =>
    (await (await view()).tree.row(/./)).chooseFromContextMenu(command);
  const executed = async (): Promise<readonly string[]> =>
    (await readdir(window.root)).filter((file) => /^draft \d.*\.ipynb$/.test(file));

  it("tags the cell with the parameters, starts, and is canceled", async () => {
    const { workbench, root } = window;
    await workbench.runCommand("Platform: Run as Job…");
    await workbench.quickInput.choose(/^Tag a Cell/);
    await screenshotInThemes(window, "runs-tag");
    await workbench.quickInput.choose(/^months = 3/);
    await workbench.quickInput.waitForStep(/^Run draft\.ipynb as Job/);
    await workbench.quickInput.choose(/^months/);
    await workbench.quickInput.submit("12");
    await workbench.quickInput.choose(/^Start Run/);
    const saved = JSON.parse(await readFile(join(root, name), "utf8")) as { cells: { metadata: object }[] };
    assert.deepEqual(saved.cells[0]?.metadata, { tags: ["parameters"] });
    await workbench.notifications.waitFor(/^Running draft\.ipynb\. The run continues/, 120);
    await workbench.notifications.dismissAll();
    await waitForRows("the run", /^code cell 3 of 4 · months = 12$/);
    await screenshotInThemes(window, "runs-running");
    await choose("Cancel Run…");
    const { detail } = await workbench.dialog.waitFor("Cancel the run of draft.ipynb?");
    assert.match(detail, /^What ran until now is saved in draft \d{4}-.*\.ipynb\.$/);
    await workbench.screenshot("runs-cancel");
    await workbench.dialog.click("Cancel Run");
    await workbench.notifications.waitFor("The run of draft.ipynb was canceled. What ran until then is saved.", 60);
    await waitForRows("the canceled run", /^canceled · .*months = 12$/);
    await workbench.notifications.dismissAll();
  });

  it("runs again with the same parameters, unless the notebook no longer has one", async () => {
    const { workbench, root } = window;
    await rm(join(root, gate));
    await choose("Run Again with These Parameters…");
    await waitFor("the parameters of the run", async () =>
      (await workbench.quickInput.widget.innerText()).includes("changed, 3 in the notebook"),
    );
    await workbench.quickInput.choose(/^Start Run/);
    await workbench.notifications.waitFor(/^The run of draft\.ipynb is done after /, 120);
    await workbench.notifications.dismissAll();
    await waitForRows("both runs", /^succeeded · .*months = 12$/, /^canceled/);
    const texts = await Promise.all((await executed()).map((file) => readFile(join(root, file), "utf8")));
    assert.equal(texts.filter((text) => text.includes("12 of them")).length, 1);
    const notebook = await readFile(join(root, name), "utf8");
    await writeFile(join(root, name), notebook.replaceAll("months", "weeks"));
    await choose("Run Again with These Parameters…");
    await workbench.notifications.waitFor(
      /^draft\.ipynb no longer has the parameter months\. Use Run as Job to enter the parameters again\./,
    );
    await screenshotInThemes(window, "runs-missing-parameter");
    await workbench.notifications.dismissAll();
    await writeFile(join(root, name), notebook);
  });

  it("deletes a run after a confirmation that names it", async () => {
    const { workbench } = window;
    await choose("Delete Run…");
    const { message, detail } = await workbench.dialog.waitFor(/^Delete the run draft \d{4}-.*\.ipynb\?/);
    assert.match(detail, /^The executed notebook with its outputs is deleted\.$/);
    await workbench.screenshot("runs-delete");
    await workbench.dialog.click("Delete");
    await waitForRows("one run", /^canceled/);
    const left = await executed();
    assert.equal(left.length, 1);
    assert.ok(!message.includes(left[0] ?? ""), message);
  });

  it("lists a job of Jupyter Scheduler, opens its notebook, and deletes it", async () => {
    const { workbench, jupyter, root } = window;
    const response = await fetch(`${jupyter.url}/scheduler/jobs`, {
      method: "POST",
      headers: { Authorization: `token ${jupyter.token}` },
      body: JSON.stringify({
        name: "Monthly draft",
        input_uri: name,
        runtime_environment_name: "python",
        runtime_environment_parameters: {},
        output_formats: ["ipynb", "html"],
        parameters: { months: "24" },
      }),
    });
    assert.equal(response.status, 200);
    await (await view()).clickTitleAction("Refresh Runs");
    await waitForRows("the job", /^succeeded · .* · job · months = 24$/, /^canceled/);
    await screenshotInThemes(window, "runs-scheduler");
    await choose("Open File of Job…");
    await screenshotInThemes(window, "runs-scheduler-files");
    await workbench.quickInput.choose(/^Notebook/);
    const copy = await waitFor("the copy of its notebook", async () => {
      const files = await readdir(join(root, "jobs"), { recursive: true }).catch(() => []);
      return files.map((file) => basename(file)).find((file) => /^draft-\d{4}-.*\.ipynb$/.test(file));
    });
    const opened = await workbench.editors.notebook(copy);
    await opened.waitForRendered("24 of them");
    await workbench.runCommand("View: Close Editor");
    await workbench.editors.waitForTab(name, { active: true });
    await choose("Delete Run…");
    const { detail } = await workbench.dialog.waitFor("Delete the job Monthly draft?");
    assert.equal(detail, "Its outputs in Jupyter Scheduler are deleted. Copies in the workspace stay.");
    await workbench.dialog.click("Delete");
    await waitForRows("the run", /^canceled/);
  });

  it("says that a run ended early if the workspace stops, also after its next start", async () => {
    const { workbench, tenant, jupyter, root } = window;
    const { id } = workspaceNamed(window, "Sales forecasting");
    await writeFile(join(root, gate), "");
    await workbench.runCommand("Platform: Run as Job…");
    await workbench.quickInput.choose(/^Start Run/);
    await workbench.notifications.waitFor(/^Running draft\.ipynb\. The run continues/, 120);
    await workbench.notifications.dismissAll();
    await waitForRows("the run", /^code cell 2 of 3$/, /^canceled/);
    await tenant.stopWorkspace(id);
    // As the platform does: with the workspace, its server and all kernels end.
    await jupyter.kill();
    await workbench.notifications.waitFor(
      /^The run of draft [-0-9 .()]+ipynb ended early, because its kernel or the workspace was stopped\. What ran until then is saved\.$/,
      60,
    );
    await screenshotInThemes(window, "runs-stopped");
    await workbench.notifications.dismissAll();
    const port = Number(new URL(jupyter.url).port);
    restarted = await startJupyterServer({ root, token: jupyter.token, port });
    await tenant.startWorkspace(id);
    await (await view()).clickTitleAction("Refresh Runs");
    await waitForRows("the run that ended early", /^ended early/, /^canceled/);
    await screenshotInThemes(window, "runs-ended-early");
  });
});

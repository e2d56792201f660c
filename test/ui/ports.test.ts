import assert from "node:assert/strict";
import { waitFor } from "../harness/workbench/waiting.ts";
import { type ListeningProgram, startProgram, tornadoApp } from "../kernels/tunnel/ports-rig.ts";
import { type JupyterWindow, openJupyterWindow } from "./jupyter-window.ts";

describe("ports of a workspace", () => {
  let window: JupyterWindow;
  let app: ListeningProgram;

  before(async () => {
    window = await openJupyterWindow({ workspace: { name: "Sales forecasting" }, files: { "a.txt": "a" } });
    app = await startProgram(tornadoApp, window.root);
  });
  after(async () => {
    await app.stop();
    await window.close();
  });

  it("are forwarded to this computer, shown in a view, and closed by signing out", async () => {
    const { workbench } = window;
    const { notifications, quickInput, sideBar } = workbench;
    await workbench.runCommand("Platform: Forward Port…");
    await quickInput.waitForStep("Forward Port of Sales forecasting");
    await quickInput.type(String(app.port));
    await workbench.screenshot("forward-port");
    await quickInput.choose(new RegExp(String(app.port)));
    await notifications.waitFor(`Port ${app.port} of Sales forecasting is forwarded to 127.0.0.1:`);
    await sideBar.open("Platform");
    const view = await sideBar.view("Ports");
    const row = await view.tree.row(new RegExp(`^${app.port}`));
    assert.deepEqual(await row.inlineActions(), [
      "Open Forwarded Port in Browser",
      "Open Forwarded Port in Editor",
      "Stop Forwarding Port",
    ]);
    await workbench.screenshot("ports-view");
    const [, local = ""] = /127\.0\.0\.1:(\d+)/.exec(await row.accessibleName()) ?? [];
    const response = await fetch(`http://127.0.0.1:${local}/`);
    assert.equal(await response.text(), `hello from 127.0.0.1:${local}`);
    await workbench.runCommand("Platform: Sign Out…");
    await quickInput.choose("Sample tenant");
    await waitFor("the port to close", () =>
      fetch(`http://127.0.0.1:${local}/`).then(
        () => false,
        () => true,
      ),
    );
    await waitFor("the view to go", async () => !(await sideBar.views()).includes("Ports"));
  });
});

import assert from "node:assert/strict";
import { plainShell } from "../harness/jupyter-environment.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { makePackageEnvironment, type PackageTestEnvironment } from "../kernels/packages/package-environment.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

describe("packages of a workspace", () => {
  let environment: PackageTestEnvironment;
  let window: JupyterWindow;

  before(async () => {
    environment = await makePackageEnvironment();
    await environment.publish("1.0");
    window = await openJupyterWindow({
      files: {
        "imports.ipynb": pythonNotebook(["import aa_demo; print('version', aa_demo.version)"], "Imports"),
        "requirements.txt": "packaging\naa-demo==1.1\n",
      },
      settings: themeSettings,
      terminals: true,
      environment: environment.variables,
      serverArguments: [plainShell],
      workspace: { name: "Sales forecasting" },
    });
  });
  reportFailures(() => window.workbench);
  after(async () => {
    await window?.close();
    await environment?.stop();
  });

  it("are listed, installed in a terminal, upgraded, and uninstalled", async () => {
    const { workbench } = window;
    const { dialog, notifications, quickInput, sideBar } = workbench;
    await workbench.runCommand("Platform: Show Packages");
    const view = await sideBar.view("Packages");
    await view.waitForMessage(/Python 3.* packages/);
    const description = async (): Promise<string> => (await view.tree.row("aa-demo")).description();
    await workbench.runCommand("Platform: Install Package…");
    await quickInput.waitForStep("Install Package");
    await quickInput.type("aa-demo >= 1");
    await workbench.screenshot("install-package");
    await quickInput.accept();
    assert.equal(await description(), "1.0");
    await environment.publish("1.1");
    await workbench.runCommand("Platform: Check for Package Updates");
    await waitFor("the newer version", async () => (await description()) === "1.0 → 1.1");
    const row = await view.tree.row("aa-demo");
    assert.deepEqual(await row.inlineActions(), ["Upgrade Package", "Uninstall Package…"]);
    await screenshotInThemes(window, "packages");

    // The kernel of a notebook that becomes active.
    await sideBar.open("Explorer");
    await workbench.explorer.openFile("imports.ipynb");
    const editor = await workbench.editors.notebook("imports.ipynb");
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    await editor.waitForRendered("version 1.0");
    await sideBar.open("Platform");
    const header = workbench.page.locator(".pane-header .description", { hasText: "kernel of imports.ipynb" });
    await waitFor("the packages of the kernel", () => header.isVisible());
    // The hover of the activity bar would cover the row.
    await workbench.page.mouse.move(640, 400);
    await (await view.tree.row("aa-demo")).chooseFromContextMenu("Upgrade Package");
    await notifications.waitFor("aa-demo changed, but this kernel has already imported the earlier version.");
    await workbench.screenshot("packages-of-kernel");
    await waitFor("the new version", async () => (await description()) === "1.1");
    await (await view.tree.row("aa-demo")).clickInlineAction("Uninstall Package…");
    await dialog.waitFor("Uninstall aa-demo?");
    await workbench.screenshot("uninstall-package");
    await dialog.click("Uninstall");
    await view.tree.waitForNoRow("aa-demo");
  });

  it("are found in the index, compared with requirements, and frozen", async () => {
    const { workbench } = window;
    const { dialog, editors, quickInput, sideBar } = workbench;
    const view = await sideBar.view("Packages");
    const description = async (): Promise<string> => (await view.tree.row("aa-demo")).description();
    await workbench.runCommand("Platform: Search Package Index…");
    await quickInput.waitForStep("Search Package Index");
    await quickInput.type("demo");
    await quickInput.accept();
    await quickInput.waitForStep("1 package");
    await workbench.screenshot("packages-found");
    await quickInput.choose("aa-demo");
    await quickInput.waitForStep("Install aa-demo");
    await workbench.screenshot("packages-versions");
    await quickInput.choose("1.0");
    await waitFor("the chosen version", async () => (await description()) === "1.0");

    await workbench.runCommand("Platform: Install from Requirements…");
    await quickInput.choose("requirements.txt");
    await dialog.waitFor("Install what requirements.txt asks for?");
    await screenshotInThemes(window, "packages-requirements");
    await dialog.click("Install");
    await waitFor("the required version", async () => (await description()) === "1.1");

    await workbench.runCommand("Platform: Freeze Packages to File…");
    await quickInput.waitForStep("Freeze Packages to File");
    await quickInput.accept();
    await dialog.waitFor("Replace requirements.txt?");
    await workbench.screenshot("packages-freeze");
    await dialog.click("Replace");
    await (await editors.text("requirements.txt")).waitForText("aa-demo==1.1");
    await workbench.screenshot("packages-frozen");
  });
});

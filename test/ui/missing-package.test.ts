import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

describe("a cell that failed to import a package", () => {
  let window: JupyterWindow;

  before(async () => {
    // pip asks no index, and finds nothing.
    const sources = ["%env PIP_NO_INDEX=1", "import missing_for_test"];
    window = await openJupyterWindow({
      files: { "missing.ipynb": pythonNotebook(sources, "Imports") },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("offers to install it, and does so in a cell above", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("missing.ipynb");
    const editor = await workbench.editors.notebook("missing.ipynb");
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    const install = workbench.page.locator(".cell-statusbar-container .cell-status-item", {
      hasText: "Install missing-for-test",
    });
    await waitFor("the offer to install it", async () => (await install.count()) > 0);
    await screenshotInThemes(window, "missing-package");
    await install.click();
    // The name of the package is a guess.
    await workbench.dialog.waitFor("Install the package missing-for-test?");
    await workbench.screenshot("missing-package-question");
    await workbench.dialog.click("Install");
    await editor.waitForRendered("No matching distribution found for missing-for-test");
    await workbench.screenshot("missing-package-installed");
  });
});

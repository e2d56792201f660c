import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

describe("the resources of a workspace", () => {
  let window: JupyterWindow;

  before(async () => {
    window = await openJupyterWindow({
      files: {
        "large.ipynb": pythonNotebook(['data = bytearray(300 * 2**20)\nprint("allocated")'], "Large"),
        "small.ipynb": pythonNotebook(['print("started")'], "Small"),
      },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
      serverArguments: ["--MappingKernelManager.cull_idle_timeout=86400", "--MappingKernelManager.cull_connected=True"],
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  it("are in the status bar and in the rows of kernels, and a click lists the kernels by their memory", async () => {
    const { workbench } = window;
    for (const [name, printed] of [
      ["small.ipynb", "started"],
      ["large.ipynb", "allocated"],
    ] as const) {
      await workbench.explorer.openFile(name);
      const editor = await workbench.editors.notebook(name);
      await editor.waitForKernel(/Python 3/);
      await editor.runAll();
      await editor.waitForRendered(printed);
    }
    // The first feature that needs the companion starts it.
    await workbench.runCommand("Platform: Go to Remote File…");
    await workbench.quickInput.waitUntilOpen();
    await waitFor("the files", async () => (await workbench.quickInput.labels()).length > 0);
    await workbench.quickInput.cancel();
    const item = workbench.page.locator(".part.statusbar [id$='platformWorkbench.resources']");
    await waitFor("memory and processors", async () => /\bGB\b.*CPU \d+\s?%/s.test(await item.innerText()), {
      describe: async () => ((await item.count()) > 0 ? item.innerText() : "no item"),
    });
    await workbench.sideBar.open("Platform");
    const { tree } = await workbench.sideBar.view("Workspaces");
    const memoryOf = async (notebook: string): Promise<string> =>
      (await tree.reveal(/^Sales forecasting/, notebook)).description();
    await waitFor(
      "the memory of both kernels",
      async () =>
        /^\d{3} MB \(most\) · /.test(await memoryOf("large.ipynb")) &&
        /^\d{2,3} MB · /.test(await memoryOf("small.ipynb")),
      { describe: async () => JSON.stringify(await tree.rows()) },
    );
    await item.hover();
    await waitFor(
      "the hover",
      async () => (await workbench.page.locator(".workbench-hover", { hasText: "Time limit" }).count()) > 0,
    );
    await screenshotInThemes(window, "resources");
    await item.click();
    await workbench.quickInput.waitForStep("Kernels of Sales forecasting");
    await waitFor(
      "the kernels by their memory",
      async () => {
        const [first, ...others] = await workbench.quickInput.labels();
        return first === "large.ipynb" && others.includes("small.ipynb") && others.includes("Companion");
      },
      { describe: async () => JSON.stringify(await workbench.quickInput.labels()) },
    );
    await screenshotInThemes(window, "kernel-memory");
    await workbench.quickInput.choose("small.ipynb");
    await workbench.editors.notebook("small.ipynb");
  });
});

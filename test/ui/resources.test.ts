import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { clickNow, repeatUntil, waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const memoryLimit = 2 ** 30;
/** Fills a share of the memory that the server and everything that it has started may use. */
const fill = `import psutil
server = psutil.Process().parent()
def fill(share):
    global data
    data = None
    used = sum(process.memory_info().rss for process in [server, *server.children(recursive=True)])
    data = bytearray(max(0, int(share * ${memoryLimit}) - used))`;

describe("the resources of a workspace", () => {
  let window: JupyterWindow;

  before(async () => {
    window = await openJupyterWindow({
      files: {
        "large.ipynb": pythonNotebook(['data = bytearray(300 * 2**20)\nprint("allocated")'], "Large"),
        "small.ipynb": pythonNotebook(['print("started")'], "Small"),
        "full.ipynb": pythonNotebook(
          [fill, 'fill(0.85)\nprint("warned")', 'fill(0.97)\nprint("full")', 'fill(0.4)\nprint("free")'],
          "Full",
        ),
      },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
      // As JupyterHub sets it.
      environment: { MEM_LIMIT: String(memoryLimit) },
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
    // A click is lost if the editor draws the item again, with new figures, between its press and its release.
    await repeatUntil(
      "the list of kernels",
      () => clickNow(item),
      () => workbench.quickInput.isOpen(),
    );
    await workbench.quickInput.waitForStep("Kernels of Sales forecasting");
    await waitFor(
      "the kernels by their memory",
      async () => {
        const [first, ...others] = await workbench.quickInput.labels();
        return first === "large.ipynb" && others.includes("small.ipynb") && others.includes("Companion");
      },
      { describe: async () => JSON.stringify(await workbench.quickInput.labels()) },
    );
    const active = workbench.quickInput.widget.locator(".monaco-list-row.focused .label-name");
    assert.deepEqual(await active.allInnerTexts(), ["large.ipynb"]);
    await screenshotInThemes(window, "kernel-memory");
    await workbench.quickInput.choose("small.ipynb");
    const actions = ["Open Notebook", "Interrupt", "Restart…", "Shut Down…"];
    const showsActions = (): Promise<unknown> =>
      waitFor("what to do with the kernel", async () =>
        isDeepStrictEqual(await workbench.quickInput.labels(), actions),
      );
    await showsActions();
    await screenshotInThemes(window, "kernel-actions");
    await workbench.page.keyboard.press("Escape");
    await waitFor("the kernels, and the last one", async () => (await active.allInnerTexts())[0] === "small.ipynb");
    await workbench.quickInput.accept();
    await showsActions();
    await workbench.quickInput.choose("Open Notebook");
    await workbench.editors.notebook("small.ipynb");
  });

  it("have the color of a warning at 80%, that of an error at 95%, and a message then names the largest kernel", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("full.ipynb");
    const editor = await workbench.editors.notebook("full.ipynb");
    await editor.waitForKernel(/Python 3/);
    await editor.runCell(1);
    const item = workbench.page.locator(".part.statusbar [id$='platformWorkbench.resources']");
    const shown = (kind: "warning" | "error" | "none"): Promise<unknown> =>
      waitFor(
        `the color: ${kind}`,
        async () => {
          const classes = ((await item.getAttribute("class")) ?? "").split(" ");
          return ["warning", "error"].every((one) => classes.includes(`${one}-kind`) === (one === kind));
        },
        { describe: async () => `${await item.getAttribute("class")} ${await item.innerText()}` },
      );
    await shown("none");
    await editor.runCell(2);
    await editor.waitForRendered("warned");
    await shown("warning");
    await screenshotInThemes(window, "memory-warning");
    await editor.runCell(3);
    await editor.waitForRendered("full");
    await shown("error");
    const message = await workbench.notifications.waitFor(
      /The memory of Sales forecasting is 9\d% full\. .* The kernel of full\.ipynb uses the most: \d{3} MB\./,
    );
    assert.deepEqual(await message.actions(), ["Show Kernels"]);
    await screenshotInThemes(window, "memory-full");
    await message.click("Show Kernels");
    await workbench.quickInput.waitForStep("Kernels of Sales forecasting");
    await waitFor("the largest kernel first", async () => (await workbench.quickInput.labels())[0] === "full.ipynb");
    await workbench.quickInput.cancel();
    await editor.runCell(4);
    await editor.waitForRendered("free");
    await shown("none");
  });
});

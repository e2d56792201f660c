import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

const name = "report.ipynb";
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A notebook with a parameter and outputs that were saved. */
const report = JSON.stringify({
  cells: [
    {
      cell_type: "markdown",
      id: "title",
      metadata: {},
      source: "# Sales report\n\nRevenue by region, see [the source](https://example.com).",
    },
    {
      cell_type: "code",
      id: "parameters",
      metadata: { tags: ["parameters"] },
      execution_count: 1,
      source: "months = 3\nregion = 'north'",
      outputs: [],
    },
    {
      cell_type: "code",
      id: "table",
      metadata: {},
      execution_count: 2,
      source:
        "import pandas as pd\nprint(f'{months} months')\npd.DataFrame({'month': range(months), 'revenue': [months * 100 + i for i in range(months)]})",
      outputs: [
        { output_type: "stream", name: "stdout", text: "3 months\n" },
        {
          output_type: "display_data",
          metadata: { "image/png": { width: 200, height: 60 } },
          data: { "image/png": picture, "text/plain": "<Figure>" },
        },
        {
          output_type: "display_data",
          metadata: {},
          data: {
            "text/html":
              "<p id='made'>made by a cell</p><script>document.getElementById('made').textContent = 'changed'</script>",
          },
        },
      ],
    },
  ],
  metadata: {
    kernelspec: { name: "python3", display_name: "Python 3", language: "python" },
    language_info: { name: "python", file_extension: ".py" },
  },
  nbformat: 4,
  nbformat_minor: 5,
});

describe("exporting a notebook", () => {
  let window: JupyterWindow;

  before(async () => {
    window = await openJupyterWindow({
      files: { [name]: report },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
    });

    const { workbench } = window;
    await workbench.explorer.openFile(name);
    await workbench.editors.notebook(name);
  });
  after(() => window?.close());
  reportFailures(() => window.workbench);

  it("writes a script beside the notebook, and asks before it replaces it", async () => {
    const { workbench, root } = window;
    const exportScript = async (): Promise<void> => {
      await workbench.runCommand("Platform: Export Notebook…");
      await workbench.quickInput.waitForStep(/^Export report/);
      await screenshotInThemes(window, "export-formats");
      await workbench.quickInput.choose(/^Script/);
      await workbench.quickInput.choose(/^Workspace/);
    };
    await exportScript();
    await workbench.notifications.waitFor("Exported report.ipynb to report.py.");
    assert.match(await readFile(join(root, "report.py"), "utf8"), /^months = 3$/m);
    await workbench.notifications.dismissAll();
    await exportScript();
    assert.match((await workbench.dialog.waitFor(/^Replace report\.py\?/)).detail, /already has a file with this name/);
    await workbench.dialog.cancel();
  });

  it("shows a preview with pictures and without scripts", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Preview Notebook as HTML");
    const frame = await waitFor("the page", async () => {
      for (const one of workbench.page.frames()) {
        if (
          (await one
            .locator("#made")
            .count()
            .catch(() => 0)) > 0 &&
          one.url() === "about:srcdoc"
        )
          return one;
      }
      return undefined;
    });
    assert.equal(await frame.locator("#made").innerText(), "made by a cell");
    assert.equal(
      await frame
        .locator("img")
        .first()
        .evaluate((image) => Reflect.get(image, "naturalWidth")),
      1,
    );
    await screenshotInThemes(window, "export-preview");
    await workbench.runCommand("View: Close Editor");
    await workbench.editors.waitForTab(name, { active: true });
  });

  it("says what the server lacks for a PDF", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Export Notebook…");
    await workbench.quickInput.choose(/^PDF/);
    await workbench.quickInput.choose(/^Workspace/);
    await workbench.notifications.waitFor(
      /Can't export report\.ipynb: the server doesn't have (Pandoc|LaTeX \(xelatex\)), which this format needs/,
    );
    await screenshotInThemes(window, "export-failed");
    await workbench.notifications.dismissAll();
  });
});

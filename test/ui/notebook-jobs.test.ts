import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MarkdownPreview } from "../harness/workbench/markdown-preview.ts";
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

  it("runs a copy with parameters, says when it is done, and lists it", async () => {
    const { workbench, root } = window;
    for (const months of ["12", "13"]) {
      await workbench.runCommand("Platform: Run as Job…");
      await workbench.quickInput.waitForStep(/^Run report\.ipynb as Job/);
      await workbench.quickInput.choose(/^months/);
      if (months === "12") {
        await workbench.quickInput.type("1 +");
        await waitFor("the reason", async () => /Enter a Python value/.test(await workbench.quickInput.message()));
      }
      await workbench.quickInput.submit(months);
      await waitFor("the changed value", async () =>
        (await workbench.quickInput.widget.innerText()).includes("changed, 3 in the notebook"),
      );
      await screenshotInThemes(window, "runs-parameters");
      await workbench.quickInput.choose(/^Start Run/);
      await workbench.notifications.waitFor(/^The run of report\.ipynb is done after /, 120);
      await screenshotInThemes(window, "runs-done");
      await workbench.notifications.dismissAll();
    }
    const runs = (await readdir(root)).filter((one) => /^report \d{4}-\d\d-\d\d \d\d\.\d\d( \(2\))?\.ipynb$/.test(one));
    assert.equal(runs.length, 2);
    const view = await workbench.sideBar.view("Notebook Runs");
    await waitFor("the runs", async () => {
      const rows = await view.tree.rows();
      return rows.length === 2 && /succeeded.*months = 13/.test(rows[0]?.description ?? "");
    });
    await screenshotInThemes(window, "runs-view");
  });

  it("compares two runs with their outputs, and lists the changed numbers", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("Notebook Runs");
    const compare = async (command: string): Promise<void> => {
      await (await view.tree.row(/./)).chooseFromContextMenu(command);
      await workbench.quickInput.choose(/^report \d/);
    };
    await compare("Compare Run…");
    await waitFor(
      "the comparison",
      async () => (await workbench.page.locator(".notebook-text-diff-editor").count()) > 0,
    );
    await screenshotInThemes(window, "runs-compared");
    await workbench.runCommand("View: Close Editor");
    await compare("List Changes Between Runs…");
    const text = await new MarkdownPreview(workbench.page).waitForText(/Changes Between Runs/);
    assert.match(text, /Code cells with other outputs: 1 of 2\./);
    await screenshotInThemes(window, "runs-changes");
  });
});

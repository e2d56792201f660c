import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { waitFor } from "../harness/workbench/waiting.ts";
import { webviewWith } from "../harness/workbench/webview.ts";
import { violations } from "./accessibility.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { inThemes, screenshotInThemes, themeSettings } from "./themes.ts";

const name = "orders.ipynb";
const rows = 1_000_000;
const source = [
  "import numpy as np, pandas as pd",
  `rows = ${rows}`,
  "random = np.random.default_rng(1)",
  'orders = pd.DataFrame({f"amount {column}": random.normal(100, 20, rows).round(2) for column in range(47)})',
  'orders.insert(0, "city", np.tile(["Lisbon", "Oslo", None, "<b>Rome</b>"], rows // 4))',
  'orders.insert(1, "number", np.arange(rows))',
  'orders.insert(2, "day", pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(rows) % 90, unit="D"))',
  'orders.loc[::7, "amount 0"] = np.nan',
  'print("made")',
].join("\n");

describe("the data explorer", () => {
  let window: JupyterWindow;
  let frame: Frame;

  before(async () => {
    window = await openJupyterWindow({
      files: {
        [name]: pythonNotebook([source, "orders.head(2)"]),
        "cities.csv": "city,people\nOslo,700000\nLisbon,550000\n",
        "sales.parquet": `PAR1${"\u0007".repeat(2_000)}PAR1`,
      },
      settings: themeSettings,
      workspace: { name: "Sales forecasting" },
    });
  });
  reportFailures(() => window.workbench);
  after(() => window?.close());

  const grid = () => frame.getByRole("grid");
  const status = (): Promise<string> => frame.locator(".position").innerText();
  const active = (): Promise<string> => frame.locator("#active").innerText();
  const shows = (what: string, text: string): Promise<unknown> =>
    waitFor(what, async () => (await grid().innerText()).includes(text), {
      describe: () => frame.locator("body").innerText(),
    });

  it("shows a frame of a kernel from the palette, and moves with the keyboard", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile(name);
    const editor = await workbench.editors.notebook(name);
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    await editor.waitForRendered("made");
    await workbench.editors.save();
    await workbench.editors.waitUntilSaved(name);
    await workbench.runCommand("Platform: Open in Data Explorer");
    await workbench.quickInput.choose(/^orders/);
    frame = await webviewWith(workbench.page, "orders");
    await shows("the first rows", "Lisbon");
    assert.match(await status(), /1,000,000 rows, 50 columns/);
    assert.equal(await frame.locator("b").count(), 0);
    await grid().focus();
    const { keyboard } = workbench.page;
    await keyboard.press("Control+End");
    await waitFor("the last row", async () => (await frame.locator("#active").count()) === 1);
    await shows("the label of the last row", "999999");
    await keyboard.press("Home");
    await keyboard.press("ArrowRight");
    await waitFor("its number", async () => (await active()) === "999999");
    // In a list that is higher than the browser allows, the keys still move by single rows.
    await keyboard.press("PageUp");
    await keyboard.press("ArrowDown");
    await waitFor("the number of a row above", async () => {
      const row = Number(await frame.locator("[role=row]:has(#active)").getAttribute("aria-rowindex")) - 2;
      return row < rows - 10 && (await active()) === String(row);
    });
    await keyboard.press("Control+Home");
    await shows("the first row", "Lisbon");
    await screenshotInThemes(window, "data-explorer");
    await inThemes(window, async (theme) => assert.deepEqual(await violations(frame), [], theme));
  });

  it("says that the network is cut while it reads rows, and goes on when it is back", async () => {
    const { workbench, connections } = window;
    await grid().focus();
    connections.refuse();
    connections.cut();
    await workbench.page.keyboard.press("Control+End");
    const notice = frame.getByRole("alert");
    const said = "The connection to the kernel is lost. More rows are shown when it is back.";
    await waitFor("the sentence", async () => (await notice.innerText()).startsWith(said), {
      describe: () => frame.locator("body").innerText(),
    });
    // The sentence takes the place of rows, but not that of the active cell.
    await waitFor("the active cell inside of the grid", async () => {
      const [cell, around] = [await frame.locator("#active").boundingBox(), await grid().boundingBox()];
      return cell !== null && around !== null && cell.y + cell.height <= around.y + around.height;
    });
    await screenshotInThemes(window, "data-explorer-cut");
    await inThemes(window, async (theme) => assert.deepEqual(await violations(frame), [], theme));
    connections.accept();
    await notice.getByRole("button", { name: "Retry" }).click();
    await waitFor("the sentence to go", async () => (await notice.innerText()) === "");
    await shows("the last row", "999999");
    await grid().focus();
    await workbench.page.keyboard.press("Control+Home");
    await shows("the first row", "Lisbon");
  });

  it("sorts, filters, and summarizes", async () => {
    const { keyboard } = window.workbench.page;
    await grid().focus();
    await keyboard.press("Control+Home");
    await keyboard.press("ArrowRight");
    await keyboard.press("ArrowUp");
    await keyboard.press("Enter");
    await keyboard.press("Enter");
    await waitFor(
      "the marks of the sorting",
      async () => (await frame.locator("[aria-sort=descending]").count()) === 1,
    );
    await shows("the highest number", "999999");
    await keyboard.press("Alt+ArrowDown");
    const panel = frame.getByRole("complementary");
    await waitFor("the summary", async () => /Distinct values\s*1,000,000/.test(await panel.innerText()), {
      describe: () => panel.innerText(),
    });
    await screenshotInThemes(window, "data-explorer-column");
    await inThemes(window, async (theme) => assert.deepEqual(await violations(frame), [], theme));
    await panel.getByLabel("From").fill("10");
    await panel.getByLabel("To").fill("19");
    await panel.getByRole("button", { name: "Apply Filter" }).click();
    await waitFor("ten rows", async () => (await status()) === "10 of 1,000,000 rows", { describe: status });
    await frame.getByRole("searchbox").fill("oslo");
    await waitFor("the rows with the text", async () => (await status()) === "2 of 1,000,000 rows", {
      describe: status,
    });
    await shows("a city", "Oslo");
    await window.workbench.screenshot("data-explorer-filtered");
    await frame.getByRole("button", { name: "Copy Code of This View" }).click();
    await waitFor("the code", async () =>
      (await window.workbench.page.evaluate<string>("navigator.clipboard.readText()")).includes("view = orders["),
    );
  });

  it("keeps its view after a reload, follows the cells, and says when the data is gone", async () => {
    const { workbench } = window;
    await workbench.reload();
    frame = await webviewWith(workbench.page, "orders", 60);
    // The editor loads the notebook's tab only when it is shown.
    await frame.getByRole("button", { name: "Open Notebook" }).click();
    // The notebook comes to the front again when it has loaded.
    await (await workbench.editors.notebook(name)).waitForKernel(/Python 3/);
    await workbench.editors.showWebview("orders");
    frame = await webviewWith(workbench.page, "orders");
    await waitFor("the same rows", async () => (await status()) === "2 of 1,000,000 rows", {
      describe: () => frame.locator("body").innerText(),
    });
    await frame.getByRole("button", { name: "Clear Filters and Sorting" }).click();
    await shows("all rows", "Lisbon");
    await workbench.editors.show(name);
    await workbench.runCommand("Platform: Restart Kernel…");
    await workbench.dialog.waitFor(/Restart/);
    await workbench.dialog.click(/Restart/);
    await workbench.editors.showWebview("orders");
    frame = await webviewWith(workbench.page, /^orders$/);
    await waitFor("a sentence", async () => /is gone|isn't defined/.test(await frame.getByRole("alert").innerText()), {
      describe: () => frame.locator("body").innerText(),
    });
    await workbench.screenshot("data-explorer-gone");
    assert.deepEqual(await violations(frame), []);
  });

  it("shows a CSV file, and says what a Parquet file needs", async () => {
    const { workbench } = window;
    await workbench.runCommand("View: Close All Editors");
    await workbench.explorer.openFile("sales.parquet");
    frame = await webviewWith(workbench.page, "sales.parquet");
    await waitFor(
      "the libraries",
      async () => /neither pyarrow nor polars/.test(await frame.getByRole("alert").innerText()),
      {
        describe: () => frame.locator("body").innerText(),
      },
    );
    await workbench.screenshot("data-explorer-parquet");
    await frame.getByRole("button", { name: "Copy Code" }).click();
    await waitFor("the code in the clipboard", async () =>
      (await workbench.page.evaluate<string>("navigator.clipboard.readText()")).includes(
        'pd.read_parquet("sales.parquet")',
      ),
    );
    await workbench.runCommand("View: Close All Editors");
    await workbench.explorer.openFile("cities.csv");
    await workbench.runCommand("Platform: Open in Data Explorer");
    frame = await webviewWith(workbench.page, "cities.csv");
    await shows("its rows", "Lisbon");
    assert.match(await status(), /2 rows, 2 columns/);
    await workbench.screenshot("data-explorer-csv");
  });
});

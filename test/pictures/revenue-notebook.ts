import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TenantWindow, workspaceNamed } from "../ui/tenant-window.ts";

const name = "revenue.ipynb";
const cell = (cell_type: "code" | "markdown", source: string) => ({
  cell_type,
  source,
  metadata: {},
  ...(cell_type === "code" ? { outputs: [], execution_count: null } : {}),
});
/** A notebook whose results fit into a picture. */
const notebook = {
  nbformat: 4,
  nbformat_minor: 4,
  metadata: { kernelspec: { name: "python3", display_name: "Python 3" }, language_info: { name: "python" } },
  cells: [
    cell("markdown", "# Revenue"),
    cell("code", 'import pandas as pd\n\nsales = pd.read_csv("data/sales.csv", parse_dates=["month"])\nsales.tail(3)'),
    cell(
      "code",
      'monthly = sales.groupby("month")["revenue"].sum()\nax = monthly.plot(figsize=(7, 2.2), title="Revenue")',
    ),
  ],
};

/** Adds a notebook to the workspace Sales forecasting, whose folder is open, and runs all its cells. */
export async function runRevenueNotebook({ tenant, workbench }: TenantWindow): Promise<void> {
  const { id } = workspaceNamed({ tenant }, "Sales forecasting");
  await writeFile(join(tenant.contentRoot(id), name), JSON.stringify(notebook));
  await workbench.runCommand("Refresh Explorer");
  await workbench.explorer.openFile(name);
  const editor = await workbench.editors.notebook(name);
  await editor.waitForKernel(/Python 3/);
  await editor.runAll();
  await editor.waitForPicture(100);
  await editor.waitForSuccess(2);
}

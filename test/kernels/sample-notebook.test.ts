import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { writeFiles } from "../../src/programs/sample-tenant/seed/files.ts";
import { salesFiles } from "../../src/programs/sample-tenant/seed/sales-files.ts";
import { makeJupyterHome } from "../harness/jupyter-environment.ts";

/** Runs all cells of the notebook, then prints the cells, and the numbers of pixels of two colors in each picture. */
const program = `
import base64, io, json, sys
import matplotlib.image
import nbformat
from nbclient import NotebookClient

def shown(output):
    if output.output_type == "stream":
        return {"text": output.text}
    png = output.data.get("image/png")
    if png is None:
        return {"text": output.data["text/plain"]}
    image = matplotlib.image.imread(io.BytesIO(base64.b64decode(png)))[:, :, :3] * 255
    count = lambda color: int((abs(image - color).max(axis=2) < 8).sum())
    return {"blue": count((52, 120, 190)), "orange": count((240, 150, 60))}

notebook = nbformat.read(sys.argv[1], 4)
before = [[shown(output) for output in cell.get("outputs", [])] for cell in notebook.cells]
NotebookClient(notebook, kernel_name="python3").execute()
after = [[shown(output) for output in cell.get("outputs", [])] for cell in notebook.cells]
json.dump({"before": before, "after": after}, sys.stdout)
`;

interface Shown {
  readonly text?: string;
  readonly blue?: number;
  readonly orange?: number;
}

describe("the first notebook that newcomers run", () => {
  it("shows after Run All what it says, and what it showed before", async () => {
    const { python } = await ready(pythonEnvironment);
    const home = await makeJupyterHome(python);
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-notebook-"));
    try {
      await writeFiles(directory, salesFiles(new Date("2026-11-28T12:00:00Z")));
      const path = join(directory, "forecast.ipynb");
      assert.match(await readFile(path, "utf8"), /orange bars the forecast/);
      const env = { ...process.env, ...home.environment };
      const { stdout } = await promisify(execFile)(python, ["-c", program, path], { cwd: directory, env });
      const { before, after }: Readonly<Record<"before" | "after", readonly (readonly Shown[])[]>> = JSON.parse(stdout);
      const numbers = (cells: readonly (readonly Shown[])[]): readonly string[] =>
        cells.flat().flatMap(({ text = "" }) => text.match(/\d{4,}$|\d+\.\d %/gm) ?? []);
      assert.deepEqual(numbers(after), numbers(before));
      for (const cells of [before, after]) {
        const pictures = cells.flat().filter(({ text }) => text === undefined);
        assert.equal(pictures.length, 1);
        for (const { blue = 0, orange = 0 } of pictures) {
          assert.ok(orange > 1000 && blue > orange, `${blue} blue and ${orange} orange pixels`);
        }
      }
    } finally {
      await Promise.all([directory, home.directory].map((one) => rm(one, { recursive: true, force: true })));
    }
  });
});

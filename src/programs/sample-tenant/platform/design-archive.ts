import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import type { DesignState } from "../seed/designs.ts";
import { barChart } from "../seed/files.ts";
import { Random } from "../seed/random.ts";

/** The source of a design's version as a ZIP archive: the same bytes each time. */
export async function designArchive(design: DesignState, version: string): Promise<Uint8Array> {
  const random = new Random(`${design.id} ${version}`);
  const measured = Array.from({ length: 12 }, () => random.integer(20, 100));
  const manifest = {
    id: design.id,
    name: design.name,
    version,
    size: { width: 3, height: 2 },
    mapping: [{ alias: "rows", dataSetId: random.uuid(), fields: [] }],
  };
  const mtime = new Date(design.created);
  const zip = new ZipFile();
  const add = (path: string, content: string | Uint8Array): void => {
    zip.addBuffer(Buffer.from(content), path, { mtime });
  };
  add("manifest.json", `${JSON.stringify(manifest, undefined, 2)}\n`);
  add("index.html", page(design.name));
  add("app.js", script(measured));
  add("styles/app.css", "body { font-family: sans-serif; margin: 1rem; }\n.bar { fill: #3478be; }\n");
  add("thumbnail.png", barChart(measured));
  add("README.md", `# ${design.name} ${version}\n\n${design.description}.\n`);
  zip.end();
  return await buffer(zip.outputStream);
}

function page(title: string): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title}</title>
    <link rel="stylesheet" href="styles/app.css">
  </head>
  <body>
    <h1>${title}</h1>
    <svg id="chart" width="320" height="120"></svg>
    <script src="app.js"></script>
  </body>
</html>
`;
}

function script(measured: readonly number[]): string {
  return `const rows = ${JSON.stringify(measured)};
const chart = document.getElementById("chart");
rows.forEach((value, index) => {
  const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  bar.setAttribute("class", "bar");
  bar.setAttribute("x", String(index * 26));
  bar.setAttribute("y", String(120 - value));
  bar.setAttribute("width", "20");
  bar.setAttribute("height", String(value));
  chart.append(bar);
});
`;
}

import assert from "node:assert/strict";
import { type ExportFormat, exportNotebook } from "../../src/api/content-server/notebook-export.ts";
import { WordedError } from "../../src/api/worded-error.ts";
import { clientOf, failureOf } from "./api-client.ts";
import type { ContentServer } from "./client.ts";
import { currentServers, type Folder, newFolder, olderServer } from "./servers.ts";

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function notebook(outputs: readonly object[] = []): string {
  return JSON.stringify({
    cells: [
      { cell_type: "markdown", id: "heading", metadata: {}, source: "# Sales <in> May" },
      { cell_type: "code", id: "code", metadata: {}, execution_count: 1, source: "print('42 sold')", outputs },
    ],
    metadata: { language_info: { name: "python", file_extension: ".py" } },
    nbformat: 4,
    nbformat_minor: 5,
  });
}

const printed = { output_type: "stream", name: "stdout", text: "42 sold\n" };
const plotted = { output_type: "display_data", metadata: {}, data: { "image/png": picture } };

const [sampleServer, jupyterServer] = currentServers;
assert.ok(sampleServer !== undefined && jupyterServer !== undefined);

for (const { name, start } of [jupyterServer, olderServer]) {
  describe(`${name}: exporting notebooks`, () => {
    let server: ContentServer;
    let folder: Folder;
    const signal = new AbortController().signal;
    const exported = (path: string, format: ExportFormat, maxBytes = 10_000_000) =>
      exportNotebook(clientOf(server), { path: folder.at(path), format }, { maxBytes, signal });
    const textOf = ({ bytes }: { readonly bytes: Uint8Array }): string => new TextDecoder().decode(bytes);

    before(async () => {
      server = await start();
    });
    beforeEach(async () => {
      folder = await newFolder(server);
      await folder.write("May & June.ipynb", notebook([printed]));
    });

    it("gives a page with the outputs, and a script with the code", async () => {
      const page = await exported("May & June.ipynb", "html");
      assert.equal(page.extension, ".html");
      assert.match(textOf(page), /<pre>42 sold/);
      const script = await exported("May & June.ipynb", "python");
      assert.equal(script.extension, ".py");
      assert.match(textOf(script), /^print\('42 sold'\)$/m);
      assert.match(textOf(script), /^# # Sales <in> May$/m);
      assert.equal((await exported("May & June.ipynb", "script")).extension, ".py");
      assert.equal((await exported("May & June.ipynb", "slides")).extension, ".slides.html");
    });

    it("gives Markdown, in an archive if there are pictures", async () => {
      assert.equal((await exported("May & June.ipynb", "markdown")).extension, ".md");
      await folder.write("plot.ipynb", notebook([plotted]));
      const archive = await exported("plot.ipynb", "markdown");
      assert.equal(archive.extension, ".zip");
      assert.match(textOf(archive).slice(0, 100), /^PK/);
    });

    it("names the program that the server lacks", async () => {
      const { message } = await failureOf(exported("May & June.ipynb", "pdf"));
      assert.match(
        message,
        /^Can't export .*May & June\.ipynb: the server doesn't have (Pandoc|LaTeX \(xelatex\)), which this format needs\. Install it on the server, or choose another format\.$/,
      );
    });

    it("says what is wrong with a format, a notebook, and a path", async () => {
      const unknown = await failureOf(exported("May & June.ipynb", "brochure" as ExportFormat));
      assert.match(unknown.message, /brochure/);
      await folder.write("broken.ipynb", "{}");
      assert.match((await failureOf(exported("broken.ipynb", "html"))).message, /^Can't export .*broken\.ipynb: /);
      assert.match((await failureOf(exported("nothing.ipynb", "html"))).message, /^Can't export .*nothing\.ipynb: /);
    });

    it("stops at the limit", async () => {
      await assert.rejects(exported("May & June.ipynb", "html", 100_000), (error: unknown) => {
        assert.ok(error instanceof WordedError);
        assert.match(error.message, /^Can't export May & June\.ipynb: the result has more than 0 MB\.$/);
        return true;
      });
    });
  });
}

describe("exporting notebooks without nbconvert", () => {
  it("says so", async () => {
    const server = await sampleServer.start();
    const folder = await newFolder(server);
    await folder.write("a.ipynb", notebook());
    const exporting = exportNotebook(
      clientOf(server),
      { path: folder.at("a.ipynb"), format: "html" },
      { maxBytes: 1000, signal: new AbortController().signal },
    );
    assert.match(
      (await failureOf(exporting)).message,
      /: the content server doesn't have nbconvert, which exports notebooks\. Ask the administrator/,
    );
  });
});

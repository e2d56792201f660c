import assert from "node:assert/strict";
import { exportNotebook } from "../../../../src/api/content-server/notebook-export.ts";
import { failureOf, fakePlatform } from "../fake-platform.ts";

/** The page of Jupyter Server with what nbconvert 7.17 says if LaTeX lacks a package. */
function page(said: string): Buffer {
  return Buffer.from(
    `<!DOCTYPE HTML>\n<div class="error"><h1>500 : Internal Server Error</h1><p>The error was:</p>
<pre class="traceback">nbconvert failed: PDF creating failed, captured latex output:\n${said}\n</pre></div>`,
  );
}

describe("exporting a notebook to a PDF file", () => {
  const failure = async (said: string): Promise<string> => {
    const { content } = fakePlatform(() => ({
      status: 500,
      headers: { "content-type": "text/html; charset=UTF-8" },
      body: page(said),
    }));
    const options = { maxBytes: 1_000_000, signal: new AbortController().signal };
    return (await failureOf(exportNotebook(content, { path: "sales.ipynb", format: "pdf" }, options))).message;
  };

  it("names the file that LaTeX lacks", async () => {
    assert.equal(
      await failure(
        "Failed to run &quot;[&#39;xelatex&#39;, &#39;notebook.tex&#39;, &#39;-quiet&#39;]&quot; command:\n" +
          "This is XeTeX, Version 3.141592653-2.6-0.999994 (TeX Live 2022/Debian) (preloaded format=xelatex)\n" +
          "! LaTeX Error: File `eurosym.sty&#39; not found.\nType X to quit or &lt;RETURN&gt; to proceed,",
      ),
      "Can't export sales.ipynb: LaTeX on the server doesn't have eurosym.sty, which this format needs. Install the package with it on the server, or choose another format.",
    );
  });

  it("repeats what LaTeX says otherwise, in bounds", async () => {
    const message = await failure(`! Undefined control sequence. ${"l.1 ".repeat(10_000)}`);
    assert.match(message, /^Can't export sales\.ipynb: nbconvert on the server failed: PDF creating failed.*Undefined/);
    assert.ok(message.length < 1_000);
  });
});

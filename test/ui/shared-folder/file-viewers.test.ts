import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { samplePdf } from "../../harness/sample-pdf.ts";
import { waitFor } from "../../harness/workbench/waiting.ts";
import { webviewWith } from "../../harness/workbench/webview.ts";
import { pdfViolations } from "../accessibility.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedFolder } from "../shared-window.ts";
import { screenshotInThemes } from "../themes.ts";

describe("files that the editor itself can't show", () => {
  let window: ProxiedWindow;
  let root: string;

  const files = {
    "report.pdf": samplePdf(["Sales in May", "Sales in June"]),
  };
  useSharedFolder(files, (taken, directory) => {
    window = taken;
    root = directory;
  });
  // Later files search the folder.
  after(() => Promise.all(Object.keys(files).map((name) => rm(join(root, name)))));

  it("shows a PDF file as pages with text, in one request, and again after it was written", async () => {
    const { workbench, proxy } = window;
    proxy.reset();
    await workbench.explorer.openFile("report.pdf");
    const frame = await webviewWith(workbench.page, "report.pdf");
    const shows = (text: string): Promise<unknown> =>
      waitFor(`the text ${text}`, async () => (await frame.locator(".textLayer").allInnerTexts()).includes(text), {
        describe: () => frame.locator("body").innerText(),
      });
    await shows("Sales in May");
    assert.equal(await frame.locator(".position").innerText(), "Page 1 of 2");
    // The page has a black area, which is drawn.
    const darkest =
      "Math.min(...document.querySelector('canvas').getContext('2d').getImageData(200, 500, 50, 50).data)";
    assert.equal(await frame.evaluate(darkest), 0);
    assert.equal(proxy.count({ path: /report\.pdf/ }), 1);
    assert.deepEqual(await pdfViolations(frame), []);
    await screenshotInThemes(window, "pdf");
    const before = await frame.locator(".sheet").first().boundingBox();
    await frame.locator("button[title='Zoom In']").click();
    await waitFor("a larger page", async () => {
      const after = await frame.locator(".sheet").first().boundingBox();
      return (after?.width ?? 0) > (before?.width ?? 0);
    });
    await shows("Sales in May");

    await writeFile(join(root, "report.pdf"), samplePdf(["Sales in July"]));
    await workbench.runCommand("Refresh Explorer");
    await shows("Sales in July");
    await workbench.runCommand("View: Close All Editors");
  });
});

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { WindowBrowser } from "../harness/editor-host/browser.ts";
import { recurringPort } from "../harness/free-port.ts";
import { type LocalServer, serveLocally } from "../harness/front-door/local-server.ts";

describe("the browser of windows", () => {
  let server: LocalServer;

  before(async () => {
    server = await serveLocally(
      createServer((_, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<title>A page</title>");
      }),
    );
  });
  after(() => server?.stop());

  it("gives each window an empty profile, also next to another window", async () => {
    const browser = await WindowBrowser.start({ port: await recurringPort() });
    const visit = async (): Promise<{ readonly stored: string; release(): Promise<void> }> => {
      const { context, release } = await browser.takeProfile(server.url);
      const page = await context.newPage();
      await page.goto(server.url);
      const stored = await page.evaluate<string>("document.cookie + (localStorage.getItem('mine') ?? '')");
      await page.evaluate("document.cookie = 'mine=1; max-age=9999'; localStorage.setItem('mine', 'kept')");
      return { stored, release };
    };
    try {
      const first = await visit();
      const beside = await visit();
      await first.release();
      const later = await visit();
      assert.deepEqual([first.stored, beside.stored, later.stored], ["", "", ""]);
    } finally {
      await browser.close();
    }
    // A later browser for the port has the code of the editor, and nothing else.
    assert.deepEqual(await readdir(browser.directory), ["Default"]);
    assert.deepEqual((await readdir(join(browser.directory, "Default"))).sort(), ["Cache", "Code Cache"]);
  });
});

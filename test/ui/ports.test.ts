import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import { freePort } from "../harness/free-port.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { isInWebview } from "../harness/workbench/webview.ts";
import { fileServer, type ListeningProgram, startProgram, tornadoApp } from "../kernels/tunnel/ports-rig.ts";
import { reportFailures } from "./failure-reports.ts";
import { type JupyterWindow, openJupyterWindow, pythonNotebook } from "./jupyter-window.ts";
import { screenshotInThemes, themeSettings } from "./themes.ts";

describe("ports of a workspace", () => {
  let window: JupyterWindow;
  let app: ListeningProgram;
  let cellPort: number;

  before(async () => {
    cellPort = await freePort();
    const serve = [
      "import http.server, threading",
      `server = http.server.ThreadingHTTPServer(("127.0.0.1", ${cellPort}), http.server.SimpleHTTPRequestHandler)`,
      "threading.Thread(target=server.serve_forever, daemon=True).start()",
      `print("\\033[1mLocal URL:\\033[0m http://localhost:${cellPort}/page.html?view=all")`,
    ];
    window = await openJupyterWindow({
      workspace: { name: "Sales forecasting" },
      files: {
        "page.html": "<title>Sales</title><h1>A page of the workspace</h1>",
        "serve.ipynb": pythonNotebook([serve.join("\n"), `print("http://127.0.0.1:${cellPort}/")`], "Serve"),
      },
      terminals: true,
      // The text of a terminal that is drawn by the graphics processor can't be read.
      settings: { ...themeSettings, "terminal.integrated.gpuAcceleration": "off" },
    });
    app = await startProgram(tornadoApp, window.root);
    // An editor in a browser passes the requests for a port on, which the editor's server in tests doesn't.
    await window.workbench.page.context().route(/\/proxy\/\d+\//, async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const [, port, path = ""] = /^\/proxy\/(\d+)(\/.*)$/.exec(pathname) ?? [];
      await route.fulfill({ response: await route.fetch({ url: `http://127.0.0.1:${port}${path}${search}` }) });
    });
  });
  reportFailures(() => window.workbench);
  after(async () => {
    await app?.stop();
    await window?.close();
  });

  it("are offered when the output of a cell shows their address, and open with its path", async () => {
    const { workbench } = window;
    await workbench.explorer.openFile("serve.ipynb");
    const editor = await workbench.editors.notebook("serve.ipynb");
    await editor.waitForKernel(/Python 3/);
    await editor.runAll();
    const text = `An app in Sales forecasting is available on port ${cellPort} (serve.ipynb).`;
    const notification = await workbench.notifications.waitFor(text);
    await screenshotInThemes(window, "port-of-a-cell");
    assert.deepEqual(await notification.actions(), ["Forward and Open", "Don't Show Again"]);
    const opened = await openedBy(() => notification.click("Forward and Open"));
    assert.match(opened.url(), /\/proxy\/\d+\/page\.html\?view=all$/);
    await waitFor("the page", async () => (await opened.locator("h1").innerText()) === "A page of the workspace");
    await opened.close();
    // The second cell shows the same port.
    assert.deepEqual(
      (await workbench.notifications.texts()).filter((shown) => shown.includes(String(cellPort))),
      [],
    );
  });

  it("open from links in a terminal", async () => {
    const { notifications, page } = window.workbench;
    const { python } = await ready(pythonEnvironment);
    const port = await freePort();
    await window.workbench.runCommand("Platform: Open Terminal in Workspace");
    const rows = page.locator(".terminal .xterm-rows");
    await waitFor("the prompt", async () => /[$#]/.test(await rows.innerText()));
    await page.keyboard.type(`${python} -m http.server ${port} --bind 127.0.0.1`);
    await page.keyboard.press("Enter");
    const notification = await notifications.waitFor(
      `An app in Sales forecasting is available on port ${port} (Terminal 1).`,
    );
    await notification.dismiss();
    const address = rows.locator("span", { hasText: `http://127.0.0.1:${port}/` }).last();
    const opened = await openedBy(async () => {
      await page.keyboard.down("Control");
      const position = await positionOf(`http://127.0.0.1:${port}`);
      await page.mouse.move(position.x, position.y);
      const hover = page.locator(".workbench-hover", { hasText: `Forward port ${port} of the workspace, and open it` });
      await waitFor("the link's hover", async () => (await hover.count()) > 0, { describe: () => address.innerText() });
      await window.workbench.screenshot("port-link-in-terminal");
      await page.mouse.click(position.x, position.y);
      await page.keyboard.up("Control");
    });
    await waitFor("the files", async () => /page\.html/.test(await opened.locator("body").innerText()));
    await opened.close();
  });

  it("are offered when a program begins to listen, until the user doesn't want that", async () => {
    const { workbench } = window;
    const { notifications, sideBar } = workbench;
    // The connections to the two forwarded ports have started the companion, which reports others.
    await sideBar.open("Platform");
    const { tree } = await sideBar.view("Ports");
    await waitFor("ports that aren't forwarded", async () => (await tree.labels()).length > 2);
    const port = await freePort();
    const files = await startProgram(fileServer.replace('"127.0.0.1", 0', `"127.0.0.1", ${port}`), window.root);
    const notification = await notifications.waitFor(`A program in Sales forecasting listens on port ${port} (python`);
    await screenshotInThemes(window, "port-begins-to-listen");
    assert.deepEqual(await notification.actions(), ["Forward and Open", "Forward Port", "Don't Show Again"]);
    await notification.click("Don't Show Again");
    await workbench.runCommand("Preferences: Open User Settings (JSON)");
    const settings = await workbench.editors.text("settings.json");
    await settings.focus();
    // A new setting is the last one, and only the lines in sight have a text.
    await workbench.page.keyboard.press("Control+End");
    await settings.waitForText('"platformWorkbench.ports.suggest": "off"');
    await workbench.editors.close("settings.json");
    await files.stop();
  });

  it("are forwarded to this computer, shown in a view and in the editor, and closed by signing out", async () => {
    const { workbench } = window;
    const { notifications, page, quickInput, sideBar } = workbench;
    await workbench.runCommand("Platform: Forward Port…");
    await quickInput.waitForStep("Forward Port of Sales forecasting");
    await quickInput.type(String(app.port));
    await workbench.screenshot("forward-port");
    await quickInput.choose(new RegExp(String(app.port)));
    await notifications.waitFor(`Port ${app.port} of Sales forecasting is forwarded to 127.0.0.1:`);
    await sideBar.open("Platform");
    const view = await sideBar.view("Ports");
    const row = await view.tree.row(new RegExp(`^${app.port}`));
    assert.deepEqual(await row.inlineActions(), [
      "Open Forwarded Port in Browser",
      "Open Forwarded Port in Editor",
      "Stop Forwarding Port",
    ]);
    await screenshotInThemes(window, "ports-view");
    const [, local = ""] = /127\.0\.0\.1:(\d+)/.exec(await row.accessibleName()) ?? [];
    const response = await fetch(`http://127.0.0.1:${local}/`);
    assert.equal(await response.text(), `hello from 127.0.0.1:${local}`);
    await row.clickInlineAction("Open Forwarded Port in Editor");
    await waitFor("the page in the editor", async () => {
      const texts = page.frames().map((frame) =>
        frame
          .locator("body")
          .innerText()
          .catch(() => ""),
      );
      return (await Promise.all(texts)).some((text) => /^hello from 127\.0\.0\.1/.test(text));
    });
    // The editor's browser takes it when it has loaded, which would close the list of the next command.
    await waitFor("the focus in the editor's browser", () => isInWebview(page));
    await screenshotInThemes(window, "port-in-the-editor");
    await workbench.runCommand("Platform: Sign Out…");
    await quickInput.choose("Sample tenant");
    await waitFor("the port to close", () =>
      fetch(`http://127.0.0.1:${local}/`).then(
        () => false,
        () => true,
      ),
    );
    await waitFor("the view to go", async () => !(await sideBar.views()).includes("Ports"));
  });

  /** The page that the editor opens in the browser. */
  async function openedBy(action: () => Promise<void>): Promise<Page> {
    const { page } = window.workbench;
    const [opened] = await Promise.all([page.context().waitForEvent("page"), action()]);
    await opened.waitForLoadState();
    return opened;
  }

  /** The middle of a text in the terminal. */
  async function positionOf(text: string): Promise<{ readonly x: number; readonly y: number }> {
    const found = await window.workbench.page.evaluate<{ x: number; y: number } | undefined>(
      `(() => {
        for (const row of document.querySelectorAll(".terminal .xterm-rows > div")) {
          const index = row.textContent.indexOf(${JSON.stringify(text)});
          if (index < 0) continue;
          const box = row.getBoundingClientRect();
          const columns = document.querySelector(".terminal .xterm-screen").getBoundingClientRect().width;
          const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
          let seen = 0;
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (index + 10 < seen + node.length) {
              const range = document.createRange();
              range.setStart(node, index + 10 - seen);
              range.setEnd(node, index + 11 - seen);
              const place = range.getBoundingClientRect();
              return { x: place.x + place.width / 2, y: place.y + place.height / 2 };
            }
            seen += node.length;
          }
        }
        return undefined;
      })()`,
    );
    assert.ok(found !== undefined, `${text} isn't in the terminal`);
    return found;
  }
});

import assert from "node:assert/strict";
import { type Demo, startDemo } from "../../scripts/start/front-door-demo.ts";
import { waitFor } from "../harness/workbench/waiting.ts";
import { reportFailures } from "./failure-reports.ts";
import { openTenantWindow, type TenantWindow } from "./tenant-window.ts";

describe("a tenant's front door in the editor", () => {
  let window: TenantWindow;
  let demo: Demo;

  before(async () => {
    window = await openTenantWindow({
      settings: { "chat.disableAIFeatures": false },
      tenantFile: async (tenant) => {
        demo = await startDemo({ tenant, mayChange: false, logLevel: "silent" });
        return { frontDoor: { url: `${demo.frontDoor.url}/mcp` }, frontDoorToken: demo.token };
      },
    });
  });
  reportFailures(() => window.workbench);
  after(async () => {
    await window?.close();
    await demo?.stop();
  });

  it("is listed as an MCP server, and provides its tools when it starts", async () => {
    const { workbench } = window;
    await workbench.sideBar.open("Platform");
    const choose = async (action: string): Promise<void> => {
      await workbench.runCommand("MCP: List Servers");
      await workbench.quickInput.choose(/\(front door\)/);
      await workbench.quickInput.choose(action);
    };
    await choose("Start Server");
    const panel = workbench.page.locator(".part.panel .view-lines");
    await waitFor(
      "the tools in the output",
      async () => {
        const shown = await panel.innerText();
        // The editor opens the panel by itself, with another log if the server's isn't registered yet.
        if (!/Connection\sstate/.test(shown)) await choose("Show Output");
        return /Discovered\s\d+\stools/.test(shown);
      },
      { describe: () => panel.innerText() },
    );
    assert.ok(!(await panel.innerText()).includes(demo.token));
    await workbench.screenshot("front-door-tools");
  });

  it("stores another token only if the front door accepts it", async () => {
    const { quickInput } = window.workbench;
    await window.workbench.runCommand("Platform: Set Front Door Token…");
    await quickInput.waitForStep("Front Door Token for Sample tenant");
    assert.equal(await quickInput.isPassword(), true);
    await quickInput.submit("platform_eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.c2lnbmF0dXJl");
    await quickInput.waitForStep(/\(401\)/);
    await window.workbench.screenshot("front-door-token-refused");
    await quickInput.submit(`Bearer ${demo.token}`);
    await quickInput.waitUntilClosed();
  });
});

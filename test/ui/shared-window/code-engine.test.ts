import assert from "node:assert/strict";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";
import { screenshotInThemes } from "../themes.ts";

describe("the Code Engine and App Studio views", () => {
  let window: ProxiedWindow;

  useSharedWindow((taken) => {
    window = taken;
  });
  before(async () => {
    await window.workbench.sideBar.open("Platform");
    await window.workbench.sideBar.collapse("Workspaces", "App Designs");
  });
  afterEach(() => window.workbench.notifications.dismissAll());

  it("open the source of a function, and run it with typed values", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("Code Engine");
    const row = await view.tree.reveal(/^Exchange rates/, "v1.0.0", /^run/);
    await screenshotInThemes(window, "code-engine");
    await row.click();
    await workbench.editors.waitForTab("Exchange rates v1.0.0.js");
    await row.chooseFromContextMenu("Run Code Engine Function…");
    await workbench.quickInput.waitForStep("amount");
    await workbench.quickInput.submit("250");
    await workbench.quickInput.waitForStep("currency");
    await workbench.quickInput.submit("USD");
    const asked = await workbench.dialog.waitFor("Run the function run of Exchange rates v1.0.0?");
    assert.match(asked.detail, /^amount: 250\ncurrency: USD\n/);
    await workbench.screenshot("code-engine-run");
    await workbench.dialog.click("Run");
    await workbench.editors.waitForTab("run (Exchange rates v1.0.0).json");
    await workbench.editors.waitForTexts('"result": 270');
    await (await view.tree.row(/^Exchange rates/)).collapse();
    await workbench.sideBar.collapse("Code Engine");
  });

  it("share an app with a person", async () => {
    const { workbench } = window;
    const view = await workbench.sideBar.view("App Studio");
    await (await view.tree.row("Store planner")).chooseFromContextMenu("Share App Studio App…");
    await workbench.quickInput.waitForStep("Share Store planner");
    await workbench.quickInput.choose("Ben Sample");
    await workbench.quickInput.accept();
    await workbench.dialog.waitFor("Share Store planner with Ben Sample?");
    await workbench.dialog.click("Share");
    await view.tree.reveal("Store planner", "Access", "Ben Sample");
    await screenshotInThemes(window, "app-studio");
    await (await view.tree.row("Store planner")).collapse();
    await workbench.sideBar.collapse("App Studio");
  });
});

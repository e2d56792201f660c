import assert from "node:assert/strict";
import { waitFor } from "../../harness/workbench/waiting.ts";
import { useSharedWindow } from "../shared-window.ts";
import { storedState, type TenantWindow } from "../tenant-window.ts";

describe("Platform: Run API Operation… as a user runs it", () => {
  let window: TenantWindow;

  useSharedWindow((taken) => {
    window = taken;
  });

  it("finds an operation by its path, asks for its parameter, and shows the response", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Run API Operation…");
    await workbench.quickInput.waitForStep(/API Operation/);
    await workbench.screenshot("run-operation-catalogue");
    await workbench.quickInput.type("/platformapps/designs");
    await workbench.screenshot("run-operation-search");
    await workbench.quickInput.choose(/^designs\.versions\.list/);
    await workbench.quickInput.waitForStep(/designs\.versions\.list/);
    await workbench.screenshot("run-operation-parameter");
    const shown = (await storedState(window)).designs.filter(({ name }) => name !== "Salary planner");
    const design = shown.find(({ versions }) => versions.length > 1);
    assert.ok(design !== undefined);
    await workbench.quickInput.type(design.name);
    await workbench.quickInput.choose(design.name);
    await workbench.editors.waitForTab("designs.versions.list.response.jsonc");
    const response = await workbench.editors.text("designs.versions.list.response.jsonc");
    await response.waitForText(new RegExp(`GET .*/designs/${design.id}/versions`));
    await response.waitForText(/\b200\b/);
    await response.waitForText(`"${design.versions[0]?.version}"`);
    await workbench.screenshot("run-operation-answer");
  });

  it("finds operations by words in any order and position", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Run API Operation…");
    await workbench.quickInput.waitForStep(/API Operation/);
    for (const [typed, operation] of [
      ["list workspaces", /^workspaces\.search/],
      ["page collection", /^pages\.collections\.list/],
      ["designs list", /^designs\.list/],
    ] as const) {
      await workbench.quickInput.type(typed);
      await waitFor(`${operation} for "${typed}"`, async () =>
        (await workbench.quickInput.labels()).some((label) => operation.test(label)),
      );
    }
    const focused = workbench.quickInput.widget.locator(".monaco-list-row.focused");
    await waitFor("the exact name to be the one that Enter runs", async () =>
      /^\s*designs\.list\s*GET /.test(await focused.innerText()),
    );
    await workbench.screenshot("run-operation-words");
    await workbench.quickInput.cancel();
  });

  // Proves 7: A caller can get the response without these checks
  it("shows an error response unchanged if the switch is on", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Run API Operation…");
    await workbench.quickInput.waitForStep(/API Operation/);
    await workbench.quickInput.clickButton("Show Raw Response");
    await workbench.quickInput.waitForStep(/Raw Response/);
    await workbench.quickInput.type("card read");
    await workbench.screenshot("run-operation-raw-switch");
    await workbench.quickInput.choose(/^cards\.get/);
    await workbench.quickInput.waitForStep(/cards\.get/);
    await workbench.quickInput.submit("1");
    await workbench.editors.waitForTab("cards.get.response.txt");
    const response = await workbench.editors.text("cards.get.response.txt");
    await response.waitForText(/HTTP 404/);
    await response.waitForText(/content-type: application\/json/);
    await response.waitForText(/Card 1 not found/);
    await workbench.screenshot("run-operation-raw-response");
  });

  it("asks for a body in a JSON document with completion, and confirms before it changes anything", async () => {
    const { workbench } = window;
    await workbench.runCommand("Platform: Run API Operation…");
    await workbench.quickInput.waitForStep(/API Operation/);
    await workbench.quickInput.type("workflows.create");
    await workbench.quickInput.choose(/^workflows\.create/);
    await workbench.editors.waitForTab("workflows.create.body.json");
    await workbench.screenshot("run-operation-body");
    await workbench.editors.clickTitleAction("Send API Operation");
    const before = (await storedState(window)).workflows.models.length;
    const asked = await workbench.dialog.waitFor(/workflow/i);
    await workbench.screenshot("run-operation-confirm");
    assert.match(`${asked.message} ${asked.detail}`, /POST/);
    await workbench.dialog.cancel();
    assert.equal((await storedState(window)).workflows.models.length, before);
  });
});

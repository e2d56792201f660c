import assert from "node:assert/strict";
import { waitFor } from "../../harness/workbench/waiting.ts";
import type { ProxiedWindow } from "../proxied-window.ts";
import { useSharedWindow } from "../shared-window.ts";
import { screenshotInThemes } from "../themes.ts";

describe("the walkthrough of the first steps", () => {
  let window: ProxiedWindow;

  useSharedWindow((taken) => {
    window = taken;
  });
  // It is visible then, so that the command below hides it.
  before(() => window.workbench.sideBar.open("Platform"));

  it("goes from an empty editor to an edited notebook, with a screenshot of each step", async () => {
    const { workbench } = window;
    const { page } = workbench;
    // A narrow editor shows no pictures.
    await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
    await workbench.runCommand("Welcome: Open Walkthrough...");
    await workbench.quickInput.choose(/^First Steps with Platform Workbench/);
    const steps = page.locator(".gettingStartedContainer .getting-started-step:visible");
    await waitFor("the steps of the walkthrough", async () => (await steps.count()) === 6);
    const titles = [
      "Try the Sample Tenant",
      "Open a Workspace as a Folder",
      "Edit a Notebook",
      "Run the Notebook",
      "Explore the Platform",
      "Go to Anything",
    ];
    for (const [index, title] of titles.entries()) {
      const step = steps.nth(index);
      await step.click();
      await waitFor(`the step ${title}`, async () => (await step.innerText()).includes(title));
      const picture = page
        .locator(".gettingStartedContainer img:visible")
        .and(page.locator("[alt]:not([alt=''])"))
        .first();
      const width = (): Promise<number> => picture.evaluate((image) => Number(Reflect.get(image, "naturalWidth")));
      await waitFor(`the picture of ${title}`, async () => (await picture.count()) > 0 && (await width()) > 100, {
        describe: () =>
          page.locator(".gettingStartedContainer img").evaluateAll((all) => all.map((one) => one.outerHTML).join()),
      });
      assert.ok(((await picture.getAttribute("alt")) ?? "").length > 20, title);
      if (index === 0) {
        await screenshotInThemes(window, "walkthrough");
      }
      await workbench.screenshot(`walkthrough-${index + 1}`);
    }
    // Later files find the side bar visible, as in a new window.
    await workbench.sideBar.open("Platform");
  });
});

import { saveScreenshot } from "../harness/editor-host/window.ts";
import type { Workbench } from "../harness/workbench/workbench.ts";

/** Takes a screenshot of the window whenever a test of the suite around it has failed. */
export function pictureFailures(workbench: () => Workbench): void {
  afterEach(async function () {
    if (this.currentTest?.state === "failed") {
      await saveScreenshot(workbench().page, `failed ${this.currentTest.title}`);
    }
  });
}

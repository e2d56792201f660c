import { saveScreenshot } from "../harness/editor-host/window.ts";
import type { Workbench } from "../harness/workbench/workbench.ts";

/**
 * Whenever a test of the suite around it has failed, takes a screenshot of the window and prints what the extension has
 * logged since the test began.
 */
export function reportFailures(workbench: () => Workbench): void {
  let began = new Date();
  beforeEach(() => {
    began = new Date();
  });
  afterEach(async function () {
    if (this.currentTest?.state === "failed") {
      const { title } = this.currentTest;
      const { page, window } = workbench();
      await saveScreenshot(page, `failed ${title}`);
      console.log(`Log of "${title}":\n${window.extensionLogSince(began)}`);
    }
  });
}

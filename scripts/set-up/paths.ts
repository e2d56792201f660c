import { join, resolve } from "node:path";

/** The repository's root directory. */
export const projectDirectory: string = resolve(import.meta.dirname, "..", "..");

/** The folder of the parts that no package manager of the project manages (git-ignored). */
export const partsDirectory: string = join(projectDirectory, ".vscode-test");

/** The folder for reports, logs, and screenshots of test runs (git-ignored). */
export const resultsDirectory: string = join(projectDirectory, "test-results");

/** The environment variable that is `off` if a run takes screenshots only of windows in which a test failed. */
export const screenshotsVariable = "PLATFORM_WORKBENCH_SCREENSHOTS";

/** The bundles (git-ignored). */
export const distributionDirectory: string = join(projectDirectory, "dist");

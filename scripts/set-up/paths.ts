import { join, resolve } from "node:path";

/** The repository's root directory. */
export const projectDirectory: string = resolve(import.meta.dirname, "..", "..");

/** The folder for parts that the project's package managers don't manage (git-ignored). */
export const partsDirectory: string = join(projectDirectory, ".vscode-test");

/** The folder for reports, logs, and screenshots of test runs (git-ignored). */
export const resultsDirectory: string = join(projectDirectory, "test-results");

/** The environment variable that is `off` if a run saves screenshots only of windows in which a test failed. */
export const screenshotsVariable = "PLATFORM_WORKBENCH_SCREENSHOTS";

/** The bundles (git-ignored). */
export const distributionDirectory: string = join(projectDirectory, "dist");

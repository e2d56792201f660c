import { join, resolve } from "node:path";

/** The repository's root directory. */
export const projectDirectory: string = resolve(import.meta.dirname, "..", "..");

/** Where the parts live that no package manager of the project keeps (git-ignored). */
export const partsDirectory: string = join(projectDirectory, ".vscode-test");

/** Where test runs leave reports, logs and screenshots (git-ignored). */
export const resultsDirectory: string = join(projectDirectory, "test-results");

/** The bundles (git-ignored). */
export const distributionDirectory: string = join(projectDirectory, "dist");

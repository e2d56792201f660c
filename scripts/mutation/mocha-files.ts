// Stryker's mocha runner requires mocha's own files without their extension, which is .cjs since mocha 12 (pull request
// 6205 of stryker-mutator/stryker-js). Remove this with the runner's next release.
import { createRequire } from "node:module";

const { extensions } = createRequire(import.meta.url);
extensions[".cjs"] ??= extensions[".js"];

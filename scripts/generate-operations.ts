// Writes docs/operations.md from the catalogue of operations.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { operationsPage } from "./documents/operations-page.ts";
import { projectDirectory } from "./set-up/paths.ts";

await mkdir(join(projectDirectory, "docs"), { recursive: true });
await writeFile(join(projectDirectory, "docs", "operations.md"), operationsPage());
console.log("docs/operations.md is up to date.");

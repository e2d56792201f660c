// npm run package: builds the bundles and creates the .vsix.
import { relative } from "node:path";
import { buildExtension } from "../build/bundle.ts";
import { packageExtension } from "../build/package.ts";
import { projectDirectory } from "../set-up/paths.ts";

await buildExtension({ production: true, print: true });
const { path, bytes, files } = await packageExtension();
console.log(`${relative(projectDirectory, path)}: ${(bytes / 1000).toFixed(1)} KB, ${files.length} files`);
for (const file of files) console.log(`  ${file}`);

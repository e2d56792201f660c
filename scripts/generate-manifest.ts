// Writes package.json's contributes.commands and contributes.menus from src/commands/declarations.ts.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandContributions } from "../src/commands/manifest.ts";
import { projectDirectory } from "./set-up/paths.ts";

const path = join(projectDirectory, "package.json");
const manifest: Record<string, unknown> = JSON.parse(await readFile(path, "utf8"));
const contributes = { ...(manifest.contributes as object), ...commandContributions() };
await writeFile(path, `${JSON.stringify({ ...manifest, contributes }, undefined, 2)}\n`);
console.log("package.json: commands and menus are up to date.");

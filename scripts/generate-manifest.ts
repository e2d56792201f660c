// Writes package.json's contributes.commands and contributes.menus from src/commands/declarations.ts, its
// contributes.jsonValidation from the catalogue of operations and its contributes.languageModelTools from
// src/language-model/declarations.ts.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandContributions } from "../src/commands/manifest.ts";
import { schemaContributions } from "../src/commands/operation-schemas.ts";
import { languageModelContributions } from "../src/language-model/declarations.ts";
import { projectDirectory } from "./set-up/paths.ts";

const path = join(projectDirectory, "package.json");
const manifest: Record<string, unknown> = JSON.parse(await readFile(path, "utf8"));
const contributes = {
  ...(manifest.contributes as object),
  ...commandContributions(),
  jsonValidation: schemaContributions(),
  languageModelTools: languageModelContributions(),
};
await writeFile(path, `${JSON.stringify({ ...manifest, contributes }, undefined, 2)}\n`);
console.log("package.json: commands, menus, schemas of bodies and language-model tools are up to date.");

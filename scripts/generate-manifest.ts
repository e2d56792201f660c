// Writes package.json's contributes.commands and contributes.menus from the declarations.ts of the features, its
// contributes.jsonValidation from the catalog of operations and the schema-contribution.ts of the features, its
// contributes.languageModelTools from src/features/language-model/tool-declarations.ts, the commands' texts in
// package.nls.json, and the messages of the sources in l10n/bundle.l10n.json. The other texts of package.nls.json are
// written by hand.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { schemaContributions } from "../src/features/api-explorer/operation-schemas.ts";
import { languageModelContributions, toolKey } from "../src/features/language-model/tool-declarations.ts";
import { filterViewValidation } from "../src/features/pages/schema-contribution.ts";
import { configurationValidation, dataflowValidation } from "../src/features/workspaces/schema-contribution.ts";
import { commandContributions, commandKey, declaredCommands } from "./documents/command-manifest.ts";
import { sourceMessages } from "./localization.ts";
import { projectDirectory } from "./set-up/paths.ts";

async function update(name: string, change: (before: object) => object): Promise<void> {
  const path = join(projectDirectory, name);
  const before: unknown = JSON.parse(await readFile(path, "utf8").catch(() => "{}"));
  const after = change(typeof before === "object" && before !== null ? before : {});
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(after, undefined, 2)}\n`);
}

const { contributes, texts } = commandContributions(await declaredCommands());
const tools = languageModelContributions();
await update("package.json", (manifest: { readonly contributes?: object }) => ({
  ...manifest,
  contributes: {
    ...manifest.contributes,
    ...contributes,
    jsonValidation: [...schemaContributions(), configurationValidation, dataflowValidation, filterViewValidation],
    languageModelTools: tools.tools,
  },
}));
await update("package.nls.json", (words) => ({
  ...Object.fromEntries(
    Object.entries(words).filter(([key]) => !key.startsWith(commandKey) && !key.startsWith(toolKey)),
  ),
  ...texts,
  ...tools.texts,
}));
const messages = await sourceMessages();
await update("l10n/bundle.l10n.json", () => Object.fromEntries(messages.map((message) => [message, message])));
console.log("package.json, package.nls.json and l10n/bundle.l10n.json are up to date.");

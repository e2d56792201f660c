// Writes docs/front-door-settings.md from the settings of the front door.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { frontDoorSettingsPage } from "./documents/front-door-settings-page.ts";
import { projectDirectory } from "./set-up/paths.ts";

await writeFile(join(projectDirectory, "docs", "front-door-settings.md"), frontDoorSettingsPage());
console.log("docs/front-door-settings.md is up to date.");

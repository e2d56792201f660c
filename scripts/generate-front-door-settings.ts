// Makes docs/front-door-settings.md from the settings of the front door; run as a program, it writes the page.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { settingRows } from "../src/programs/front-door/config/setting-sources.ts";
import { projectDirectory } from "./set-up/paths.ts";

/** docs/front-door-settings.md: every setting with its flag, variable, and default. */
export function frontDoorSettingsPage(): string {
  const sections = settingRows().map(({ name, environment, flag, defaultValue, help }) => {
    const needed = defaultValue === "required" ? "Required." : "";
    const counts = ["required", "none", ""].includes(defaultValue) ? needed : `Default: \`${defaultValue}\`.`;
    return [
      `### ${name}`,
      "",
      `\`${environment}\`, \`${flag}\``,
      "",
      [help, counts].filter(Boolean).join(" "),
      "",
    ].join("\n");
  });
  return [
    "# Settings of the front door",
    "",
    "<!-- Generated from src/programs/front-door/config/settings.ts by `node scripts/generate-front-door-settings.ts`. -->",
    "",
    "Each setting comes from a flag, from the environment, or from a JSON file that `--config` or `FRONT_DOOR_CONFIG` names,",
    "in this order; its name in the file is the heading. A list has commas between its entries, or is an array in the file.",
    "Secrets never come from flags: `(_FILE)` marks what the environment may give itself or as a file's path, and what a",
    "flag gives as a path alone. All faults of a configuration are told at once, and the server does not start with one.",
    "",
    ...sections,
  ].join("\n");
}

if (import.meta.main) {
  await writeFile(join(projectDirectory, "docs", "front-door-settings.md"), frontDoorSettingsPage());
  console.log("docs/front-door-settings.md is up to date.");
}

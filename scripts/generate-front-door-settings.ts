// Creates docs/front-door-settings.md from the settings of the front door; as a program, writes the page.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { settingRows } from "../src/programs/front-door/config/setting-sources.ts";
import { projectDirectory } from "./set-up/paths.ts";

/** docs/front-door-settings.md: every setting with its flag, variable, and default. */
export function frontDoorSettingsPage(): string {
  const sections = settingRows().map(({ name, environment, flag, isRequired, defaultValue, help }) => {
    const need = isRequired ? "Required." : defaultValue === undefined ? "" : `Default: \`${defaultValue}\`.`;
    return [`### ${name}`, "", `\`${environment}\`, \`${flag}\``, "", [help, need].filter(Boolean).join(" "), ""].join(
      "\n",
    );
  });
  return [
    "# Front door settings",
    "",
    "<!-- Generated from src/programs/front-door/config/settings.ts by `node scripts/generate-front-door-settings.ts`. -->",
    "",
    "Set each setting with a flag, an environment variable, or a JSON file that `--config` or `FRONT_DOOR_CONFIG` names. If a",
    "setting is given more than once, a flag takes precedence over the environment, and the environment over the file. The headings",
    "are the names in the file. Separate the entries of a list by commas, or use an array in the file. Flags never contain secrets:",
    "`(_FILE)` marks settings that a flag gives as a file's path, and the environment as a value or a path. The server reports all",
    "errors of a configuration together and does not start with one.",
    "",
    ...sections,
  ].join("\n");
}

if (import.meta.main) {
  await writeFile(join(projectDirectory, "docs", "front-door-settings.md"), frontDoorSettingsPage());
  console.log("docs/front-door-settings.md is up to date.");
}

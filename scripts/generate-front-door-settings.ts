// Creates docs/front-door-settings.md, and the settings in the Helm chart's schema of values, from the settings of the front
// door; as a program, writes both.
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { settingDefinitions } from "../src/programs/front-door/config/setting-definitions.ts";
import { projectDirectory } from "./set-up/paths.ts";

/** docs/front-door-settings.md: every setting with its flag, variable, bounds, and default. */
export function frontDoorSettingsPage(): string {
  const sections = settingDefinitions.map(
    ({ name, environment, flag, isSecret, need, defaultValue, form, description }) => {
      const variable = `${environment}${isSecret ? "(_FILE)" : ""}`;
      const lines = [
        description,
        form === undefined ? "" : `${form.slice(0, 1).toUpperCase()}${form.slice(1)}.`,
        need === "required" ? "Required." : defaultValue === undefined ? "" : `Default: \`${defaultValue}\`.`,
      ];
      return [
        `### ${name}`,
        "",
        `\`${variable}\`, \`--${flag}${isSecret ? "-file" : ""}\``,
        "",
        lines.filter((line) => line !== "").join(" "),
        "",
      ].join("\n");
    },
  );
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

/** The path of the chart's schema of values. */
export const chartSchemaPath = join(
  projectDirectory,
  "deployment/helm/platform-workbench-front-door/values.schema.json",
);

/** The settings that the chart sets itself. */
const setByChart = ["listen", "internalListen", "tlsCertificateFile", "tlsKeyFile"];

/** The chart's schema of values, with the settings that its values can have. */
export function chartSchemaWithSettings(schema: { readonly properties: { readonly settings: object } }): object {
  const own = settingDefinitions.filter(({ name, isSecret }) => !isSecret && !setByChart.includes(name));
  const settings = {
    ...schema.properties.settings,
    required: own.filter(({ need }) => need === "required").map(({ name }) => name),
    propertyNames: { enum: own.map(({ name }) => name).toSorted() },
  };
  return { ...schema, properties: { ...schema.properties, settings } };
}

if (import.meta.main) {
  await writeFile(join(projectDirectory, "docs", "front-door-settings.md"), frontDoorSettingsPage());
  const schema = chartSchemaWithSettings(JSON.parse(await readFile(chartSchemaPath, "utf8")));
  await writeFile(chartSchemaPath, JSON.stringify(schema, undefined, 2));
  execFileSync(join(projectDirectory, "node_modules/.bin/biome"), ["format", "--write", chartSchemaPath]);
  console.log("docs/front-door-settings.md and the chart's schema of values are up to date.");
}

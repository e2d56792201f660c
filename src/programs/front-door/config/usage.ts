import type { AnySetting } from "./setting.ts";
import { settings } from "./settings.ts";
import { environmentNameOf, flagNameOf } from "./settings-reading.ts";

/** What a setting is for people: its names, what counts without it, what it does. */
export interface SettingRow {
  readonly name: string;
  readonly environment: string;
  readonly flag: string;
  /** `required`, `none`, or the value. */
  readonly standard: string;
  readonly help: string;
}

/** All settings, in their order. */
export function settingRows(): readonly SettingRow[] {
  return Object.entries<AnySetting>(settings).map(([name, setting]) => ({
    name,
    environment: `${environmentNameOf(name)}${setting.secret ? "(_FILE)" : ""}`,
    flag: `--${flagNameOf(name)}${setting.secret ? "-file" : ""}`,
    standard: setting.need === "required" ? "required" : setting.standard === undefined ? "none" : setting.standard,
    help: setting.help,
  }));
}

/** The text of `--help`. */
export function usageText(): string {
  const rows = settingRows().map(
    ({ flag, environment, standard, help }) =>
      `  ${flag}, ${environment}\n      ${help}${standard === "none" || standard === "" ? "" : ` (${standard === "required" ? standard : `default: ${standard}`})`}\n`,
  );
  return [
    "The front door: remote tools reach the platform with a token.\n",
    "Each setting comes from a flag, from the environment, or from a JSON file that --config or FRONT_DOOR_CONFIG\n",
    "names, in this order. Secrets never come from flags: their flags and variables with FILE name a file.\n\n",
    ...rows,
  ].join("");
}

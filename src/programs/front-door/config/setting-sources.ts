import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type AnySetting, type Setting, SettingError } from "./setting-parsers.ts";
import { type SettingName, settings } from "./settings.ts";

type ValueOf<S> = S extends Setting<infer T, infer Need> ? ("optional" extends Need ? T | undefined : T) : never;

/** The values of all settings. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> };

/**
 * The sources of values. Flags take precedence over the environment, and the environment over the configuration file.
 */
export interface SettingSources {
  /** The command-line arguments, without the program. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Reads a text file. Throws if it is unreadable. Tests pass their own. */
  readonly readFile?: (path: string) => string;
}

/** The valid values, and one sentence for each error. */
interface SettingsRead {
  readonly values: Partial<SettingValues>;
  readonly errors: readonly string[];
}

const names = Object.keys(settings) as SettingName[];
const secretNames = names.filter((name) => settings[name].secret);
const environmentPrefix = "FRONT_DOOR_";

/** The environment variable of a setting: `FRONT_DOOR_JWKS_URL` for `jwksUrl`. */
export function environmentNameOf(name: string): string {
  return environmentPrefix + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The flag of a setting: `jwks-url` for `jwksUrl`. */
export function flagNameOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Reads all settings. Reports all errors, and never repeats a secret. */
export function readSettings(sources: SettingSources): SettingsRead {
  const { environment = {}, readFile = (path) => readFileSync(path, "utf8") } = sources;
  const errors: string[] = [];
  const flags = flagsIn(sources.flags ?? [], errors);
  const configFile = flags.config ?? (environment[`${environmentPrefix}CONFIG`] || undefined);
  const file = configFile === undefined ? {} : fileValues(configFile, readFile, errors);
  errors.push(...unknownEnvironment(environment));
  const values: Record<string, unknown> = {};
  for (const name of names) {
    const setting: AnySetting = settings[name];
    const given = givenText(name, setting, { flags, environment, file }, readFile);
    if ("error" in given) {
      errors.push(`${given.from}: ${given.error}.`);
    } else if (given.text === undefined && setting.need === "required") {
      errors.push(`${environmentNameOf(name)}${setting.secret ? " or its _FILE" : ""} is missing. ${setting.help}`);
    } else if (given.text !== undefined) {
      try {
        values[name] = setting.parse(given.text);
      } catch (error) {
        const reason = error instanceof SettingError ? error.message : "it can't be read";
        errors.push(`${given.from}: ${reason}.`);
      }
    }
  }
  return { values: values as Partial<SettingValues>, errors };
}

interface Given {
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file: Readonly<Record<string, string>>;
}

type Text =
  | { readonly from: string; readonly text: string | undefined }
  | { readonly from: string; readonly error: string };

function givenText(
  name: SettingName,
  setting: AnySetting,
  { flags, environment, file }: Given,
  readFile: (path: string) => string,
): Text {
  const inEnvironment = environmentNameOf(name);
  const places = [
    { from: `--${flagNameOf(name)}`, text: flags[name] },
    { from: `--${flagNameOf(name)}-file`, path: flags[`${name}File`] },
    { from: inEnvironment, text: environment[inEnvironment] },
    { from: `${inEnvironment}_FILE`, path: environment[`${inEnvironment}_FILE`] },
    { from: `${name} in the configuration file`, text: file[name] },
    { from: `${name}File in the configuration file`, path: file[`${name}File`] },
  ].filter(({ path }) => path === undefined || setting.secret);
  // Compose files and shells set variables without a value to the empty string, which doesn't count as a value.
  for (const { from, text = "", path = "" } of places) {
    if (text.trim() !== "") {
      return { from, text };
    }
    if (path !== "") {
      return textOfFiles(from, path, readFile);
    }
  }
  return { from: "", text: setting.defaultValue };
}

/** Reads one or more files, separated by commas. `name=path` adds the line `kid: name` before the content. */
function textOfFiles(from: string, paths: string, readFile: (path: string) => string): Text {
  const texts: string[] = [];
  for (const entry of paths.split(",").map((one) => one.trim())) {
    const [, kid, path = entry] = /^([A-Za-z0-9._-]+)=(.+)$/.exec(entry) ?? [];
    try {
      texts.push(`${kid === undefined ? "" : `kid: ${kid}\n`}${readFile(path).trim()}`);
    } catch {
      return { from, error: `the file ${path} can't be read` };
    }
  }
  return { from, text: texts.join("\n") };
}

function flagsIn(args: readonly string[], errors: string[]): Readonly<Record<string, string>> {
  const known = new Map<string, string>([
    ["config", "config"],
    ...names.filter((name) => !settings[name].secret).map((name) => [flagNameOf(name), name] as const),
    ...secretNames.map((name) => [`${flagNameOf(name)}-file`, `${name}File`] as const),
  ]);
  const options = Object.fromEntries([...known.keys()].map((flag) => [flag, { type: "string" as const }]));
  // In strict mode, the library stops at the first error.
  const { values, positionals } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  const given: Record<string, string> = {};
  for (const [flag, value] of Object.entries(values)) {
    const name = known.get(flag);
    if (name === undefined) {
      errors.push(
        `--${flag} is not a flag${secretNames.map(flagNameOf).includes(flag) ? `. For a secret, use --${flag}-file` : ""}.`,
      );
    } else if (typeof value !== "string") {
      errors.push(`--${flag} needs a value.`);
    } else {
      given[name] = value;
    }
  }
  // Don't repeat the value. It may be a secret for a flag that does not exist.
  if (positionals.length > 0 && errors.length === 0) {
    errors.push("The command line has a value without a flag.");
  }
  return given;
}

function fileValues(
  path: string,
  readFile: (path: string) => string,
  errors: string[],
): Readonly<Record<string, string>> {
  let members: unknown;
  try {
    members = JSON.parse(readFile(path));
  } catch {
    errors.push(`The configuration file ${path} is not valid JSON.`);
    return {};
  }
  if (typeof members !== "object" || members === null || Array.isArray(members)) {
    errors.push(`The configuration file ${path} must be a JSON object.`);
    return {};
  }
  const known = new Set<string>([...names, ...secretNames.map((name) => `${name}File`)]);
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(members)) {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!known.has(name)) {
      errors.push(`${name} in the configuration file is not a setting.`);
    } else if (!texts.every((one) => ["string", "number", "boolean"].includes(typeof one))) {
      errors.push(`${name} in the configuration file: it must be a string, a number, true, false, or a list of these.`);
    } else {
      values[name] = texts.map(String).join(name === "internalSecret" ? " " : ",");
    }
  }
  return values;
}

/**
 * Errors for variables that have the prefix of settings but are not settings, for example because they are misspelled.
 */
function unknownEnvironment(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = new Set([
    `${environmentPrefix}CONFIG`,
    ...names.map(environmentNameOf),
    ...secretNames.map((name) => `${environmentNameOf(name)}_FILE`),
  ]);
  return Object.keys(environment)
    .filter((name) => name.startsWith(environmentPrefix) && !known.has(name))
    .map((name) => `${name} is not a setting.`);
}

/** A setting's names, default, and description, for users. */
interface SettingRow {
  readonly name: string;
  readonly environment: string;
  readonly flag: string;
  readonly isRequired: boolean;
  /** Undefined if there is none or it is empty. */
  readonly defaultValue: string | undefined;
  readonly help: string;
}

/** All settings, in the order of their definition. */
export function settingRows(): readonly SettingRow[] {
  return Object.entries<AnySetting>(settings).map(([name, setting]) => ({
    name,
    environment: `${environmentNameOf(name)}${setting.secret ? "(_FILE)" : ""}`,
    flag: `--${flagNameOf(name)}${setting.secret ? "-file" : ""}`,
    isRequired: setting.need === "required",
    defaultValue: setting.defaultValue === "" ? undefined : setting.defaultValue,
    help: setting.help,
  }));
}

/** The output of `--help`. */
export function usageText(): string {
  const rows = settingRows().map(({ flag, environment, isRequired, defaultValue, help }) => {
    const need = isRequired ? " (required)" : defaultValue === undefined ? "" : ` (default: ${defaultValue})`;
    return `  ${flag}, ${environment}\n      ${help}${need}\n`;
  });
  return [
    "The front door gives remote tools access to the platform with a token.\n",
    "Set each setting with a flag, an environment variable, or a JSON file that --config or FRONT_DOOR_CONFIG names.\n",
    "Flags take precedence over variables, and variables over the file. Flags never contain secrets: -file flags and\n_FILE variables give the path of a file.\n\n",
    ...rows,
  ].join("");
}

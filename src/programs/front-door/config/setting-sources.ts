import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type * as z from "zod/mini";
import { environmentPrefix, type SettingDefinition, settingDefinitions } from "./setting-definitions.ts";
import type { Settings, settings } from "./settings.ts";

/** The valid values, in their groups. */
export type ValidSettings = {
  readonly [Name in keyof Settings]: (typeof settings)["shape"][Name] extends z.ZodMiniObject
    ? Partial<Settings[Name]>
    : Settings[Name] | undefined;
};

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
  readonly values: ValidSettings;
  readonly errors: readonly string[];
}

const secrets = settingDefinitions.filter(({ isSecret }) => isSecret);

/** Reads all settings. Reports all errors, and never repeats a secret. */
export function readSettings(sources: SettingSources): SettingsRead {
  const { environment = {}, readFile = (path) => readFileSync(path, "utf8") } = sources;
  const errors: string[] = [];
  const flags = flagsIn(sources.flags ?? [], errors);
  const configFile = flags.config ?? (environment[`${environmentPrefix}CONFIG`] || undefined);
  const file = configFile === undefined ? {} : fileValues(configFile, readFile, errors);
  errors.push(...unknownEnvironment(environment));
  const values: Group = {};
  for (const setting of settingDefinitions) {
    const { group, key } = placeIn(values, setting.path);
    const { type, need, environment: variable, isSecret, description } = setting;
    const given = givenText(setting, { flags, environment, file }, readFile);
    if ("error" in given) {
      errors.push(`${given.from}: ${given.error}.`);
    } else if (given.text === undefined && need === "required") {
      errors.push(`${variable}${isSecret ? " or its _FILE" : ""} is missing. ${description}`);
    } else if (given.text !== undefined || need === "default") {
      const parsed = type.safeParse(given.text);
      if (parsed.success) {
        group[key] = parsed.data;
      } else {
        errors.push(`${given.from}: ${parsed.error.issues[0]?.message}.`);
      }
    }
  }
  return { values: values as ValidSettings, errors };
}

type Group = { [name: string]: unknown };

/** The group of a setting, which is created if there is none yet, and its key in the group. */
function placeIn(
  values: Group,
  [first = "", ...rest]: readonly string[],
): { readonly group: Group; readonly key: string } {
  if (rest.length === 0) {
    return { group: values, key: first };
  }
  const inner = (values[first] ?? {}) as Group;
  values[first] = inner;
  return placeIn(inner, rest);
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
  { name, flag, environment: variable, isSecret }: SettingDefinition,
  { flags, environment, file }: Given,
  readFile: (path: string) => string,
): Text {
  const places = [
    { from: `--${flag}`, text: flags[name] },
    { from: `--${flag}-file`, path: flags[`${name}File`] },
    { from: variable, text: environment[variable] },
    { from: `${variable}_FILE`, path: environment[`${variable}_FILE`] },
    { from: `${name} in the configuration file`, text: file[name] },
    { from: `${name}File in the configuration file`, path: file[`${name}File`] },
  ].filter(({ path }) => path === undefined || isSecret);
  // Compose files and shells set variables without a value to the empty string, which doesn't count as a value.
  for (const { from, text = "", path = "" } of places) {
    if (text.trim() !== "") {
      return { from, text };
    }
    if (path !== "") {
      return textOfFiles(from, path, readFile);
    }
  }
  return { from: "", text: undefined };
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
    ...settingDefinitions.map(({ name, flag, isSecret }) =>
      isSecret ? ([`${flag}-file`, `${name}File`] as const) : ([flag, name] as const),
    ),
  ]);
  const options = Object.fromEntries([...known.keys()].map((flag) => [flag, { type: "string" as const }]));
  // In strict mode, the library stops at the first error.
  const { values, positionals } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  const given: Record<string, string> = {};
  for (const [flag, value] of Object.entries(values)) {
    const name = known.get(flag);
    if (name === undefined) {
      errors.push(
        `--${flag} is not a flag${secrets.some((secret) => secret.flag === flag) ? `. For a secret, use --${flag}-file` : ""}.`,
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
  const separators = new Map([
    ...settingDefinitions.map(({ name, separator }) => [name, separator] as const),
    ...secrets.map(({ name }) => [`${name}File`, ","] as const),
  ]);
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(members)) {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    const separator = separators.get(name);
    if (separator === undefined) {
      errors.push(`${name} in the configuration file is not a setting.`);
    } else if (!texts.every((one) => ["string", "number", "boolean"].includes(typeof one))) {
      errors.push(`${name} in the configuration file: it must be a string, a number, true, false, or a list of these.`);
    } else {
      values[name] = texts.map(String).join(separator);
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
    ...settingDefinitions.map(({ environment: variable }) => variable),
    ...secrets.map(({ environment: variable }) => `${variable}_FILE`),
  ]);
  return Object.keys(environment)
    .filter((name) => name.startsWith(environmentPrefix) && !known.has(name))
    .map((name) => `${name} is not a setting.`);
}

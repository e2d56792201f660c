import * as z from "zod/mini";
import { settingDescriptions, settings } from "./settings.ts";

/** A setting, as users give it. */
export interface SettingDefinition {
  /** The name in the configuration file. */
  readonly name: string;
  /** Where its value is in the configuration, such as `["token", "prefix"]`. */
  readonly path: readonly string[];
  /** The environment variable: `FRONT_DOOR_JWKS_URL` for `jwksUrl`. A secret's file can be set with `…_FILE`. */
  readonly environment: string;
  /** The flag, without hyphens at its beginning: `jwks-url`. Secrets only have a flag for their file. */
  readonly flag: string;
  readonly need: "required" | "optional" | "default";
  readonly isSecret: boolean;
  /** The default value as a text. Undefined if there is none or it is empty. */
  readonly defaultValue: string | undefined;
  /** One or two sentences for users. */
  readonly description: string;
  /** What is expected, such as `a whole number from 1 to 5`, if the type says it. */
  readonly form: string | undefined;
  /** Separates the entries of a list in the configuration file. */
  readonly separator: string;
  /** Parses the text; undefined for the default value. */
  readonly type: z.ZodMiniType;
}

export const environmentPrefix = "FRONT_DOOR_";

/** All settings, in the order of their declaration. */
export const settingDefinitions: readonly SettingDefinition[] = definitionsIn(settings, []);

function definitionsIn(group: z.ZodMiniObject, path: readonly string[]): readonly SettingDefinition[] {
  return Object.entries(group.shape).flatMap(([key, type]) =>
    type instanceof z.ZodMiniObject
      ? definitionsIn(type, [...path, key])
      : [definitionOf(type as z.ZodMiniType, [...path, key])],
  );
}

function definitionOf(type: z.ZodMiniType, path: readonly string[]): SettingDefinition {
  const described = settingDescriptions.get(type);
  if (described === undefined) {
    throw new Error(`${path.join(".")} has no description`);
  }
  const { name = path.at(-1) ?? "", description, isSecret = false, separator = "," } = described;
  const wrapped =
    type instanceof z.ZodMiniPrefault || type instanceof z.ZodMiniExactOptional ? type.def.innerType : type;
  const defaultValue = type instanceof z.ZodMiniPrefault ? String(type.def.defaultValue) : "";
  return {
    name,
    path,
    environment: environmentPrefix + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    flag: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    need:
      type instanceof z.ZodMiniPrefault ? "default" : type instanceof z.ZodMiniExactOptional ? "optional" : "required",
    isSecret,
    defaultValue: defaultValue === "" ? undefined : defaultValue,
    description,
    form: z.globalRegistry.get(wrapped)?.description,
    separator,
    type,
  };
}

/** The output of `--help`. */
export function usageText(): string {
  const rows = settingDefinitions.map(({ flag, environment, isSecret, need, defaultValue, description }) => {
    const end = need === "required" ? " (required)" : defaultValue === undefined ? "" : ` (default: ${defaultValue})`;
    return `  --${flag}${isSecret ? "-file" : ""}, ${environment}${isSecret ? "(_FILE)" : ""}\n      ${description}${end}\n`;
  });
  return [
    "The front door gives remote tools access to the platform with a token.\n",
    "Set each setting with a flag, an environment variable, or a JSON file that --config or FRONT_DOOR_CONFIG names.\n",
    "Flags take precedence over variables, and variables over the file. Flags never contain secrets: -file flags and\n_FILE variables give the path of a file.\n\n",
    ...rows,
  ].join("");
}

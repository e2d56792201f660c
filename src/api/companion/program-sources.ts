import { readdirSync, readFileSync } from "node:fs";

const directory = new URL("../../companion/", import.meta.url);

/**
 * The text of the companion's Python modules by name. Builds replace this module with its value, so that the sources are
 * part of the bundle.
 */
export const programSources: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(directory)
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => [name.replace(/\.py$/, ""), readFileSync(new URL(name, directory), "utf8")]),
);

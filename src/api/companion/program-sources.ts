import { readdirSync, readFileSync } from "node:fs";

const directory = new URL("../../companion/", import.meta.url);

const isModule = (path: string): boolean => path.endsWith(".py") && !path.startsWith("tests/");

/**
 * The text of the companion's Python modules by name, as `frames.rows` and `frames.__init__`. Builds replace this module
 * with its value, so that the sources are part of the bundle.
 */
export const programSources: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter(isModule)
    .sort()
    .map((path) => [path.replace(/\.py$/, "").replaceAll("/", "."), readFileSync(new URL(path, directory), "utf8")]),
);

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDirectory } from "../set-up/paths.ts";

/** A license text of a project whose packages do not contain it. */
export interface StoredLicense {
  /** SPDX expression. */
  readonly license: string;
  /** A file in `license-texts/`, copied from the project's repository or its readme. */
  readonly file: string;
}

/**
 * License texts by package, or by scope. Most belong to code that a package contains without being the package's own:
 * `@modelcontextprotocol/server` contains the validator of JSON schemas, for example.
 */
export const storedLicenses: Readonly<Record<string, StoredLicense>> = {
  "@jupyter-widgets": { license: "BSD-3-Clause", file: "jupyter-widgets.txt" },
  "@lumino": { license: "BSD-3-Clause", file: "lumino.txt" },
  ajv: { license: "MIT", file: "ajv.txt" },
  "ajv-formats": { license: "MIT", file: "ajv-formats.txt" },
  "content-type": { license: "MIT", file: "content-type.txt" },
  "core-js": { license: "MIT", file: "core-js.txt" },
  "fast-deep-equal": { license: "MIT", file: "fast-deep-equal.txt" },
  "fast-uri": { license: "BSD-3-Clause", file: "fast-uri.txt" },
  "json-schema-traverse": { license: "MIT", file: "json-schema-traverse.txt" },
  llhttp: { license: "MIT", file: "llhttp.txt" },
};

/** Code inside packages that no comment names, by the folder that contains it. */
export const containedCode: Readonly<Record<string, string>> = {
  // The HTTP parser, as WebAssembly.
  "undici/lib/llhttp/": "llhttp",
};

/** The stored license of a package, or undefined if there is none. */
export function storedLicenseOf(name: string): StoredLicense | undefined {
  return storedLicenses[name] ?? storedLicenses[name.split("/")[0] ?? name];
}

export function readStoredText({ file }: StoredLicense): Promise<string> {
  return readFile(join(projectDirectory, "scripts", "build", "license-texts", file), "utf8");
}

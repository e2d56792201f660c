import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import satisfies from "spdx-satisfies";
import { containedCode, readStoredText, storedLicenseOf } from "./license-texts.ts";

/** The name of the file with the notices, in the .vsix and next to each program. */
export const noticesFile = "THIRD_PARTY_NOTICES.txt";

/**
 * Licenses of software that may be part of the bundles: those that only require their text to be passed on. Of a choice
 * such as `MIT OR GPL-3.0-or-later`, one is enough.
 */
const allowedLicenses = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

interface ThirdPartyPackage {
  /** Name and version; for code inside another package, also the name of that. */
  readonly title: string;
  readonly license: string;
  /** The license, then further notices: files of the package and comments in its bundled code. */
  readonly texts: readonly string[];
}

/** The package that a file belongs to: the innermost one, because packages can contain others. */
const packagePath = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
/** A file of another package, in the comments that bundlers leave in the code of packages. */
const containedPath = /node_modules\/(?:\.pnpm\/([^\s/]+)\/node_modules\/)?((?:@[\w.-]+\/)?[\w.-]+)\//g;
const licenseFile = /^(?:license|licence|copying)/i;
const noticeFile = /^(?:notice|copyright|third.?party)/i;
const legalWords = /copyright|\(c\) *\d{4}|@license|spdx-license|permission is (?:hereby )?granted/i;

/** The files of packages in the outputs of a build, from the build's directory. */
export function bundledFiles({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && packagePath.test(path))
      .map(([path]) => path),
  );
}

/** The names of the packages that these files belong to. */
export function packageNames(files: Iterable<string>): readonly string[] {
  return [...new Set([...byPackage(files).values()].map(({ name }) => name))];
}

/**
 * The notices of the packages that these files belong to, with all license texts. The same files give the same text, in
 * any order.
 *
 * @param product what contains the files
 * @param files paths from `directory`, with slashes
 * @throws Error that lists each package without a license text or with a license that is not allowed
 */
export async function noticesFor(product: string, files: Iterable<string>, directory: string): Promise<string> {
  const packages = new Map<string, ThirdPartyPackage>();
  const problems = new Set<string>();
  const add = (found: ThirdPartyPackage): void => {
    if (found.texts.length === 0) {
      problems.add(`${found.title}: no license text. Add it to scripts/build/license-texts.ts`);
    } else if (!isAllowed(found.license)) {
      problems.add(`${found.title}: its license "${found.license}" isn't on the list of allowed licenses`);
    }
    packages.set(found.title, found);
  };
  for (const [root, { name, paths }] of byPackage(files)) {
    const comments = (await Promise.all(paths.map((path) => readFile(join(directory, path), "utf8")))).flatMap(
      commentsOf,
    );
    const found = await installedPackage(join(directory, root), name, comments);
    add(found);
    for (const contained of await containedPackages(name, found.title, paths, comments)) add(contained);
  }
  if (problems.size > 0) {
    throw new Error(`${product} can't be distributed:\n${[...problems].map((problem) => `  ${problem}`).join("\n")}`);
  }
  return formatted(product, [...packages.values()]);
}

function byPackage(files: Iterable<string>): ReadonlyMap<string, { readonly name: string; readonly paths: string[] }> {
  const found = new Map<string, { readonly name: string; readonly paths: string[] }>();
  for (const path of [...new Set(files)].sort()) {
    const [, root, name] = packagePath.exec(path) ?? [];
    if (root === undefined || name === undefined) continue;
    const entry = found.get(root);
    if (entry === undefined) found.set(root, { name, paths: [path] });
    else entry.paths.push(path);
  }
  return found;
}

async function installedPackage(root: string, name: string, comments: readonly string[]): Promise<ThirdPartyPackage> {
  const manifest: { readonly version?: unknown; readonly license?: unknown } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  const names = (await readdir(root)).sort();
  const read = (pattern: RegExp): Promise<readonly string[]> =>
    Promise.all(
      names
        .filter((file) => pattern.test(file))
        .map(async (file) => normalized(await readFile(join(root, file), "utf8"))),
    );
  const stored = storedLicenseOf(name);
  const own = await read(licenseFile);
  const licenses = own.length > 0 || stored === undefined ? own : [normalized(await readStoredText(stored))];
  const notices = licenses.length > 0 ? [...(await read(noticeFile)), ...legalComments(comments, licenses)] : [];
  return {
    title: `${name} ${String(manifest.version)}`,
    license: typeof manifest.license === "string" ? manifest.license : "none",
    texts: [...licenses, ...notices],
  };
}

/** Packages whose code is inside the files of another one. */
async function containedPackages(
  container: string,
  title: string,
  paths: readonly string[],
  comments: readonly string[],
): Promise<readonly ThirdPartyPackage[]> {
  const versions = new Map<string, string>();
  for (const comment of comments) {
    for (const [, folder = "", name] of comment.matchAll(containedPath)) {
      // A folder of pnpm, such as "ajv-formats@3.0.1_ajv@8.18.0".
      if (name !== undefined && name !== container) versions.set(name, /@(\d[^_(]*)/.exec(folder)?.[1] ?? "");
    }
  }
  for (const [folder, name] of Object.entries(containedCode)) {
    if (paths.some((path) => path.includes(`node_modules/${folder}`))) versions.set(name, "");
  }
  return Promise.all(
    [...versions]
      .sort(([a], [b]) => compare(a, b))
      .map(async ([name, version]) => {
        const stored = storedLicenseOf(name);
        return {
          title: `${[name, version].filter(Boolean).join(" ")} (in ${title})`,
          license: stored?.license ?? "none",
          texts: stored === undefined ? [] : [normalized(await readStoredText(stored))],
        };
      }),
  );
}

function isAllowed(license: string): boolean {
  try {
    return satisfies(license, allowedLicenses);
  } catch {
    return false;
  }
}

/** Comments with a copyright or a license that the license texts do not repeat, each once. */
function legalComments(comments: readonly string[], licenses: readonly string[]): readonly string[] {
  const known = licenses.map(words);
  const found = new Map<string, string>();
  for (const comment of comments.filter((text) => legalWords.test(text))) {
    const key = words(comment);
    if (!known.some((text) => text.includes(key))) found.set(key, comment);
  }
  return [...found].sort(([a], [b]) => compare(a, b)).map(([, comment]) => comment);
}

/** The comments that begin a line, and those that begin with `/*!`, without their markers. */
function commentsOf(source: string): readonly string[] {
  const comments: string[] = [];
  let lineComment: string[] = [];
  let block: string[] | undefined;
  const endLineComment = (): void => {
    if (lineComment.length > 0) comments.push(normalized(lineComment.join("\n")));
    lineComment = [];
  };
  for (const line of source.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (block === undefined && trimmed.startsWith("//")) {
      lineComment.push(trimmed.replace(/^\/+ ?/, ""));
      continue;
    }
    endLineComment();
    const start = block === undefined ? blockStart(trimmed) : 0;
    if (start < 0) continue;
    block ??= [];
    const end = trimmed.indexOf("*/", start);
    const text = end < 0 ? trimmed.slice(start) : trimmed.slice(start, end);
    block.push(text.replace(/^(?:\/\*[*!]*|\*+) ?/, "").trimEnd());
    if (end < 0) continue;
    comments.push(normalized(block.join("\n")));
    block = undefined;
  }
  endLineComment();
  return comments;
}

function blockStart(line: string): number {
  return line.startsWith("/*") ? 0 : line.indexOf("/*!");
}

/** A text with the same line ends everywhere, without trailing spaces and without empty lines around it. */
function normalized(text: string): string {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd());
  return lines.join("\n").replace(/^\n+/, "").trimEnd();
}

/** A text's words, to compare texts whose lines are broken differently. */
function words(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Packages with the same texts share them. */
function formatted(product: string, packages: readonly ThirdPartyPackage[]): string {
  const sorted = [...packages].sort((a, b) => compare(a.title, b.title));
  const groups = new Map<string, ThirdPartyPackage[]>();
  for (const entry of sorted) {
    const key = JSON.stringify([entry.license, entry.texts]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const line = "=".repeat(80);
  const sections = [...groups.values()].map((group) =>
    [
      line,
      ...group.map(({ title }) => title),
      `License: ${group[0]?.license}`,
      ...(group[0]?.texts ?? []).flatMap((text) => ["-".repeat(80), text]),
      "",
    ].join("\n"),
  );
  const introduction = [
    "THIRD-PARTY NOTICES",
    "",
    `${product} contains the software below. Each part is subject to its own license.`,
    "",
    ...sorted.map(({ title, license }) => `  ${title}: ${license}`),
    "",
  ];
  return [introduction.join("\n"), ...sections].join("\n");
}

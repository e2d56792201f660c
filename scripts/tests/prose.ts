import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { createLinter, loadTextlintrc } from "textlint";
import { findFiles } from "../find-files.ts";
import { sourceMessages } from "../localization.ts";
import { stringTexts } from "../phrases.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { failure, type Outcome, onePassed } from "./outcome.ts";

/** A piece of prose. In TypeScript (`ts`), only the comments are checked. */
interface Prose {
  /** The file, or another description of where it is. */
  readonly place: string;
  readonly text: string;
  readonly format: "md" | "txt" | "ts";
  /** False for comments, which have fewer words to avoid. */
  readonly forUsers: boolean;
}

/** Documents that quote responses of servers or titles of tests. */
const quoting: ReadonlySet<string> = new Set(["docs/reference/faults.md", "docs/reference/fidelity.md"]);

/** Folders of programs whose strings are shown in a terminal. */
const printing = /^(?:src\/programs|scripts)\//;

/**
 * Checks what users read (documents, messages, the texts of package.json, and the strings of programs and scripts) and the
 * comments of the sources for words to avoid, which are listed in `scripts/prose`.
 */
export async function checkProse(title: string): Promise<Outcome> {
  const started = Date.now();
  const code = await sources();
  const pieces = [...(await documents()), ...(await manifestTexts()), ...(await messages()), ...code, ...printed(code)];
  const findings = await findingsIn(pieces);
  if (findings.length > 0) return failure(title, "words to avoid (scripts/prose)", findings.join("\n"));
  console.log(`${title}: nothing found (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return onePassed;
}

/** A line for each finding: the place with line and column, the word, and a better one. */
export async function findingsIn(pieces: readonly Prose[]): Promise<readonly string[]> {
  const everywhere = await linterOf("comments.textlintrc.json");
  const forUsers = await linterOf("texts.textlintrc.json");
  const findings: string[] = [];
  for (const piece of pieces) {
    const isSource = piece.format === "ts";
    const text = isSource ? commentsOf(piece.text) : piece.text;
    for (const linter of piece.forUsers ? [everywhere, forUsers] : [everywhere]) {
      const result = await linter.lintText(text, isSource ? "comments.txt" : `prose.${piece.format}`);
      for (const { message, loc } of result.messages) {
        findings.push(`${piece.place}:${loc.start.line}:${loc.start.column} ${message}`);
      }
    }
  }
  return findings;
}

async function linterOf(configuration: string): Promise<ReturnType<typeof createLinter>> {
  const configFilePath = join(projectDirectory, "scripts", "prose", configuration);
  return createLinter({ descriptor: await loadTextlintrc({ configFilePath }) });
}

async function documents(): Promise<readonly Prose[]> {
  const names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((name) => join(projectDirectory, name));
  const paths = [...names, ...(await findFiles(join(projectDirectory, "docs"), ".md"))];
  return await Promise.all(
    paths
      .filter((path) => !quoting.has(placeOf(path)))
      .map(async (path): Promise<Prose> => {
        return { place: placeOf(path), text: await readFile(path, "utf8"), format: "md", forUsers: true };
      }),
  );
}

async function manifestTexts(): Promise<readonly Prose[]> {
  const texts: unknown = JSON.parse(await readFile(join(projectDirectory, "package.nls.json"), "utf8"));
  return Object.entries(texts ?? {}).map(([key, text]): Prose => {
    return { place: `package.nls.json ${key}`, text: String(text), format: "md", forUsers: true };
  });
}

async function messages(): Promise<readonly Prose[]> {
  return (await sourceMessages()).map((text): Prose => {
    return { place: `message "${text}"`, text, format: "txt", forUsers: true };
  });
}

async function sources(): Promise<readonly Prose[]> {
  const folders = ["src", "scripts", "test"].map((name) => findFiles(join(projectDirectory, name), ".ts"));
  return await Promise.all(
    (await Promise.all(folders)).flat().map(async (path): Promise<Prose> => {
      return { place: placeOf(path), text: await readFile(path, "utf8"), format: "ts", forUsers: false };
    }),
  );
}

/** The strings of the sources that a terminal shows. */
function printed(pieces: readonly Prose[]): readonly Prose[] {
  return pieces
    .filter(({ place }) => printing.test(place))
    .map(({ place, text }) => ({ place, text: stringTexts(text), format: "txt", forUsers: true }));
}

/** The comments that have their own lines, each in its original line and without code; all other lines are empty. */
function commentsOf(source: string): string {
  return source
    .split("\n")
    .map((line) => /^\s*(?:\/\/|\/?\*)(.*)$/.exec(line)?.[1] ?? "")
    .map((line) => line.replace(/^[*\s]+|\s*\*\/$|`[^`]*`/g, ""))
    .join("\n");
}

function placeOf(path: string): string {
  return relative(projectDirectory, path).replaceAll("\\", "/");
}

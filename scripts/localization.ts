import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as knownValues from "../src/api/catalogue/models/known-values.ts";
import { constantWords } from "../src/ui/format/labels.ts";
import { findFiles } from "./find-files.ts";
import { cataloguePhrases, phrasesOf } from "./phrases.ts";
import { projectDirectory } from "./set-up/paths.ts";

const literal = /\b(?:l10n\.t|translate)\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g;

/** A call whose message is built at runtime and can't be translated. */
const computed = /\bl10n\.t\((?!\s*["'])/g;

/**
 * The messages in a source text: the first arguments of `vscode.l10n.t`, and of `translate` in files that do not import
 * the editor. Throws an Error for a message that is not a literal.
 */
export function messagesOf(text: string): readonly string[] {
  const found = computed.exec(text);
  computed.lastIndex = 0;
  if (found !== null) {
    throw new Error(`a message isn't a literal: ${text.slice(found.index, found.index + 60)}`);
  }
  return [...text.matchAll(literal)].map(([, quoted = ""]) => unquoted(quoted));
}

/**
 * All messages of `src/`, sorted and without duplicates: those of the editor's parts, the phrases of the lower layers,
 * and the platform's constants as words. The programs outside the extension are only in English.
 */
export async function sourceMessages(): Promise<readonly string[]> {
  const source = join(projectDirectory, "src");
  const files = await findFiles(source, ".ts");
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const phrases = texts.filter((_, index) => !files[index]?.startsWith(join(source, "programs"))).flatMap(phrasesOf);
  return [...new Set([...texts.flatMap(messagesOf), ...phrases, ...cataloguePhrases(), ...constants()])].toSorted();
}

function constants(): readonly string[] {
  return Object.values(knownValues)
    .flatMap((values): readonly string[] => Object.values(values))
    .map((constant) => constantWords(constant, String));
}

function unquoted(quoted: string): string {
  const inner = quoted.slice(1, -1);
  const text: unknown = JSON.parse(
    `"${quoted.startsWith("'") ? inner.replaceAll("\\'", "'").replaceAll('"', '\\"') : inner}"`,
  );
  return String(text);
}

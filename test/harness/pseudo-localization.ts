import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { projectDirectory } from "../../scripts/set-up/paths.ts";

/** A display language that only the copy of the extension supports. The editor's own messages stay in English. */
export const pseudoLanguage = "qps-ploc";

const messages = z.record(z.string(), z.string());

/** Parts that are not translated: placeholders, icons, the addresses of links, and code. */
const untranslated = /(\{\d+\}|\$\([\w~-]+\)|\]\([^)\s]*\)|`[^`]*`)/;

/** Pseudo-localizes a text as the editor does: in brackets, with each vowel doubled. */
export function pseudoLocalized(text: string): string {
  const parts = text.split(untranslated).map((part, index) => (index % 2 === 1 ? part : doubled(part)));
  return `\uFF3B${parts.join("")}\uFF3D`;
}

function doubled(text: string): string {
  return text.replace(/[aouei]/g, "$&$&");
}

/**
 * The untranslated words of a text. A word is translated if each of its vowels is doubled. Omits words of one or two
 * letters, words in capitals, which are names and units, and lowercase words for which `isData` returns true.
 */
export function plainWords(text: string, isData: (word: string) => boolean): readonly string[] {
  const words = text.match(/[A-Za-z]{3,}/g) ?? [];
  return words.filter((word) => word !== word.toUpperCase() && !isPseudoLocalized(word) && !isData(word.toLowerCase()));
}

function isPseudoLocalized(word: string): boolean {
  // A vowel that is not part of a pair was not doubled.
  return !/[aouei]/.test(word.replace(/([aouei])\1/g, ""));
}

/** Copies the extension to an empty directory, with a pseudo-localized bundle of messages. */
export async function writePseudoLocalizedExtension(directory: string): Promise<void> {
  // Copies instead of links, because the editor finds the extension of a module by its real path.
  for (const part of ["package.json", "package.nls.json", "dist", "media", "l10n"]) {
    await cp(join(projectDirectory, part), join(directory, part), { recursive: true });
  }
  await translate("package.nls.json", join(directory, `package.nls.${pseudoLanguage}.json`));
  await translate("l10n/bundle.l10n.json", join(directory, "l10n", `bundle.l10n.${pseudoLanguage}.json`));
}

async function translate(source: string, target: string): Promise<void> {
  const texts = z.parse(messages, JSON.parse(await readFile(join(projectDirectory, source), "utf8")));
  const translated = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudoLocalized(text)]));
  await writeFile(target, JSON.stringify(translated));
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findFiles } from "./find-files.ts";
import { cataloguePhrases, phrasesOf } from "./phrases.ts";
import { projectDirectory } from "./set-up/paths.ts";

const literal = /\b(?:l10n\.t|translate)\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/g;

/** A call whose message is put together while it runs: no translator ever sees that one. */
const computed = /\bl10n\.t\((?!\s*["'])/g;

/**
 * The messages of a source text: what `vscode.l10n.t` gets first, and what it gets by the name `translate` in files that
 * know no editor. Throws an Error for a message that is not a literal.
 */
export function messagesOf(text: string): readonly string[] {
  const found = computed.exec(text);
  computed.lastIndex = 0;
  if (found !== null) {
    throw new Error(`a message is not written out: ${text.slice(found.index, found.index + 60)}`);
  }
  return [...text.matchAll(literal)].map(([, quoted = ""]) => unquoted(quoted));
}

/**
 * All messages of `src/`, each once, in order: those of the editor's parts, and the phrases of the layers below. The programs
 * outside the extension keep their English.
 */
export async function sourceMessages(): Promise<readonly string[]> {
  const source = join(projectDirectory, "src");
  const files = await findFiles(source, ".ts");
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const phrases = texts.filter((_, index) => !files[index]?.startsWith(join(source, "programs"))).flatMap(phrasesOf);
  return [...new Set([...texts.flatMap(messagesOf), ...phrases, ...cataloguePhrases()])].toSorted();
}

function unquoted(quoted: string): string {
  const inner = quoted.slice(1, -1);
  const text: unknown = JSON.parse(
    `"${quoted.startsWith("'") ? inner.replaceAll("\\'", "'").replaceAll('"', '\\"') : inner}"`,
  );
  return String(text);
}

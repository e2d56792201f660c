import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findFiles } from "./find-files.ts";
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

/** All messages of `src/`, each once, in order. */
export async function sourceMessages(): Promise<readonly string[]> {
  const files = await findFiles(join(projectDirectory, "src"), ".ts");
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return [...new Set(texts.flatMap(messagesOf))].toSorted();
}

function unquoted(quoted: string): string {
  const inner = quoted.slice(1, -1);
  const text: unknown = JSON.parse(
    `"${quoted.startsWith("'") ? inner.replaceAll("\\'", "'").replaceAll('"', '\\"') : inner}"`,
  );
  return String(text);
}

/** A line that has only a comment. */
const comment = /^ *#.*\n/gm;
/** A text that is a statement of its own, if another statement of its block follows. */
const docstring = /^( *)"""[^"]*"""\n(?=\n*\1\S)/gm;

/**
 * The source of a module of the companion without comments and docstrings, which are more than a seventh of the program
 * that each kernel gets. It does the same, if none of its texts has a line that looks like a comment.
 */
export function withoutComments(source: string): string {
  return source.replace(comment, "").replace(docstring, "");
}

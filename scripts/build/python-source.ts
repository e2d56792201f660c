/** A line that has only a comment. */
const comment = /^ *#.*\n/gm;
/** A text that is a statement of its own, if another statement of its block follows. */
const docstring = /^( *)"""[^"]*"""\n(?=\n*\1\S)/gm;

const indentation = /^ +/gm;
const blankLines = /\n{2,}/g;
const textInOneLine = /"""[^"\n]*"""/g;

/**
 * The source of a module of the companion without comments, docstrings, and blank lines, and with indentations of one space.
 * They are a quarter of the program that each kernel gets. It does the same, if none of its texts has a line that looks like
 * a comment.
 */
export function withoutComments(source: string): string {
  const code = source.replace(comment, "").replace(docstring, "");
  // A text of several lines keeps its spaces.
  return code.replace(textInOneLine, "").includes('"""')
    ? code
    : code
        .replace(indentation, (spaces) => " ".repeat(Math.ceil(spaces.length / 4)))
        .replace(blankLines, "\n")
        .trimStart();
}

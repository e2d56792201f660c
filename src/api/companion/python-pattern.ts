/**
 * The regular expression of Python for one of JavaScript with the flag `u`; undefined if Python has nothing that means
 * the same. The expression must be valid.
 */
export function pythonPattern(source: string): string | undefined {
  if (emptyClass.test(source)) {
    return undefined;
  }
  const parts: string[] = [];
  let isInClass = false;
  for (const [token] of source.matchAll(tokens)) {
    const part = isInClass ? inClass(token) : outsideClass(token);
    if (part === undefined) {
      return undefined;
    }
    isInClass = isInClass ? token !== "]" : token.startsWith("[");
    parts.push(part);
  }
  return parts.join("");
}

/** An escape sequence, the start of a named group or of a class, or a single character. */
const tokens =
  /\\u\{[0-9a-fA-F]{1,6}\}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\.|\(\?<(?![=!])|\[\^?|./gsu;
/** May also be a part of another class. Without its meaning, nothing is lost but speed. */
const emptyClass = /\[\^?\]/;
/** Backreferences to groups that matched nothing, properties, and control characters are different in Python. */
const different = /^\\[1-9kpPc]$/;

function outsideClass(token: string): string | undefined {
  switch (token) {
    case "\\d":
    case "\\D":
    case "\\w":
    case "\\W":
    case "\\b":
    case "\\B":
      // In Python, these include letters and digits of all languages.
      return `(?a:${token})`;
    case "\\s":
      return "[\\s\\ufeff]";
    case "\\S":
      return "[^\\s\\ufeff]";
    case "(?<":
      return "(?P<";
    case "$":
      // In Python, `$` also matches before a line end.
      return "\\Z";
    default:
      return character(token);
  }
}

function inClass(token: string): string | undefined {
  switch (token) {
    case "\\d":
      return "0-9";
    case "\\w":
      return "A-Za-z0-9_";
    case "\\s":
      return "\\s\\ufeff";
    case "\\D":
    case "\\W":
    case "\\S":
      return undefined;
    default:
      return token.startsWith("[") ? `\\${token}` : character(token);
  }
}

function character(token: string): string | undefined {
  if (different.test(token)) {
    return undefined;
  }
  // A pair of surrogates is one character.
  const pair = /^\\u([0-9a-fA-F]{4})\\u([0-9a-fA-F]{4})$/.exec(token);
  const code =
    pair === null
      ? /^\\u\{([0-9a-fA-F]+)\}$/.exec(token)?.[1]
      : String.fromCharCode(...pair.slice(1).map((unit) => Number.parseInt(unit, 16)))
          .codePointAt(0)
          ?.toString(16);
  return code !== undefined ? `\\U${code.padStart(8, "0")}` : token === "\\/" ? "/" : token;
}

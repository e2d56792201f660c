import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { projectDirectory } from "../set-up/paths.ts";
import { failure, type Outcome, onePassed } from "./outcome.ts";

/** Regular expressions that may take more than linear time, by file and source, with the reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    String.raw`src/programs/front-door/config/private-keys.ts (?:kid:[ \t]*(\S+)\s+)?(-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \3-----)`,
    "It reads the operator's own key file, once, at the start.",
  ],
]);

/** Files that build regular expressions at runtime, which can't be checked here. */
const builders: ReadonlyMap<string, string> = new Map([
  ["src/ui/commands/remedies.ts", "An escaped command id between two lookarounds of one character."],
  ["src/programs/sample-tenant/hub.ts", "A constant name in a fixed pattern."],
  ["src/programs/sample-tenant/router.ts", "Path templates of the catalog."],
  ["src/programs/sample-tenant/content-server/notebook.ts", "A constant set of characters, used twice."],
  ["src/features/remote-search/matches.ts", "The user's own search, in their own editor."],
]);

/**
 * Time limit per regular expression, in milliseconds. An expression that can't be checked in this time counts as a
 * finding.
 */
const timeLimitMs = 600_000;
/** Expressions that can't be proved are tried with random texts. The same ones each time give the same verdict. */
const randomSeed = 1;

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** Checks that the matching time of each regular expression in `src` is at most linear in the length of the text. */
export async function checkRegularExpressions(title: string): Promise<Outcome> {
  const { check } = await import("recheck");
  const started = Date.now();
  const findings: string[] = [];
  const unused = new Set([...exceptions.keys(), ...builders.keys()]);
  const verdicts = new Map<string, string | undefined>();
  const verdictOf = async ({ source, flags }: Pattern): Promise<string | undefined> => {
    const verdict = await check(source, flags, { timeout: timeLimitMs, randomSeed });
    switch (verdict.status) {
      case "safe":
        return undefined;
      case "vulnerable":
        return `vulnerable: ${verdict.complexity.summary}`;
      case "unknown":
        return `could not be checked: ${verdict.error.kind}`;
    }
  };
  for (const file of globSync("src/**/*.ts", { cwd: projectDirectory }).toSorted()) {
    const name = file.replaceAll("\\", "/");
    const { patterns, builds } = regularExpressionsIn(join(projectDirectory, file));
    if (builds && !unused.delete(name)) {
      findings.push(`${name}: it builds a regular expression at runtime, which can't be checked`);
    }
    for (const pattern of patterns) {
      const text = `/${pattern.source}/${pattern.flags}`;
      if (!verdicts.has(text)) verdicts.set(text, await verdictOf(pattern));
      const verdict = verdicts.get(text);
      if (verdict !== undefined && !unused.delete(`${name} ${pattern.source}`)) {
        findings.push(`${name}: ${text} is ${verdict}`);
      }
    }
  }
  findings.push(...[...unused].map((entry) => `an unused exception: ${entry}`));
  if (findings.length > 0) return failure(title, "regular expressions that may take too long", findings.join("\n"));
  console.log(`${title}: nothing found in ${verdicts.size} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return onePassed;
}

function regularExpressionsIn(path: string): { readonly patterns: readonly Pattern[]; readonly builds: boolean } {
  const patterns: Pattern[] = [];
  let builds = false;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      patterns.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    builds ||= isCall && ts.isIdentifier(node.expression) && node.expression.text === "RegExp";
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return { patterns, builds };
}

import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectDirectory } from "../set-up/paths.ts";
import type { FidelitySection, Statement } from "./statement.ts";

// A comment directly above a test, or above a case of a test, names the statements that it proves by their section and the
// beginning of their text, separated by semicolons:
//
//   // Proves 5.3: a missing token stays missing; the token is verified only with RS256
//
// The first string below the comment is the title. Mocha rejects tests that are skipped.

/** A test, or a case of one. */
export interface Test {
  /** Its path in the project. */
  readonly file: string;
  /** Ends with an ellipsis if it continues with a value from the test. */
  readonly title: string;
}

/** What a test claims to prove. */
export interface Claim extends Test {
  readonly section: string;
  readonly beginning: string;
}

/** The claims of all tests, by file and position. */
export async function readClaims(): Promise<readonly Claim[]> {
  const files = globSync("test/**/*.ts", { cwd: projectDirectory }).toSorted();
  const claims = await Promise.all(
    files.map(async (file) => claimsIn(file, await readFile(join(projectDirectory, file), "utf8"))),
  );
  return claims.flat();
}

const tagged = /((?:^ *\/\/ Proves .*\n)+)[^"`]*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\$]|\\.)*)(\$)?)/gm;
const tag = /\/\/ Proves ([\d.]+): (.*)/g;

/** The claims in a test file. */
export function claimsIn(file: string, content: string): readonly Claim[] {
  return [...content.matchAll(tagged)].flatMap(([, comment = "", text, template = "", value]) => {
    const title = `${(text ?? template).replace(/\\(.)/g, "$1")}${value === undefined ? "" : "…"}`;
    return [...comment.matchAll(tag)].flatMap(([, section = "", beginnings = ""]) =>
      beginnings.split("; ").map((beginning) => ({ file, title, section, beginning })),
    );
  });
}

/** The tests of each statement, and each claim that doesn't name exactly one statement. */
export interface Proofs {
  readonly tests: ReadonlyMap<Statement, readonly Test[]>;
  readonly unclear: readonly Claim[];
}

/** Assigns each claim to the statement with exactly its text, or to the only one that begins with it. */
export function proofsFrom(claims: readonly Claim[], sections: readonly FidelitySection[]): Proofs {
  const tests = new Map<Statement, readonly Test[]>();
  const unclear: Claim[] = [];
  const keyed = sections.flatMap(({ number, statements }) =>
    // Some texts begin with a section of their own.
    statements.map((one) => ({ one, key: /^[\d.]+: /.test(one.text) ? one.text : `${number}: ${one.text}` })),
  );
  for (const claim of claims) {
    const beginning = `${claim.section}: ${claim.beginning}`;
    const same = keyed.filter(({ key }) => key === beginning);
    const [found, ...others] = same.length > 0 ? same : keyed.filter(({ key }) => key.startsWith(beginning));
    if (found === undefined || others.length > 0) {
      unclear.push(claim);
    } else {
      tests.set(found.one, [...(tests.get(found.one) ?? []), { file: claim.file, title: claim.title }]);
    }
  }
  return { tests, unclear };
}

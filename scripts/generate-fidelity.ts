// Creates docs/reference/fidelity.md from the statements in scripts/fidelity; as a program, writes the page.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { References } from "./fidelity/references.ts";
import { sections } from "./fidelity/sections.ts";
import { type FidelitySection, type Part, parts, type ReferencePart, type Statement } from "./fidelity/statement.ts";
import { type Proofs, proofsFrom, readClaims, type Test } from "./fidelity/tests.ts";
import { projectDirectory } from "./set-up/paths.ts";

const partNames: Readonly<Record<Part, string>> = {
  code: "Implemented",
  reach: "Reached",
  served: "Served",
  proof: "Proven",
};

/**
 * docs/reference/fidelity.md: every binding statement with where it is implemented, reached, served, and proven, and its open
 * points.
 */
export async function fidelityPage(references: References, proofs: Proofs): Promise<string> {
  const all = sections.flatMap(({ statements }) => statements);
  const open = all.filter((statement) => statement.open !== undefined);
  const written = await Promise.all(sections.map((section) => sectionText(section, references, proofs)));
  return `# Fidelity to the API description

Generated from \`scripts/fidelity\`, and from the comments \`// Proves …\` above tests, by \`node scripts/generate-fidelity.ts\`. A
test fails if it is stale, if a statement lacks a part or a test without a reason, or if a part does not exist. ${all.length} binding statements of the API description, of which ${open.length} are
partly open. Undescribed behavior is in [dialects.md](dialects.md).

- **Implemented**: the file and the symbol in it, or the declaration of an operation.
- **Reached**: the command, view, setting, tool, or operation. You can run every operation on the command line, and those
  outside section 4.8 with \`Platform: Run API Operation…\`. These are also tools of the front door, which has tools of its own
  in place of \`contents.get\` and \`contents.update\`.
- **Served**: the sample tenant's handler, or the part of another server that handles it.
- **Proven**: the test or the case of a test. A contract case runs once per dialect against the sample tenant.

## Open

${open.map(openText).join("\n")}

${written.join("\n")}`;
}

function openText({ text, open = {} }: Statement): string {
  const reasons = parts.flatMap((part) => (open[part] === undefined ? [] : [`${partNames[part]}: ${open[part]}`]));
  return `- ${text}. ${reasons.join(" ")}`;
}

async function sectionText(
  { number, title, statements }: FidelitySection,
  references: References,
  { tests }: Proofs,
): Promise<string> {
  const texts = await Promise.all(
    statements.map((statement) => statementText(statement, references, tests.get(statement) ?? [])),
  );
  return `## ${number} ${title}\n\n${texts.join("\n")}`;
}

async function statementText(statement: Statement, references: References, tests: readonly Test[]): Promise<string> {
  const contractCase = statement.operation === undefined ? undefined : references.caseOf(statement.operation);
  const proofs = [...(contractCase === undefined ? [] : [contractCase]), ...tests].map(
    ({ file, title }) => `[${file.replace(/^test\//, "")}](../../${file}) “${title}”`,
  );
  const lines = await Promise.all(
    parts.map(async (part) => {
      const shown =
        part === "proof"
          ? proofs
          : await Promise.all(statement[part].map((reference) => referenceText(part, reference, references)));
      const reason = statement.open?.[part];
      return `  - ${partNames[part]}: ${[...shown, ...(reason === undefined ? [] : [`open: ${reason}`])].join("; ")}`;
    }),
  );
  return `- ${statement.text}.\n${lines.join("\n")}`;
}

async function referenceText(part: ReferencePart, reference: string, references: References): Promise<string> {
  const resolution = await references.resolve(part, reference);
  if (!resolution.found) {
    return `${reference} (${resolution.reason})`;
  }
  const { file, text } = resolution;
  switch (part) {
    case "served":
      return file === undefined ? `handler \`${text}\`` : `[${text}](../../${file})`;
    case "reach":
      return file === undefined ? text.replace(/ (\S+)$/, " `$1`") : `operation \`${text}\``;
    case "code":
      return `[${text}](../../${file})`;
  }
}

if (import.meta.main) {
  await writeFile(
    join(projectDirectory, "docs", "reference", "fidelity.md"),
    await fidelityPage(await References.read(), proofsFrom(await readClaims(), sections)),
  );
  console.log("docs/reference/fidelity.md is up to date.");
}

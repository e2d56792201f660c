// Creates docs/reference/operations.md from the catalog of operations; as a program, writes the page.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { acceptsBody, type JsonSchema, schemaOf } from "../src/api/catalogue/body-schema.ts";
import type { AnyOperation } from "../src/api/catalogue/operation.ts";
import { formOf, parametersOf } from "../src/api/catalogue/operation-parameters.ts";
import { catalogue } from "../src/api/catalogue/operations/catalogue.ts";
import { type Dialect, dialects, pathTemplateOf } from "../src/api/http/dialects.ts";
import { projectDirectory } from "./set-up/paths.ts";

const effects = {
  read: "reads",
  change: "makes changes",
  grant: "gives access",
  run: "runs something",
  destroy: "removes, replaces, or stops something",
} as const;
const credentials = {
  platform: "the tenant's credential",
  notebook: "a notebook token",
  internal: "the internal secret",
} as const;

/** docs/reference/operations.md: every operation of the catalog, by family. */
export function operationsPage(operations: readonly AnyOperation[] = catalogue): string {
  const families = Map.groupBy(operations, ({ id }) => id.split(".")[0] ?? id);
  const ordered = [...families].sort(([one], [other]) => one.localeCompare(other, "en"));
  const contents = ordered.map(([family, members]) => `- [${family}](#${family.toLowerCase()}) (${members.length})`);
  const described = operations.filter(({ section }) => section !== "beyond").length;
  const beyond = operations.length - described;
  return `# Operations

Generated from the catalog in \`src/api/catalogue/operations\` by \`node scripts/generate-operations.ts\`; a test fails when it is
stale. ${operations.length} operations: ${described} of the API description, 4.1 to 4.8, and ${beyond} that it mentions without a path
or that only public sources describe. Responses keep fields that are not listed here, and a listed field may be absent or null.
Section numbers are those of the API description. The paths of dialects are described in [dialects.md](../dialects.md).

Run an operation in the editor with \`Platform: Run API Operation…\`, or in a shell with
\`npx platform-workbench call <id> --path name=value --query name=value --body @file\`.

${contents.join("\n")}

${ordered.map(([family, members]) => familyPart(family, members)).join("\n")}`;
}

function familyPart(family: string, members: readonly AnyOperation[]): string {
  const sorted = [...members].sort((one, other) => one.id.localeCompare(other.id, "en"));
  return `## ${family}\n\n${sorted.map(operationPart).join("\n")}`;
}

function operationPart(operation: AnyOperation): string {
  const { id, summary, section, effect, credential, timeLimitMs, transfer, paging } = operation;
  const limit = `${timeLimitMs / 1000} s${transfer ? " without progress" : ""}`;
  const parameters = parametersOf(operation).map(({ name, place, required, standard, form }) => {
    const need = standard === undefined ? (required ? "required" : "optional") : `default ${code(standard)}`;
    const isBeyond = operation.undescribedQuery?.includes(name) === true;
    return `  - ${code(name)} (${place}): ${form}; ${need}${isBeyond ? "; not described, so it is sent only in the dialect `domo`" : ""}`;
  });
  const lines = [
    `- Section: ${section === "beyond" ? "beyond the description" : section}; ${effects[effect]}; requires ${credentials[credential]}; time limit ${limit}`,
    ...pathLines(operation),
    ...(parameters.length === 0 ? ["- Parameters: none"] : ["- Parameters:", ...parameters]),
    `- Body: ${acceptsBody(operation) ? shapeText(schemaOf(operation.body)) : "none"}`,
    `- Response: ${operation.responseFormat === "bytes" ? "bytes" : shapeText(schemaOf(operation.response))}`,
    ...(paging === undefined ? [] : [`- Pages: ${pagingText(operation)}`]),
    `- Errors: ${errorsText(operation)}`,
    ...(operation.confidential === undefined
      ? []
      : [`- Masked when shown: ${operation.confidential.map(code).join(", ")}`]),
  ];
  return `### ${id}\n\n${summary.endsWith(".") ? summary : `${summary}.`}\n\n${lines.join("\n")}\n`;
}

/** One line if all dialects agree, otherwise one for each. */
function pathLines(operation: AnyOperation): readonly string[] {
  const { method } = operation;
  const all = Object.values(dialects).map(
    (dialect: Dialect) => [dialect.id, pathTemplateOf(operation, dialect)] as const,
  );
  const [first] = all;
  return all.every(([, path]) => path === first?.[1])
    ? [`- Request: ${code(`${method} ${first?.[1]}`)} in every dialect`]
    : ["- Request:", ...all.map(([id, path]) => `  - ${id}: ${code(`${method} ${path}`)}`)];
}

function pagingText({ paging }: AnyOperation): string {
  if (paging === undefined) {
    return "";
  }
  const place = paging.style === "offset" ? "in the query" : "in the body";
  return `${code(paging.limit)} and ${code(paging.offset)} ${place}, ${paging.pageSize} at a time`;
}

function errorsText({ errors }: AnyOperation): string {
  const { otherwise, ...byStatus } = errors;
  const ruleText = ({ kind, word }: { kind: string; word?: string }): string =>
    word === undefined ? kind : `${kind} (${word})`;
  const rules = Object.entries(byStatus).map(
    ([status, rule]) => `${status} ${rule === undefined ? "" : ruleText(rule)}`,
  );
  return [...rules, `${rules.length === 0 ? "any status other than 2xx" : "otherwise"} ${ruleText(otherwise)}`].join(
    "; ",
  );
}

/** A shape in one line, with the names of an object's members. */
function shapeText(schema: JsonSchema): string {
  const whole = formOf(schema);
  const members = membersOf(schema);
  const standard = schema.default === undefined ? "" : `; default ${code(JSON.stringify(schema.default))}`;
  return `${whole}${members.length === 0 ? "" : ` with ${members.join(", ")}`}${standard}`;
}

function membersOf(schema: JsonSchema | boolean | undefined): readonly string[] {
  if (schema === undefined || typeof schema === "boolean") {
    return [];
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    return [...new Set(choices.flatMap(membersOf))];
  }
  if (schema.type === "array") {
    return Array.isArray(schema.items) ? [] : membersOf(schema.items);
  }
  const required = new Set(schema.required ?? []);
  return Object.keys(schema.properties ?? {}).map((name) => `${code(name)}${required.has(name) ? "" : "?"}`);
}

function code(text: string): string {
  return text === "" ? "empty" : `\`${text}\``;
}

if (import.meta.main) {
  await writeFile(join(projectDirectory, "docs", "reference", "operations.md"), operationsPage());
  console.log("docs/reference/operations.md is up to date.");
}

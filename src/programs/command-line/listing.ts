import { acceptsBody, bodySchemaOf, schemaOf } from "../../api/catalogue/body-schema.ts";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import { formOf, parametersOf } from "../../api/catalogue/operation-parameters.ts";
import type { Dialect } from "../../api/http/dialects.ts";
import { pathTemplateOf } from "../../api/http/dialects.ts";

/** One line per operation: id, method and path, summary. */
export function listText(operations: readonly AnyOperation[], dialect: Dialect): string {
  const lines = operations.map((operation) => [
    operation.id,
    `${operation.method} ${pathTemplateOf(operation, dialect)}`,
    operation.summary,
  ]);
  const widths = [0, 1].map((column) => Math.max(0, ...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** Describes an operation's input and output as JSON. */
export function describeJson(operation: AnyOperation, dialect: Dialect): Readonly<Record<string, unknown>> {
  const { id, section, summary, method, credential, effect, timeLimitMs, paging, errors } = operation;
  return {
    id,
    section,
    summary,
    method,
    path: pathTemplateOf(operation, dialect),
    credential,
    effect,
    timeLimitMs,
    ...(paging === undefined ? {} : { paging }),
    parameters: parametersOf(operation, dialect),
    ...(acceptsBody(operation) ? { body: bodySchemaOf(operation) } : {}),
    response: operation.responseFormat === "bytes" ? "bytes" : schemaOf(operation.response),
    errors,
  };
}

/** Describes an operation's input and output as text. */
export function describeText(operation: AnyOperation, dialect: Dialect): string {
  const { id, section, summary, method, credential, effect } = operation;
  const parameters = parametersOf(operation, dialect).map(({ name, place, required, standard, form }) => {
    const need =
      standard !== undefined ? `default ${standard === "" ? "empty" : standard}` : required ? "required" : "optional";
    return `  --${place} ${name}=…   ${form} (${need})`;
  });
  const body = acceptsBody(operation) ? ["", "Body", JSON.stringify(bodySchemaOf(operation), undefined, 2)] : [];
  return `${[
    `${id}: ${summary}`,
    `${method} ${pathTemplateOf(operation, dialect)} (API description, ${section}); ${effect}; ${credential} credential`,
    ...(parameters.length === 0 ? [] : ["", "Parameters", ...parameters]),
    ...body,
    "",
    `Response: ${operation.responseFormat === "bytes" ? "bytes" : formOf(schemaOf(operation.response))}`,
  ].join("\n")}\n`;
}

import { acceptsBody, bodySchemaOf } from "../../api/catalogue/body-schema.ts";
import { catalogue } from "../../api/catalogue/operations/catalogue.ts";

/** The JSON schema of an operation's body as text, for completion and validation in the editor. */
export async function schemaText(operationId: string): Promise<string> {
  const operation = catalogue.find(({ id }) => id === operationId);
  return `${JSON.stringify(operation === undefined ? true : bodySchemaOf(operation), undefined, 2)}\n`;
}

/** package.json's `contributes.jsonValidation`: the schema of each body document. */
export function schemaContributions(): readonly { readonly fileMatch: string; readonly url: string }[] {
  return catalogue
    .filter((operation) => acceptsBody(operation) && operation.credential !== "internal")
    .map(({ id }) => ({
      fileMatch: `operation-body/${id}/${id}.body.json`,
      url: `platform-documents://.schemas/operation-schema/${id}/${id}.schema.json`,
    }));
}

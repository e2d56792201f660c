/** package.json's `contributes.jsonValidation` for configurations of workspaces. */
export const configurationValidation = {
  fileMatch: "platform-documents://*/configuration/*.json",
  url: "platform-documents://.schemas/configuration-schema/configuration.schema.json",
};

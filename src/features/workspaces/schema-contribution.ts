/** package.json's `contributes.jsonValidation` for configurations of workspaces. */
export const configurationValidation = {
  fileMatch: "platform-documents://*/configuration/*.json",
  url: "platform-documents://.schemas/configuration-schema/configuration.schema.json",
};

/** The same for dataflow updates of notebooks. */
export const dataflowValidation = {
  fileMatch: "platform-documents://*/dataflow/*/*.json",
  url: "platform-documents://.schemas/dataflow-schema/dataflow.schema.json",
};

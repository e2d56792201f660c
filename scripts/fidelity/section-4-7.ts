import { type FidelitySection, operation, rule } from "./statement.ts";

const reads = [
  ["accounts.list", "accounts"],
  ["activityLog.types.list", "types of the activity log"],
  ["ai.settings.get", "AI settings"],
  ["datastores.list", "datastores"],
  ["applications.list", "applications"],
  ["cards.get", "a card"],
  ["codeEngine.packages.list", "code engine packages"],
  ["datasets.dataflows.list", "dataflows of a dataset"],
  ["datasets.permissions.get", "permissions of a dataset"],
  ["datasets.schema.get", "the schema of a dataset"],
  ["filesets.get", "a fileset"],
  ["grants.list", "grants"],
  ["groups.list", "groups"],
  ["notebooks.settings.get", "notebook settings"],
  ["pages.get", "a page"],
  ["datasets.policies.list", "data policies of a dataset"],
  ["publications.list", "publications"],
  ["roles.list", "roles"],
  ["sandbox.config.get", "the sandbox configuration"],
  ["streams.get", "a stream"],
  ["users.list", "users"],
  ["workflows.list", "workflows"],
] as const;

/** Other read endpoints with a typed response model. */
export const section47: FidelitySection = {
  number: "4.7",
  title: "Other read endpoints",
  statements: [
    ...reads.map(([id, what]) => operation(id, `GET ${what}, with a typed model`)),
    rule("users.list", "Lists of people are requested without a query", {
      code: ["src/api/families/people.ts#allUsers"],
      reach: ["command:addDesignAdmins"],
    }),
  ],
};

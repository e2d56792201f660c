import { type FidelitySection, operation, statement } from "./statement.ts";

const coverage =
  "test/contract/coverage.test.ts > has every endpoint of the API description, 4.1 to 4.8, exactly once, and no others in these sections";

/** Versioning. */
export const section9: FidelitySection = {
  number: "9",
  title: "Versioning",
  statements: [
    statement("The version is a segment of the path, by family", {
      code: ["src/api/client/request.ts#prepareRequest"],
      reach: ["command:runOperation"],
      served: ["src/programs/sample-tenant/router.ts#Router"],
      proof: [coverage],
    }),
    operation("workflows.locks.get", "Workflow reads, deletion, locks, and permissions are v1", { proof: [coverage] }),
    operation("workflows.create", "Creation, versions, executions, triggers, usage, and forms are v2", {
      proof: [coverage],
    }),
    operation("workflows.versions.createFirst", "A first version can be created in v1", { proof: [coverage] }),
    operation("pages.navigation.get", "Pages are v1, v2, or v3 by endpoint", { proof: [coverage] }),
    operation("sandbox.repositories.get", "The sandbox is v1", { proof: [coverage] }),
    operation("workflows.versions.get", "A workflow's version is a string in the path or the body"),
    operation("designs.versions.assets", "A design's version is a string"),
  ],
};

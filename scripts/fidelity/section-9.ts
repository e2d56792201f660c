import { type FidelitySection, operation, rule, statement } from "./statement.ts";

/** Versioning. */
export const section9: FidelitySection = {
  number: "9",
  title: "Versioning",
  statements: [
    statement("The version is a segment of the path, by family", {
      code: ["src/api/client/request.ts#prepareRequest"],
      reach: ["command:runOperation"],
      served: ["src/programs/sample-tenant/router.ts#Router"],
    }),
    rule("workflows.locks.get", "Workflow reads, deletion, locks, and permissions are v1"),
    rule("workflows.create", "Creation, versions, executions, triggers, usage, and forms are v2"),
    rule("workflows.versions.createFirst", "A first version can be created in v1"),
    rule("pages.navigation.get", "Pages are v1, v2, or v3 by endpoint"),
    rule("sandbox.repositories.get", "The sandbox is v1"),
    operation("workflows.versions.get", "A workflow's version is a string in the path or the body"),
    operation("designs.versions.assets", "A design's version is a string"),
  ],
};

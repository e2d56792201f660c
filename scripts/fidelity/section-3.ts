import { type FidelitySection, operation, rule, statement } from "./statement.ts";

/** States and transitions. */
export const section3: FidelitySection = {
  number: "3",
  title: "States and transitions",
  statements: [
    rule("workflows.triggers.delete", "Deleting an active trigger deletes it softly, with the time of its deletion", {
      reach: ["command:deleteTrigger"],
    }),
    operation("workflows.triggers.delete", "A trigger that does not exist can't be deleted"),
    operation("workflows.triggers.delete", "A deleted trigger no longer fires", {
      code: ["src/features/workflows/words.ts#triggerState"],
      reach: ["view:workflows"],
      open: { served: "The sample tenant fires no trigger, deleted or not." },
    }),
    statement("COMPLETED, IN_PROGRESS, CANCELLED, and FAILED are statuses of executions", {
      code: ["src/api/catalogue/models/workflows.ts#executionStatus"],
      reach: ["view:workflows", "operation:workflows.executions.metrics.get"],
      served: ["operation:workflows.executions.list"],
    }),
    rule("workspaces.instances.start", "Starting a workspace is an operation", {
      reach: ["command:startWorkspace"],
    }),
  ],
};

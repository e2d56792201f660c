import { type FidelitySection, operation, statement } from "./statement.ts";

/** States and transitions. */
export const section3: FidelitySection = {
  number: "3",
  title: "States and transitions",
  statements: [
    operation(
      "workflows.triggers.delete",
      "Deleting an active trigger deletes it softly, with the time of its deletion",
      {
        reach: ["command:deleteTrigger"],
        proof: [
          "test/ui/shared-window/workflows.test.ts > deletes a trigger after a confirmation; canceling keeps it, and a deleted one is struck through",
        ],
      },
    ),
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
      proof: [
        "test/unit/features/workflows/words.test.ts > show every state of an execution with an icon and a word, including unknown ones",
      ],
    }),
    operation("workspaces.instances.start", "Starting a workspace is an operation", {
      reach: ["command:startWorkspace"],
      proof: ["test/ui/shared-window/workspaces.test.ts > starts a workspace with progress until it is running"],
    }),
  ],
};

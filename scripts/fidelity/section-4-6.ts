import { type FidelitySection, operation } from "./statement.ts";

const workflows = "test/ui/shared-window/workflows.test.ts";
const webviews = "test/ui/shared-window/webviews.test.ts";
const unit = "test/unit/api/families/workflows.test.ts";

/** Workflows. */
export const section46: FidelitySection = {
  number: "4.6",
  title: "Workflows",
  statements: [
    operation("workflows.create", "POST models creates a workflow, from an empty object by default", {
      reach: ["command:createWorkflow"],
      proof: [`${workflows} > creates a workflow without a version, and its first version with the call for that`],
    }),
    operation("workflows.get", "GET a workflow", { reach: ["view:workflows"] }),
    operation("workflows.delete", "DELETE a workflow", {
      reach: ["command:deleteWorkflow"],
      proof: [
        `${workflows} > deletes a workflow after naming what is deleted with it, and reports the platform's refusal`,
      ],
    }),
    operation("workflows.versions.create", "POST versions creates a version, from an empty object by default", {
      reach: ["command:createWorkflowVersion"],
      proof: [`${workflows} > creates another version from the previous one`],
    }),
    operation("workflows.versions.createFirst", "POST the first version of a workflow that has none, in version v1", {
      reach: ["command:createWorkflowVersion"],
      proof: [`${workflows} > creates a workflow without a version, and its first version with the call for that`],
    }),
    operation("workflows.versions.get", "GET a version", { reach: ["view:workflows"] }),
    operation("workflows.versions.definition.get", "GET a version's definition", {
      reach: ["command:showWorkflowDefinition"],
      proof: [`${webviews} > draws a version's definition, with the same content as a table`],
    }),
    operation("workflows.versions.form.get", "GET a version's form, optionally for a trigger or a deployment", {
      reach: ["command:showWorkflowForm"],
    }),
    operation("workflows.locks.get", "GET the locks of a workflow", { reach: ["view:workflows"] }),
    operation("workflows.permissions.get", "GET the permissions of a workflow", { reach: ["view:workflows"] }),
    operation("workflows.usage.get", "GET usage by entity type, entity id, and parts", {
      reach: ["command:findUsingWorkflows"],
    }),
    operation("workflows.executions.list", "GET all executions, without a query", {
      code: ["src/api/families/workflows.ts#readExecutions"],
      reach: ["view:workflows"],
      proof: [`${unit} > are requested without a query, and filtered locally`],
    }),
    operation("workflows.executions.get", "GET an execution", { reach: ["view:workflows"] }),
    operation("workflows.executions.outputs.get", "GET the outputs of an execution", {
      reach: ["command:showExecutionOutputs"],
    }),
    operation("workflows.executions.metrics.get", "GET the metrics of a workflow, which is required", {
      code: ["src/api/families/workflows.ts#readMetrics"],
      reach: ["command:showWorkflowMetrics"],
    }),
    operation(
      "workflows.executions.metrics.get",
      "Metrics are filtered by version, trigger types, and the user who started the execution",
      {
        code: ["src/api/families/workflows.ts#readMetrics"],
        reach: ["command:showWorkflowMetrics"],
        proof: [`${unit} > are requested with comma-separated lists and ISO 8601 times`],
      },
    ),
    operation("workflows.executions.metrics.get", "Statuses are a comma-separated list of the four that are named", {
      proof: [`${unit} > are rejected before a request with the invalid option`],
    }),
    operation("workflows.executions.metrics.get", "Times are ISO 8601 timestamps", {
      reach: ["command:showWorkflowMetrics"],
      proof: [`${unit} > are any ISO 8601 timestamp, and nothing else`],
    }),
    operation("workflows.executions.metrics.get", "Missing options are omitted", {
      proof: [`${unit} > are requested without omitted options`],
    }),
    operation("workflows.triggers.types.list", "GET the types of triggers", { reach: ["command:createTrigger"] }),
    operation("workflows.triggers.list", "GET the triggers of an entity, optionally for entity versions", {
      reach: ["view:workflows"],
    }),
    operation("workflows.triggers.list", "A user's timers are listed even if another holder's list fails", {
      code: ["src/api/families/workflow-facts.ts#readTriggersOf"],
      reach: ["view:workflows"],
      proof: [
        "test/unit/api/families/workflow-facts.test.ts > are listed even if another holder's list fails, and fail if none can be read",
      ],
    }),
    operation("workflows.triggers.list", "Triggers are listed even if no operation returns the signed-in user", {
      code: ["src/api/families/workflow-triggers.ts#readWorkflowTriggers"],
      reach: ["view:workflows", "command:deleteTrigger", "command:deleteWorkflow"],
      proof: [
        "test/unit/features/workflows/trigger-lists.test.ts > are listed in the tree with a note",
        "test/unit/features/workflows/deletion.test.ts > reports which triggers it may not list",
      ],
    }),
    operation("workflows.triggers.create", "POST a trigger", {
      code: ["src/api/families/workflows.ts#createTimerTrigger"],
      reach: ["command:createTrigger"],
      proof: [`${workflows} > builds a timer step by step, with Back and the next five runs in its time zone`],
    }),
    operation("workflows.triggers.delete", "DELETE a trigger, softly", { reach: ["command:deleteTrigger"] }),
  ],
};

import { type FidelitySection, operation, rule } from "./statement.ts";

/** Workflows. */
export const section46: FidelitySection = {
  number: "4.6",
  title: "Workflows",
  statements: [
    rule("workflows.create", "POST models creates a workflow, from an empty object by default", {
      reach: ["command:createWorkflow"],
    }),
    operation("workflows.get", "GET a workflow", { reach: ["view:workflows"] }),
    rule("workflows.delete", "DELETE a workflow", { reach: ["command:deleteWorkflow"] }),
    rule("workflows.versions.create", "POST versions creates a version, from an empty object by default", {
      reach: ["command:createWorkflowVersion"],
    }),
    rule("workflows.versions.createFirst", "POST the first version of a workflow that has none, in version v1", {
      reach: ["command:createWorkflowVersion"],
    }),
    operation("workflows.versions.get", "GET a version", { reach: ["view:workflows"] }),
    rule("workflows.versions.definition.get", "GET a version's definition", {
      reach: ["command:showWorkflowDefinition"],
    }),
    operation("workflows.versions.form.get", "GET a version's form, optionally for a trigger or a deployment", {
      reach: ["command:showWorkflowForm"],
    }),
    operation("workflows.locks.get", "GET the locks of a workflow", { reach: ["view:workflows"] }),
    operation("workflows.permissions.get", "GET the permissions of a workflow", { reach: ["view:workflows"] }),
    operation("workflows.usage.get", "GET usage by entity type, entity id, and parts", {
      reach: ["command:findUsingWorkflows"],
    }),
    rule("workflows.executions.list", "GET all executions, without a query", {
      code: ["src/api/families/workflows.ts#readExecutions"],
      reach: ["view:workflows"],
    }),
    operation("workflows.executions.get", "GET an execution", { reach: ["view:workflows"] }),
    operation("workflows.executions.outputs.get", "GET the outputs of an execution", {
      reach: ["command:showExecutionOutputs"],
    }),
    operation("workflows.executions.metrics.get", "GET the metrics of a workflow, which is required", {
      code: ["src/api/families/workflows.ts#readMetrics"],
      reach: ["command:showWorkflowMetrics"],
    }),
    rule(
      "workflows.executions.metrics.get",
      "Metrics are filtered by version, trigger types, and the user who started the execution",
      { code: ["src/api/families/workflows.ts#readMetrics"], reach: ["command:showWorkflowMetrics"] },
    ),
    rule("workflows.executions.metrics.get", "Statuses are a comma-separated list of the four that are named"),
    rule("workflows.executions.metrics.get", "Times are ISO 8601 timestamps", {
      reach: ["command:showWorkflowMetrics"],
    }),
    rule("workflows.executions.metrics.get", "Missing options are omitted"),
    operation("workflows.triggers.types.list", "GET the types of triggers", { reach: ["command:createTrigger"] }),
    operation("workflows.triggers.list", "GET the triggers of an entity, optionally for entity versions", {
      reach: ["view:workflows"],
    }),
    rule("workflows.triggers.list", "A user's timers are listed even if another holder's list fails", {
      code: ["src/api/families/workflow-facts.ts#readTriggersOf"],
      reach: ["view:workflows"],
    }),
    rule("workflows.triggers.list", "Triggers are listed even if no operation returns the signed-in user", {
      code: ["src/api/families/workflow-triggers.ts#readWorkflowTriggers"],
      reach: ["view:workflows", "command:deleteTrigger", "command:deleteWorkflow"],
    }),
    rule("workflows.triggers.create", "POST a trigger", {
      code: ["src/api/families/workflows.ts#createTimerTrigger"],
      reach: ["command:createTrigger"],
    }),
    operation("workflows.triggers.delete", "DELETE a trigger, softly", { reach: ["command:deleteTrigger"] }),
  ],
};

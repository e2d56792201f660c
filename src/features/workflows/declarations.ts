import {
  type CommandDeclarations,
  inView,
  onRow,
  row,
  title,
  treeDeclarations,
} from "../../ui/commands/declaration.ts";

const onWorkflow = onRow("workflows", "workflow");
const onVersion = onRow("workflows", "workflowVersion");
const onLiveTrigger = onRow("workflows", "trigger\\.(active|inactive)");

export const workflowsDeclarations = {
  ...treeDeclarations("Workflows", { many: "Workflows", one: "Workflow" }),
  "platformWorkbench.createWorkflow": {
    title: "Create Workflow…",
    icon: "$(add)",
    inPalette: true,
    menus: [title("navigation@0", inView("workflows"))],
  },
  "platformWorkbench.showWorkflowMetrics": {
    title: "Show Workflow Metrics…",
    icon: "$(graph)",
    inPalette: true,
    menus: [
      row("inline@1", onWorkflow),
      row("1_open@1", onWorkflow),
      row("inline@1", onRow("workflows", "workflowGroup\\.executions")),
      row("1_open@1", onRow("workflows", "workflowGroup\\.executions")),
    ],
  },
  "platformWorkbench.showWorkflowDefinition": {
    title: "Show Workflow Definition…",
    icon: "$(type-hierarchy-sub)",
    inPalette: true,
    menus: [
      row("1_open@2", onWorkflow),
      row("inline@1", onVersion),
      row("1_open@1", onVersion),
      row("1_open@1", onRow("workflows", "workflowDefinition")),
    ],
  },
  "platformWorkbench.showWorkflowForm": {
    title: "Show Start Form…",
    icon: "$(checklist)",
    inPalette: true,
    menus: [
      row("1_open@2", onVersion),
      row("1_open@1", onRow("workflows", "workflowForm")),
      row("1_open@1", onLiveTrigger),
    ],
  },
  "platformWorkbench.showTriggersOfVersions": {
    title: "Show Triggers of Version…",
    icon: "$(zap)",
    inPalette: true,
    menus: [row("1_open@3", onVersion), row("1_open@1", onRow("workflows", "workflowGroup\\.triggers"))],
  },
  "platformWorkbench.showExecutionOutputs": {
    title: "Show Execution Outputs…",
    icon: "$(output)",
    inPalette: true,
    menus: [row("inline@1", onRow("workflows", "execution")), row("1_open@1", onRow("workflows", "execution"))],
  },
  "platformWorkbench.findUsingWorkflows": {
    title: "Find Workflows That Use a Function…",
    icon: "$(references)",
    inPalette: true,
    menus: [row("1_open@1", onRow("workflows", "usedFunction"))],
  },
  "platformWorkbench.runWorkflow": {
    title: "Run Workflow…",
    icon: "$(play)",
    inPalette: true,
    menus: [row("2_change@0", onWorkflow), row("2_change@0", onVersion)],
  },
  "platformWorkbench.createWorkflowVersion": {
    title: "Create Workflow Version…",
    icon: "$(add)",
    inPalette: true,
    menus: [
      row("2_change@1", onWorkflow),
      row("inline@1", onRow("workflows", "workflowGroup\\.versions")),
      row("2_change@1", onRow("workflows", "workflowGroup\\.versions")),
    ],
  },
  "platformWorkbench.createTrigger": {
    title: "Create Workflow Trigger…",
    icon: "$(add)",
    inPalette: true,
    menus: [
      row("2_change@2", onWorkflow),
      row("2_change@2", onVersion),
      row("inline@1", onRow("workflows", "workflowGroup\\.triggers")),
      row("2_change@1", onRow("workflows", "workflowGroup\\.triggers")),
    ],
  },
  "platformWorkbench.editTrigger": {
    title: "Edit Workflow Trigger…",
    icon: "$(edit)",
    inPalette: true,
    menus: [row("2_change@1", onLiveTrigger)],
  },
  "platformWorkbench.deleteTrigger": {
    title: "Delete Workflow Trigger…",
    icon: "$(trash)",
    inPalette: true,
    menus: [row("inline@1", onLiveTrigger), row("7_delete@1", onLiveTrigger)],
  },
  "platformWorkbench.deleteWorkflow": {
    title: "Delete Workflow…",
    icon: "$(trash)",
    inPalette: true,
    menus: [row("7_delete@1", onWorkflow)],
  },
} as const satisfies CommandDeclarations;

export type WorkflowsCommandId = keyof typeof workflowsDeclarations;

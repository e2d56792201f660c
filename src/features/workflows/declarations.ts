import {
  type CommandDeclarations,
  inView,
  onRow,
  row,
  title,
  treeDeclarations,
  whileVisible,
} from "../../ui/commands/declaration.ts";

const onWorkflow = onRow("workflows", "workflow");
const onVersion = onRow("workflows", "workflowVersion");
const onLiveTrigger = onRow("workflows", "trigger\\.(active|inactive)");
const onRunning = onRow("workflows", "execution\\.running");

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
    inPalette: whileVisible("workflows"),
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
  "platformWorkbench.cancelExecution": {
    title: "Cancel Execution…",
    icon: "$(debug-stop)",
    inPalette: whileVisible("workflows"),
    menus: [row("inline@2", onRunning), row("2_change@0", onRunning)],
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
  "platformWorkbench.editWorkflowDefinition": {
    title: "Edit Workflow Definition…",
    icon: "$(edit)",
    inPalette: whileVisible("workflows"),
    menus: [row("2_change@2", onRow("workflows", "workflowVersion\\.draft"))],
  },
  "platformWorkbench.releaseWorkflowVersion": {
    title: "Release Workflow Version…",
    icon: "$(rocket)",
    inPalette: true,
    menus: [row("2_change@3", onRow("workflows", "workflowVersion\\.draft"))],
  },
  "platformWorkbench.activateWorkflowVersion": {
    title: "Activate Workflow Version…",
    inPalette: true,
    menus: [row("2_change@3", onRow("workflows", "workflowVersion\\.released"))],
  },
  "platformWorkbench.deactivateWorkflowVersion": {
    title: "Deactivate Workflow Version…",
    inPalette: true,
    menus: [row("2_change@3", onRow("workflows", "workflowVersion\\.active"))],
  },
  "platformWorkbench.changeWorkflowOwner": {
    title: "Change Workflow Owner…",
    inPalette: true,
    menus: [row("2_change@4", onWorkflow)],
  },
  "platformWorkbench.changeWorkflowPermissions": {
    title: "Change Workflow Permissions…",
    icon: "$(person-add)",
    inPalette: true,
    menus: [
      row("2_change@5", onWorkflow),
      row("inline@1", onRow("workflows", "workflowGroup\\.permissions")),
      row("2_change@1", onRow("workflows", "workflowGroup\\.permissions")),
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
    inPalette: whileVisible("workflows"),
    menus: [row("2_change@1", onLiveTrigger)],
  },
  "platformWorkbench.deleteTrigger": {
    title: "Delete Workflow Trigger…",
    icon: "$(trash)",
    inPalette: whileVisible("workflows"),
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

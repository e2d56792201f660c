import {
  type CommandDeclarations,
  explorer,
  inWorkspaceFile,
  onRow,
  row,
  withTenant,
} from "../../ui/commands/declaration.ts";

export const terminalsDeclarations = {
  "platformWorkbench.openTerminal": {
    title: "Open Terminal in Workspace",
    icon: "$(terminal)",
    inPalette: true,
    menus: [row("1_open@4", onRow("workspaces", "workspace"))],
  },
  "platformWorkbench.openTerminalInFolder": {
    title: "Open in Workspace Terminal",
    inPalette: false,
    menus: [explorer("navigation@6", `${inWorkspaceFile} && explorerResourceIsFolder`)],
  },
  "platformWorkbench.attachTerminal": {
    title: "Attach to Running Terminal…",
    icon: "$(terminal)",
    inPalette: withTenant,
    menus: [
      row("1_open@5", onRow("workspaces", "workspace")),
      row("inline@1", onRow("workspaces", "terminal")),
      row("1_open@1", onRow("workspaces", "terminal")),
    ],
  },
  "platformWorkbench.endTerminal": {
    title: "End Running Terminal…",
    icon: "$(trash)",
    inPalette: withTenant,
    menus: [row("2_change@9", onRow("workspaces", "workspace")), row("2_change@1", onRow("workspaces", "terminal"))],
  },
} as const satisfies CommandDeclarations;

export type TerminalsCommandId = keyof typeof terminalsDeclarations;

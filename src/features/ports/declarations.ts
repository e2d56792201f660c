import { type CommandDeclarations, onRow, row, title } from "../../ui/commands/declaration.ts";

/** True while the view has rows. */
const inUse = "platformWorkbench.forwardsPorts";
const inView = "view == platformWorkbench.ports";
const onForwarded = `${inView} && viewItem == forwardedPort`;
const onListening = `${inView} && viewItem == listeningPort`;

export const portsDeclarations = {
  "platformWorkbench.forwardPort": {
    title: "Forward Port…",
    icon: "$(add)",
    inPalette: true,
    menus: [row("1_open@6", onRow("workspaces", "workspace")), title("navigation@1", inView)],
  },
  "platformWorkbench.forwardListeningPort": {
    title: "Forward This Port",
    icon: "$(plug)",
    inPalette: false,
    menus: [row("inline@1", onListening), row("1_open@1", onListening)],
  },
  "platformWorkbench.openForwardedPort": {
    title: "Open Forwarded Port in Browser",
    icon: "$(globe)",
    inPalette: inUse,
    menus: [row("inline@1", onForwarded), row("1_open@1", onForwarded)],
  },
  "platformWorkbench.previewForwardedPort": {
    title: "Open Forwarded Port in Editor",
    icon: "$(open-preview)",
    inPalette: inUse,
    menus: [row("inline@2", onForwarded), row("1_open@2", onForwarded)],
  },
  "platformWorkbench.copyForwardedPort": {
    title: "Copy Address of Forwarded Port",
    icon: "$(copy)",
    inPalette: inUse,
    menus: [row("5_copy@1", onForwarded)],
  },
  "platformWorkbench.stopForwardingPort": {
    title: "Stop Forwarding Port",
    icon: "$(close)",
    inPalette: inUse,
    menus: [row("inline@3", onForwarded), row("7_delete@1", onForwarded)],
  },
} as const satisfies CommandDeclarations;

export type PortsCommandId = keyof typeof portsDeclarations;

import { type CommandDeclarations, onRow, row } from "../../../ui/commands/declaration.ts";

const inEntry = "scmProvider == platformWorkbench.repository";

/** Repositories as entries of Source Control. */
export const sourceControlDeclarations = {
  "platformWorkbench.pinRepository": {
    title: "Pin Repository to Source Control…",
    icon: "$(pin)",
    inPalette: true,
    menus: [row("1_open@8", onRow("sandbox", "repository\\.own\\.unpinned"))],
  },
  "platformWorkbench.unpinRepository": {
    title: "Unpin Repository from Source Control…",
    icon: "$(pinned)",
    inPalette: "platformWorkbench.pinned",
    menus: [
      row("1_open@8", onRow("sandbox", "repository\\.own\\.pinned")),
      { menu: "scm/title", when: inEntry, group: "9_platform@1" },
    ],
  },
  "platformWorkbench.refreshPinned": {
    title: "Refresh Pinned Repository",
    icon: "$(refresh)",
    inPalette: false,
    menus: [{ menu: "scm/title", when: inEntry, group: "navigation@2" }],
  },
  "platformWorkbench.showRepositoryHistory": {
    title: "Show Repository History…",
    icon: "$(history)",
    inPalette: true,
    menus: [
      row("1_open@1", onRow("sandbox", "repository\\.")),
      { menu: "scm/title", when: inEntry, group: "navigation@1" },
    ],
  },
  "platformWorkbench.commitPinned": {
    title: "Commit",
    icon: "$(check)",
    inPalette: false,
    menus: [{ menu: "scm/title", when: inEntry, group: "navigation@0" }],
  },
} as const satisfies CommandDeclarations;

export type SourceControlCommandId = keyof typeof sourceControlDeclarations;

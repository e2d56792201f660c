import {
  type CommandDeclarations,
  inView,
  onRow,
  row,
  title,
  treeDeclarations,
  whileVisible,
} from "../../ui/commands/declaration.ts";

const onOwn = onRow("sandbox", "repository\\.own");
const onPart = (part: string): string => onRow("sandbox", `repositoryPart\\.${part}`);
const onCommit = onRow("sandbox", "commit\\.");
const onDeployment = onRow("sandbox", "deployment");
const onPermission = onRow("sandbox", "repositoryPermission");

/** Repositories, their history, and their permissions. */
export const sandboxDeclarations = {
  ...treeDeclarations("Sandbox", { many: "Repositories", one: "Repository" }),
  "platformWorkbench.createCommit": {
    title: "Create Commit…",
    icon: "$(git-commit)",
    inPalette: true,
    menus: [
      row("inline@1", onOwn),
      row("inline@1", onPart("commits")),
      row("2_change@1", onOwn),
      row("2_change@1", onPart("commits")),
    ],
  },
  "platformWorkbench.promoteAndSeed": {
    title: "Promote and Seed…",
    icon: "$(rocket)",
    inPalette: true,
    menus: [
      row("inline@2", onOwn),
      row("inline@1", onCommit),
      row("inline@1", onDeployment),
      row("2_change@2", onRow("sandbox", "(repository\\.own|commit\\.|deployment)")),
    ],
  },
  "platformWorkbench.giveRepositoryAccess": {
    title: "Change Instances with Access…",
    icon: "$(server-environment)",
    inPalette: whileVisible("sandbox"),
    menus: [
      row("inline@1", onPart("access")),
      row("2_change@3", onRow("sandbox", "(repository\\.own|repositoryPart\\.access)")),
    ],
  },
  "platformWorkbench.changeRepositoryPermission": {
    title: "Change Repository Permission…",
    icon: "$(person-add)",
    inPalette: whileVisible("sandbox"),
    menus: [
      row("inline@1", onPart("permissions")),
      row("inline@1", onPermission),
      row("2_change@4", onRow("sandbox", "(repository\\.own|repositoryPart\\.permissions|repositoryPermission)")),
    ],
  },
  "platformWorkbench.changeInstanceAlias": {
    title: "Change Instance Alias…",
    inPalette: true,
    menus: [title("2_settings@1", inView("sandbox"))],
  },
  "platformWorkbench.toggleSameInstancePromotion": {
    title: "Allow or Forbid Same-Instance Promotion…",
    inPalette: true,
    menus: [title("2_settings@2", inView("sandbox"))],
  },
  "platformWorkbench.searchCommitRequests": {
    title: "Search Commit Requests…",
    icon: "$(git-pull-request)",
    inPalette: true,
    menus: [title("1_history@1", inView("sandbox")), row("1_open@2", onRow("sandbox", "repository\\."))],
  },
  "platformWorkbench.searchPromotions": {
    title: "Search Promotions…",
    icon: "$(rocket)",
    inPalette: true,
    menus: [title("1_history@2", inView("sandbox")), row("1_open@3", onRow("sandbox", "repository\\."))],
  },
} as const satisfies CommandDeclarations;

export type SandboxCommandId = keyof typeof sandboxDeclarations;

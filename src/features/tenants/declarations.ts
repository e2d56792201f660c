import { type CommandDeclarations, inView, onRow, row, title, withTenant } from "../../ui/commands/declaration.ts";

const inWorkspaces = inView("workspaces");
const onTenant = onRow("workspaces", "tenant");
const severalTenants = `${inWorkspaces} && platformWorkbench.tenants == several`;
const anyTenant = `${inWorkspaces} && ${withTenant}`;

export const tenantsDeclarations = {
  "platformWorkbench.addTenant": {
    title: "Add Tenant…",
    icon: "$(add)",
    inPalette: "always",
    menus: [title("1_tenants@1", inWorkspaces)],
  },
  "platformWorkbench.editTenant": {
    title: "Edit Tenant…",
    inPalette: true,
    menus: [title("1_tenants@3", anyTenant), row("2_change@1", onTenant)],
  },
  "platformWorkbench.removeTenant": {
    title: "Remove Tenant…",
    inPalette: true,
    menus: [title("1_tenants@4", anyTenant), row("7_delete@1", onTenant)],
  },
  "platformWorkbench.switchTenant": {
    title: "Switch Tenant…",
    // The number of tenants is unknown until a view has counted them. The command is not hidden until then.
    inPalette: `${withTenant} && platformWorkbench.tenants != one`,
    menus: [title("1_tenants@2", severalTenants)],
  },
  "platformWorkbench.signIn": {
    title: "Sign In…",
    icon: "$(sign-in)",
    inPalette: true,
    menus: [
      row("inline@1", onRow("workspaces", "tenant\\.signedOut")),
      row("2_change@2", onRow("workspaces", "tenant\\.signedOut")),
    ],
  },
  "platformWorkbench.signOut": {
    title: "Sign Out…",
    icon: "$(sign-out)",
    inPalette: true,
    menus: [title("1_tenants@5", anyTenant), row("2_change@2", onRow("workspaces", "tenant\\.signedIn"))],
  },
  "platformWorkbench.trySampleTenant": {
    title: "Try the Sample Tenant",
    icon: "$(beaker)",
    inPalette: "always",
    menus: [title("1_tenants@6", inWorkspaces)],
  },
  "platformWorkbench.showLog": {
    title: "Show Log",
    icon: "$(output)",
    inPalette: "always",
    menus: [title("9_log@1", inWorkspaces)],
  },
  "platformWorkbench.showTenantMenu": { title: "Show Tenant Menu…", inPalette: true },
} as const satisfies CommandDeclarations;

export type TenantsCommandId = keyof typeof tenantsDeclarations;

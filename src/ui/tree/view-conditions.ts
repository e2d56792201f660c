import * as vscode from "vscode";
import type { Tenant } from "../../tenants/tenant.ts";
import { type ViewName, viewId } from "./view-name.ts";

/** What the welcome content and the menus of a view depend on. */
export interface ViewFacts {
  readonly view: ViewName;
  readonly tenants: readonly Tenant[];
  isSignedIn(tenant: Tenant): Promise<boolean>;
  /** True when the tenant's list was read and nothing is in it. */
  isEmpty(tenant: Tenant): boolean;
}

/** Tells the editor how many tenants there are, and what a view with one of them has to say instead of rows. */
export async function setViewConditions({ view, tenants, isSignedIn, isEmpty }: ViewFacts): Promise<void> {
  const count = tenants.length === 0 ? "none" : tenants.length === 1 ? "one" : "several";
  const [only] = tenants;
  let state = "listed";
  if (only === undefined) {
    state = "noTenant";
  } else if (tenants.length === 1) {
    const hasAccess = await isSignedIn(only);
    state = !hasAccess ? "signedOut" : isEmpty(only) ? "empty" : "listed";
  }
  await vscode.commands.executeCommand("setContext", "platformWorkbench.tenants", count);
  await vscode.commands.executeCommand("setContext", `${viewId(view)}State`, state);
}
